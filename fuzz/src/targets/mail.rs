//! Mails and mailboxes.
use crate::{check, options};

const ENVELOPE: &[u8] = b"From a@example.org Sat Jan  3 01:05:34 1998\n";

pub(crate) fn target(data: &[u8]) {
    let Some((first, content)) = data.split_first() else {
        return;
    };
    let options = options(*first);
    // A bomb is refused.
    let _ = check("mail.eml", content, &options);
    let _ = check("mails.mbox", content, &options);
    let options = options.with(|options| options.max_record = 1 << 20);
    // Whatever is in a mail, the next one is read; and any bytes after an envelope are a mail or several.
    let last = [b"\n\n", ENVELOPE, b"Subject: last\n\ntext\n"].concat();
    let mails = [ENVELOPE, b"Subject: first\n\n", content, &last].concat();
    let outcomes = check("mails.mbox", &mails, &options).expect("mails");
    assert!(outcomes.len() >= 2);
    let (_, text) = outcomes.last().expect("a mail").as_ref().expect("a mail");
    assert_eq!(text, "last\ntext");
}
