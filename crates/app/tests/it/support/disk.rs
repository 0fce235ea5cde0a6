//! Disks that are soon full.

use std::process::Command;

use super::Place;

/// A file system of a few megabytes, where the test may mount one.
pub(crate) struct SmallDisk {
    pub(crate) place: Place,
}

impl SmallDisk {
    pub(crate) fn mount(bytes: u64) -> Option<Self> {
        let place = Place::new();
        std::fs::create_dir(place.path("disk")).unwrap();
        let size = format!("size={bytes}");
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", &size, "none"])
            .arg(place.path("disk"))
            .output();
        mounted
            .is_ok_and(|output| output.status.success())
            .then_some(SmallDisk { place })
    }

    /// Makes room.
    pub(crate) fn grow(&self) {
        let remount = ["-o", "remount,size=1g"];
        let disk = self.place.path("disk");
        let grown = Command::new("mount").args(remount).arg(disk).status();
        assert!(grown.unwrap().success());
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.place.path("disk")).output();
    }
}
