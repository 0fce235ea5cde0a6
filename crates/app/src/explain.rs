//! Why two messages of a corpus are similar, or not.

use std::ops::ControlFlow;
use std::path::Path;

use lookalike_engine::{RecordText, for_each_record};
use lookalike_io::InputOptions;
use lookalike_kernel::rows::Id;
use lookalike_kernel::{Kernel, TwoMessages, WordCounts};

use crate::Error;
use crate::files::{Request, resolve};

/// Weighs the words of the input, and of the corpus that it is compared with, as a run would, and compares two of their
/// messages word by word.
///
/// # Errors
/// If the input cannot be read, has no such messages, or nothing is weighed.
pub fn explain(request: &Request, ids: [&str; 2], work_dir: &Path) -> Result<TwoMessages, Error> {
    let kernel = Kernel::new(&request.spec)?.with_saved_lexicon(|path| std::fs::read(path))?;
    let mut counts = WordCounts::new(&kernel)?;
    let mut texts = [None, None];
    for names in [&request.inputs, &request.against] {
        if names.is_empty() {
            continue;
        }
        let input = resolve(&request.spec, names, InputOptions::default(), work_dir)?;
        for_each_record(&input, &request.spec, &mut |_, name, text| {
            if let RecordText::Whole(text) = text {
                counts.add(text);
                for (wanted, found) in ids.iter().zip(&mut texts) {
                    let is_it =
                        |id: &Id| matches!(id, Id::Text(name) | Id::Number(name) if name == wanted);
                    if found.is_none() && name.as_ref().is_some_and(|name| is_it(&name.id)) {
                        *found = Some(text.to_owned());
                    }
                }
            }
            ControlFlow::Continue(())
        })?;
    }
    let [a, b] = texts;
    let found = |id: &str, text: Option<String>| {
        text.ok_or_else(|| Error::NoText {
            name: id.to_string(),
            problem: "is not the id of any message in the input".to_string(),
        })
    };
    let (a, b) = (found(ids[0], a)?, found(ids[1], b)?);
    Ok(TwoMessages::compare(&counts.weigh(kernel)?, &a, &b)?)
}
