//! Manifests of unfinished runs: whatever the bytes, sealed or not, a folder is claimed or there is an error, and nothing
//! outside of it is touched.

use std::fs;
use std::path::PathBuf;

use lookalike_engine::{WorkOptions, Workspace};
use lookalike_text::Seed;
use lookalike_text::hash::hash64;
use tempfile::TempDir;

/// A folder to claim, and beside it one of somebody else.
struct Place {
    out: PathBuf,
    mine: PathBuf,
    _folder: TempDir,
}

thread_local! {
    static PLACE: Place = {
        let folder = tempfile::tempdir().expect("there is room");
        let beside = folder.path().join("lookalike-beside");
        fs::create_dir(&beside).expect("there is room");
        let mine = beside.join("mine");
        fs::write(&mine, "kept").expect("there is room");
        Place {
            out: folder.path().join("out"),
            mine,
            _folder: folder,
        }
    };
}

pub(crate) fn target(bytes: &[u8]) {
    let checksum = hash64(bytes, Seed(0));
    let sealed = [
        b"{\"manifest\":",
        bytes,
        format!(",\"checksum\":{checksum}}}").as_bytes(),
    ]
    .concat();
    PLACE.with(|place| {
        claim(place, bytes);
        claim(place, &sealed);
        assert!(place.mine.exists());
    });
}

/// Claims a folder with this manifest, and again to begin anew, which always succeeds.
fn claim(place: &Place, manifest: &[u8]) {
    let hidden = place.out.join(".lookalike");
    fs::create_dir_all(&hidden).expect("there is room");
    fs::write(hidden.join("lock"), "lookalike works here for ").expect("there is room");
    fs::write(hidden.join("manifest.json"), manifest).expect("there is room");
    let mut options = WorkOptions::new(&place.out);
    drop(Workspace::claim(&options));
    options.restart = true;
    let claimed = Workspace::claim(&options);
    assert!(claimed.is_ok(), "{claimed:?}");
    drop(claimed);
    let _ = fs::remove_dir_all(&place.out);
}
