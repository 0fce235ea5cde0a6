//! Configurations: whatever the bytes, there is a kernel that signs a text, or an error.

use lookalike_kernel::{Kernel, Spec};

pub(crate) fn target(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let Ok(spec) = toml::from_str::<Spec>(text) else {
        return;
    };
    let Ok(resolved) = spec.resolved() else {
        return;
    };
    let printed = toml::to_string(&resolved).expect("settings can be printed");
    let again: Spec = toml::from_str(&printed).expect("what was printed can be read");
    assert_eq!(
        again.resolved().expect("it can be followed again"),
        resolved
    );
    let _ = Kernel::new(&resolved);
}
