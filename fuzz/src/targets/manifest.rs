//! Manifests of unfinished runs: whatever the bytes, sealed or not, a folder is claimed or there is an error, and nothing
//! outside of it is touched.

use std::fs;

use lookalike_engine::{WorkOptions, Workspace};
use lookalike_text::Seed;
use lookalike_text::hash::hash64;

pub(crate) fn target(bytes: &[u8]) {
    let place = tempfile::tempdir().expect("there is room");
    let (out, beside) = (
        place.path().join("out"),
        place.path().join("lookalike-beside"),
    );
    fs::create_dir(&beside).expect("there is room");
    fs::write(beside.join("mine"), "kept").expect("there is room");
    let checksum = hash64(bytes, Seed(0));
    let sealed = [
        b"{\"manifest\":",
        bytes,
        format!(",\"checksum\":{checksum}}}").as_bytes(),
    ]
    .concat();
    for manifest in [bytes, &sealed] {
        for restart in [false, true] {
            drop(Workspace::claim(&WorkOptions::new(&out)));
            let hidden = out.join(".lookalike");
            fs::create_dir_all(&hidden).expect("there is room");
            fs::write(hidden.join("lock"), "lookalike works here for ").expect("there is room");
            fs::write(hidden.join("manifest.json"), manifest).expect("there is room");
            let mut options = WorkOptions::new(&out);
            options.restart = restart;
            let claimed = Workspace::claim(&options);
            assert!(claimed.is_ok() || !restart, "{claimed:?}");
            drop(claimed);
            let _ = fs::remove_dir_all(&out);
        }
    }
    assert!(beside.join("mine").exists());
}
