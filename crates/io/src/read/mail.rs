//! What is in a mail: subject, body and where it is from. In come the bytes of one message, out come its fields.
//!
//! The parts of a mail are found and decoded by `mail-parser`. Of alternatives the plain one is read, unless it is empty;
//! HTML becomes text as that of web pages does. Mail that was forwarded as an attachment is part of the body, other
//! attachments are not, but a field of their own says which there are. Nothing is an error: what is broken is read as far as
//! it can be, and bytes that are no text in the charset they claim are decoded as what they look like.

mod transfer;

use std::borrow::Cow;

use mail_parser::decoders::base64::base64_decode;
use mail_parser::decoders::quoted_printable::quoted_printable_decode;
use mail_parser::{
    Address, Encoding, HeaderName, Message, MessageParser, MessagePart, MimeHeaders, PartType,
};

use super::html::{self, PageOptions};
use super::web::{self, optional};
use super::{Opening, places};
use lookalike_kernel::CodeBlocks;
use lookalike_kernel::record::{Value, Wanted};
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_128;

/// The fields of a mail. The text is the subject and the body.
pub(super) const FIELDS: [&str; 8] = [
    "subject",
    "body",
    "text",
    "from",
    "to",
    "date",
    "message-id",
    ATTACHMENTS,
];

/// The field that says which attachments a mail has: a line for each, with its name, its size and a hash of its content.
pub(crate) const ATTACHMENTS: &str = "attachments";

/// What stands where bytes were no text.
const REPLACED: char = char::REPLACEMENT_CHARACTER;

/// How deep mail within mail is read.
const MOST_NESTED: usize = 8;

/// Reads mails for one source.
pub(super) struct Mails {
    wanted: Arc<Wanted>,
    /// Of each wanted field, the place in [`FIELDS`].
    places: Vec<Option<usize>>,
    code: CodeBlocks,
}

impl Mails {
    pub(super) fn new(opening: &Opening<'_>) -> Self {
        Mails {
            wanted: Arc::clone(opening.wanted),
            places: places(opening, &FIELDS),
            code: opening.options.code,
        }
    }

    /// Tells the wanted fields of a message.
    pub(super) fn read(
        &self,
        bytes: &[u8],
        tell: &mut dyn FnMut(&[Value<'_>]),
    ) -> Result<(), String> {
        let mail = Mail::read(bytes, self.code);
        let fields = [
            Value::Text(&mail.subject),
            Value::Text(&mail.body),
            Value::Text(&mail.text),
            optional(mail.from.as_deref()),
            optional(mail.to.as_deref()),
            optional(mail.date.as_deref()),
            optional(mail.message_id.as_deref()),
            optional(mail.attachments.as_deref()),
        ];
        tell(&web::choose(
            &self.wanted,
            &self.places,
            &fields,
            &FIELDS[..3],
        )?);
        Ok(())
    }

    pub(super) fn fields() -> Vec<String> {
        FIELDS.map(str::to_owned).to_vec()
    }
}

/// What is read of a mail.
#[derive(Debug, Default, PartialEq, Eq)]
struct Mail {
    subject: String,
    body: String,
    /// Both.
    text: String,
    from: Option<String>,
    to: Option<String>,
    date: Option<String>,
    message_id: Option<String>,
    attachments: Option<String>,
}

impl Mail {
    fn read(bytes: &[u8], code: CodeBlocks) -> Mail {
        let bytes = without_envelope(bytes);
        let mail = Mail::parse(bytes, code);
        if !mail.body.is_empty() {
            return mail;
        }
        // Of a mail that was cut short, the part in which it ends is none to the parser.
        let mail = closed(bytes).map_or(mail, |closed| Mail::parse(&closed, code));
        let undecoded = match (mail == Mail::default(), without_parts(bytes)) {
            // Without a header all of it is the body.
            (true, _) => bytes,
            (false, Some(body)) if mail.body.is_empty() => body,
            _ => return mail,
        };
        let body = html::decode_plain(undecoded, None).trim().to_owned();
        Mail {
            text: joined(&mail.subject, &body),
            body,
            ..mail
        }
    }

    fn parse(bytes: &[u8], code: CodeBlocks) -> Mail {
        let Some(message) = MessageParser::default().parse(bytes) else {
            return Mail::default();
        };
        let mut bodies = Bodies {
            code,
            text: String::new(),
        };
        bodies.add(&message, MOST_NESTED);
        let mut attached = Vec::new();
        list_attachments(&message, MOST_NESTED, &mut attached);
        // In another order they are the same.
        attached.sort();
        let (subject, body) = (subject(&message), bodies.text);
        let text = joined(&subject, &body);
        Mail {
            from: message.from().map(addresses),
            to: message.to().map(addresses),
            date: message.date().map(mail_parser::DateTime::to_rfc3339),
            message_id: message.message_id().map(str::to_owned),
            attachments: (!attached.is_empty()).then(|| attached.join("\n")),
            subject,
            body,
            text,
        }
    }
}

/// A mail of parts with the end of its last part, where that is missing.
fn closed(bytes: &[u8]) -> Option<Vec<u8>> {
    let message = MessageParser::default().parse_headers(bytes)?;
    let boundary = message.content_type()?.attribute("boundary")?;
    let end = format!("--{boundary}--");
    let is_missing = memchr::memmem::find(bytes, end.as_bytes()).is_none();
    is_missing.then(|| [bytes, b"\r\n", end.as_bytes(), b"\r\n"].concat())
}

/// What follows the header of a mail that says that it has parts, and has none.
fn without_parts(bytes: &[u8]) -> Option<&[u8]> {
    let message = MessageParser::default().parse_headers(bytes)?;
    let boundary = message.content_type()?.attribute("boundary")?;
    let after = |blank: &[u8]| Some(memchr::memmem::find(bytes, blank)? + blank.len());
    let begins = [after(b"\n\n"), after(b"\r\n\r\n")];
    let body = &bytes[begins.into_iter().flatten().min()?..];
    let begin = format!("--{boundary}");
    memchr::memmem::find(body, begin.as_bytes())
        .is_none()
        .then_some(body)
}

fn joined(subject: &str, body: &str) -> String {
    match (subject.is_empty(), body.is_empty()) {
        (false, false) => format!("{subject}\n{body}"),
        (false, true) => subject.to_owned(),
        _ => body.to_owned(),
    }
}

/// The message without what a mailbox puts before it: the line of its envelope, blank lines, a byte order mark.
fn without_envelope(bytes: &[u8]) -> &[u8] {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut rest = bytes.trim_ascii_start();
    while rest.starts_with(b"From ") || rest.starts_with(b">From ") {
        let end = memchr::memchr(b'\n', rest).map_or(rest.len(), |at| at + 1);
        rest = &rest[end..];
    }
    rest
}

/// The subject on one line.
fn subject(message: &Message<'_>) -> String {
    let given = message.subject().unwrap_or_default();
    let raw = || {
        let mut headers = message.headers().iter().rev();
        let header = headers.find(|header| header.name == HeaderName::Subject)?;
        let range = header.offset_start as usize..header.offset_end as usize;
        let raw = message.raw_message.get(range)?;
        (memchr::memmem::find(raw, b"=?").is_none()).then(|| html::decode_plain(raw, None))
    };
    let repaired = given.contains(REPLACED).then(raw).flatten();
    let read = repaired.unwrap_or(Cow::Borrowed(given));
    read.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The texts of a message, one after the other.
struct Bodies {
    code: CodeBlocks,
    text: String,
}

impl Bodies {
    fn add(&mut self, message: &Message<'_>, depth: usize) {
        let before = self.text.len();
        for part in message.text_bodies() {
            self.add_part(message, part);
        }
        if self.text.len() == before {
            for part in message.html_bodies() {
                self.add_part(message, part);
            }
        }
        for part in message.attachments().filter(|part| is_misread_text(part)) {
            // Of alternatives, another may have been read.
            if self.text.len() == before || !is_alternative(message, part) {
                self.add_part(message, part);
            }
        }
        if depth == 0 {
            return;
        }
        for part in message.attachments() {
            if let PartType::Message(nested) = &part.body {
                self.add_text(&subject(nested));
                self.add(nested, depth - 1);
            }
        }
    }

    fn add_part(&mut self, message: &Message<'_>, part: &MessagePart<'_>) {
        match &part.body {
            PartType::Text(text) => {
                let text = repaired(message, part, text);
                let is_html = says_html(&text) || part.is_content_type("text", "html");
                match is_html {
                    true => self.add_html(&text),
                    false => self.add_text(&text),
                }
            }
            PartType::Html(text) => self.add_html(&repaired(message, part, text)),
            _ => {}
        }
    }

    fn add_html(&mut self, text: &str) {
        let options = PageOptions {
            code: self.code,
            main_content: false,
        };
        self.add_text(&html::page(text, options).text);
    }

    fn add_text(&mut self, text: &str) {
        let text = text.trim();
        if text.is_empty() {
            return;
        }
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        self.text.push_str(text);
    }
}

/// Adds a line for each attachment that is not read as text, also of the mails within.
fn list_attachments(message: &Message<'_>, depth: usize, lines: &mut Vec<String>) {
    for part in message.attachments() {
        match &part.body {
            PartType::Message(nested) if depth > 0 => list_attachments(nested, depth - 1, lines),
            _ if is_signature(part) || is_misread_text(part) => {}
            _ => lines.push(attachment(part)),
        }
    }
}

/// Whether a part is a text to read that the parser takes for an attachment: one whose encoding is flawed, or whose type goes on
/// without a semicolon.
fn is_misread_text(part: &MessagePart<'_>) -> bool {
    let Some(kind) = part.content_type() else {
        return false;
    };
    let subtype = kind.subtype().unwrap_or_default().to_ascii_lowercase();
    let (name, rest) = match subtype.find(|c: char| c.is_ascii_whitespace()) {
        Some(end) => subtype.split_at(end),
        None => (subtype.as_str(), ""),
    };
    let is_attached = part.attachment_name().is_some()
        || (part.content_disposition()).is_some_and(mail_parser::ContentType::is_attachment);
    kind.ctype().eq_ignore_ascii_case("text")
        && matches!(name, "plain" | "html")
        && (part.is_encoding_problem || !rest.is_empty())
        && matches!(part.body, PartType::Text(_))
        && !is_attached
}

/// Whether a part is one of several that say the same.
fn is_alternative(message: &Message<'_>, part: &MessagePart<'_>) -> bool {
    message.parts.iter().any(|above| {
        let PartType::Multipart(parts) = &above.body else {
            return false;
        };
        let mut parts = parts
            .iter()
            .filter_map(|&id| message.parts.get(id as usize));
        above.is_content_type("multipart", "alternative")
            && parts.any(|other| std::ptr::eq(other, part))
    })
}

/// Whether a part signs the others: of one text sent twice, the signatures differ.
fn is_signature(part: &MessagePart<'_>) -> bool {
    let kinds = ["pgp-signature", "pkcs7-signature", "x-pkcs7-signature"];
    let mut kinds = kinds.iter();
    kinds.any(|kind| part.is_content_type("application", kind))
}

/// `invoice.pdf (48213 bytes, c9a1…)`; what has no name goes by its type.
fn attachment(part: &MessagePart<'_>) -> String {
    let kind = || {
        let kind = part.content_type()?;
        let rest = kind.c_subtype.as_ref()?;
        Some(format!("{}/{rest}", kind.c_type).to_ascii_lowercase())
    };
    let name = part.attachment_name().map(str::to_owned).or_else(kind);
    let name = name.unwrap_or_else(|| "unnamed".to_owned());
    let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
    let content = part.contents();
    let hash = xxh3_128(content);
    format!("{name} ({} bytes, {hash:032x})", content.len())
}

/// The text of a part. It is decoded again where its encoding is flawed, or its bytes are no text in the charset that it claims,
/// or it claims none: then in the one that they look like.
fn repaired<'t>(message: &Message<'_>, part: &MessagePart<'_>, text: &'t str) -> Cow<'t, str> {
    let kind = part.content_type();
    let claimed = kind.and_then(|kind| kind.attribute("charset"));
    // Whoever claims ASCII and has other bytes did not say what these are.
    let claimed = claimed.filter(|charset| !charset.to_ascii_lowercase().ends_with("ascii"));
    let range = part.offset_body as usize..part.offset_end as usize;
    let Some(raw) = message.raw_message.get(range) else {
        return Cow::Borrowed(text);
    };
    // What the parser could not decode, it says is not encoded.
    let stated = part.content_transfer_encoding().unwrap_or_default();
    let is_stated = |encoding| stated.eq_ignore_ascii_case(encoding);
    let flawed = match () {
        () if is_stated("quoted-printable") => transfer::flawed_quoted_printable(raw),
        () if is_stated("base64") => transfer::flawed_base64(raw),
        () => None,
    };
    if let Some(meant) = flawed {
        return Cow::Owned(html::decode_plain(&meant, claimed).into_owned());
    }
    if text.is_ascii() || (claimed.is_some() && !text.contains(REPLACED)) {
        return Cow::Borrowed(text);
    }
    let decoded = match part.encoding {
        Encoding::None => Some(raw.to_vec()),
        Encoding::QuotedPrintable => quoted_printable_decode(raw),
        Encoding::Base64 => base64_decode(raw),
    };
    let Some(decoded) = decoded else {
        return Cow::Borrowed(text);
    };
    let guessed = html::decode_plain(&decoded, claimed);
    let replaced = |text: &str| text.chars().filter(|&c| c == REPLACED).count();
    match replaced(&guessed) <= replaced(text) {
        true => Cow::Owned(guessed.into_owned()),
        false => Cow::Borrowed(text),
    }
}

/// Whether what claims to be plain text is a page.
fn says_html(text: &str) -> bool {
    let start = text.trim_start().as_bytes();
    let begins = |with: &[u8]| {
        start
            .get(..with.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(with))
    };
    begins(b"<html") || begins(b"<!doctype html") || begins(b"<body") || begins(b"<head")
}

/// `Name <name@host>` of each.
fn addresses(address: &Address<'_>) -> String {
    let shown = |address: &mail_parser::Addr<'_>| match (address.name(), address.address()) {
        (Some(name), Some(address)) => format!("{name} <{address}>"),
        (name, address) => name.or(address).unwrap_or_default().to_owned(),
    };
    address.iter().map(shown).collect::<Vec<_>>().join(", ")
}

/// Whether these are the first bytes of a mail: nothing but header lines up to a blank one or the end, and among them three
/// that mails have, one of which nothing but mail has.
pub(super) fn begins_mail(first: &[u8]) -> bool {
    const OF_MAIL_ALONE: usize = 11;
    const OF_MAIL: [&[u8]; 18] = [
        b"received",
        b"return-path",
        b"delivered-to",
        b"message-id",
        b"mime-version",
        b"content-transfer-encoding",
        b"dkim-signature",
        b"authentication-results",
        b"in-reply-to",
        b"x-mailer",
        b"reply-to",
        b"from",
        b"to",
        b"cc",
        b"subject",
        b"date",
        b"content-type",
        b"references",
    ];
    let (mut found, mut has_address) = ([false; OF_MAIL.len()], false);
    let mut lines = first.split(|&byte| byte == b'\n').peekable();
    let mut is_first = true;
    while let Some(line) = lines.next() {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        // The last line may be cut.
        if line.is_empty() || lines.peek().is_none() {
            break;
        }
        let is_folded = matches!(line.first(), Some(b' ' | b'\t')) && !is_first;
        is_first = false;
        if is_folded {
            continue;
        }
        let Some(colon) = memchr::memchr(b':', line) else {
            return false;
        };
        let name = &line[..colon];
        if name.is_empty() || !name.iter().all(u8::is_ascii_graphic) {
            return false;
        }
        for (known, found) in OF_MAIL.iter().zip(&mut found) {
            *found |= name.eq_ignore_ascii_case(known);
        }
        has_address |= name.eq_ignore_ascii_case(b"from") && line.contains(&b'@');
    }
    let is_of_mail = found[..OF_MAIL_ALONE].iter().any(|found| *found);
    // An address says as much: notes and letters have people's names there.
    let is_sent = has_address && found.iter().filter(|found| **found).count() >= 3;
    is_sent || is_of_mail && found.iter().filter(|found| **found).count() >= 3
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mail(text: &[u8]) -> Mail {
        Mail::read(text, CodeBlocks::default())
    }

    #[test]
    fn of_alternatives_the_plain_one_is_read_unless_it_is_empty() {
        let alternatives = |plain: &str| {
            let text = format!(
                "Subject: =?utf-8?B?5L2g5aW9?=\r\nMIME-Version: 1.0\r\nContent-Type: multipart/alternative; boundary=x\r\n\r\n\
                 --x\r\nContent-Type: text/plain\r\n\r\n{plain}\r\n--x\r\nContent-Type: text/html; charset=utf-8\r\n\
                 Content-Transfer-Encoding: quoted-printable\r\n\r\n<p>caf=C3=A9 &amp; <b>tea</b></p>\r\n--x--\r\n"
            );
            mail(text.as_bytes())
        };
        let read = alternatives("tea only");
        assert_eq!(read.subject, "你好");
        assert_eq!(
            (read.body.as_str(), read.text.as_str()),
            ("tea only", "你好\ntea only")
        );
        assert_eq!(alternatives("  ").body, "café & tea");
    }

    #[test]
    fn bytes_in_no_charset_are_read_as_what_they_look_like() {
        let (gbk, _, _) =
            encoding_rs::GBK.encode("优惠活动今天开始，欢迎新老客户前来选购，地址在人民路。");
        for kind in ["", "Content-Type: text/plain; charset=us-ascii\r\n"] {
            let head = format!("From: a@example.org\r\nSubject: s\r\n{kind}\r\n");
            let read = mail(&[head.as_bytes(), &gbk].concat());
            assert!(read.body.starts_with("优惠活动"), "{}", read.body);
        }
    }

    #[test]
    fn broken_mail_is_read_as_far_as_possible() {
        assert_eq!(mail(b""), Mail::default());
        let cut = b"Subject: a\r\nContent-Type: multipart/mixed; boundary=y\r\n\r\n--y\r\nContent-Type: text/plain\r\n\r\nhalf a te";
        assert_eq!(mail(cut).text, "a\nhalf a te");
        let base64 = b"Subject: a\nContent-Transfer-Encoding: base64\n\naGVsbG8gd29ybGQ=!!\nnot base64 at all";
        assert!(!mail(base64).text.is_empty());
        assert!(mail(b"no header at all").text.contains("no header"));
        let without =
            b"Subject: a\nContent-Type: multipart/mixed; boundary=y\n\nparts that begin nowhere\n";
        assert_eq!(mail(without).text, "a\nparts that begin nowhere");
    }

    #[test]
    fn flaws_of_an_encoding_cost_no_text() {
        let head = "From: a@example.org\nSubject: s\nMIME-Version: 1.0\n";
        let base64 = "Content-Transfer-Encoding: base64\n";
        let quoted = "Content-Transfer-Encoding: quoted-printable\n";
        let footer = "\n______\nKerzen mailing list\n";
        for (kind, encoding, body, meant) in [
            (
                "text/plain; charset=utf-8",
                base64,
                format!("RmluZSBjYW5kbGVzLg=={footer}"),
                "Fine candles.\n______\nKerzen mailing list",
            ),
            (
                "text/html; charset=utf-8",
                base64,
                format!("PHA+RmluZSBjYW5kbGVzLjwvcD4={footer}"),
                "Fine candles.\n______ Kerzen mailing list",
            ),
            (
                "text/html; charset=utf-8",
                quoted,
                "<p>Caf=C3=A9</p><a href=3D\"x?v==\n3D5\">here</a>".to_owned(),
                "Café\nhere",
            ),
            (
                "text/plain; charset=utf-8",
                quoted,
                "Caf=C3=A9, version==\n3D5".to_owned(),
                "Café, version=3D5",
            ),
            (
                "TEXT/PLAIN charset=US-ASCII",
                "",
                "plain words".to_owned(),
                "plain words",
            ),
            (
                "text/plain; charset=iso-8859-1",
                quoted,
                "id=9\nend, size=4\nbananas".to_owned(),
                "id=9\nend, size=4\nbananas",
            ),
        ] {
            let read = mail(format!("{head}Content-Type: {kind}\n{encoding}\n{body}\n").as_bytes());
            assert_eq!(read.body, meant, "{kind} {encoding} {body}");
            assert_eq!(read.attachments, None, "{kind} {encoding} {body}");
            // The same within parts, beside another text.
            let inner = format!("--x\nContent-Type: {kind}\n{encoding}\n{body}\n");
            let parts = |of: &str, inner: &str| {
                let whole = format!(
                    "{head}Content-Type: multipart/{of}; boundary=x\n\n--x\nContent-Type: text/plain\n\nfirst\n{inner}--x--\n"
                );
                mail(whole.as_bytes())
            };
            let mixed = parts("mixed", &inner);
            let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
            assert_eq!(
                words(&mixed.body),
                words(&format!("first {meant}")),
                "{kind} {encoding} {body}"
            );
            assert_eq!(mixed.attachments, None, "{kind} {encoding} {body}");
            assert!(parts("alternative", &inner).body.starts_with("first"));
        }
        let bytes = [
            head.as_bytes(),
            quoted.as_bytes(),
            b"\nS\xe3o onze servi\xe7os.\n\nhttp://x.example/z?c=8\n\nPARQUE\n",
        ]
        .concat();
        assert_eq!(
            mail(&bytes).body,
            "São onze serviços.\n\nhttp://x.example/z?c=8\n\nPARQUE"
        );
    }

    #[test]
    fn forwarded_mail_is_part_of_the_body_and_the_envelope_is_not() {
        let text = b"From someone Mon Jan  1 00:00:00 2001\nSubject: fwd\nContent-Type: multipart/mixed; boundary=x\n\n\
            --x\nContent-Type: text/plain\n\nlook\n--x\nContent-Type: message/rfc822\n\nSubject: inner\n\nhidden offer\n--x--\n";
        assert_eq!(mail(text).text, "fwd\nlook\ninner\nhidden offer");
    }

    #[test]
    fn attachments_are_told_by_name_size_and_content() {
        let with = |parts: &str| {
            let text = format!(
                "Subject: the bill\nContent-Type: multipart/mixed; boundary=x\n\n--x\nContent-Type: text/plain\n\nsee below\n{parts}--x--\n"
            );
            mail(text.as_bytes())
        };
        let pdf = |content: &str| {
            format!(
                "--x\nContent-Type: application/pdf; name=\"bill 文.pdf\"\nContent-Disposition: attachment\n\n{content}\n"
            )
        };
        let [none, one, other] = [with(""), with(&pdf("one")), with(&pdf("two"))];
        assert_eq!(none.attachments, None);
        let told = one.attachments.as_deref().unwrap();
        assert!(told.starts_with("bill 文.pdf (3 bytes, "), "{told}");
        assert_eq!(one, with(&pdf("one")));
        assert_ne!(one.attachments, other.attachments);
        assert_eq!([&none.text, &one.text], [&other.text; 2]);
        let image = "--x\nContent-Type: IMAGE/png\n\n...\n";
        let both = with(&(pdf("one") + image));
        assert!(
            both.attachments
                .as_deref()
                .unwrap()
                .contains("\nimage/png (3 bytes, ")
        );
        assert_eq!(
            both.attachments,
            with(&(image.to_owned() + &pdf("one"))).attachments
        );
        let signature = "--x\nContent-Type: application/pgp-signature; name=a.asc\n\nwsB\n";
        assert_eq!(with(signature).attachments, None);
        let forwarded = format!(
            "--x\nContent-Type: message/rfc822\n\nSubject: inner\nContent-Type: multipart/mixed; boundary=y\n\n{}--y--\n",
            pdf("one").replace("--x", "--y")
        );
        assert_eq!(with(&forwarded).attachments, one.attachments);
    }

    #[test]
    fn a_mail_without_a_name_is_known_by_its_header() {
        assert!(begins_mail(
            b"Return-Path: <a@b>\nFrom: a\n b\nSubject: x\n\ntext"
        ));
        assert!(begins_mail(
            b"From: a@x\nSubject: hello\nContent-Type: text/plain\nContent-Transfer-Encoding: base64\n\naGk="
        ));
        assert!(begins_mail(
            b"Subject: hello\nDate: Tue, 17 Nov 2026 10:00:00 +0000\nFrom: Anna <a@x>\n\nhi"
        ));
        assert!(begins_mail(
            b"DKIM-Signature: v=1; a=rsa\n\tb=x\nFrom: a\nSubject: x\n\ntext"
        ));
        assert!(!begins_mail(b"Subject: to do\nfrom: me\n\n"));
        assert!(!begins_mail(
            b"To: all\nFrom: Anna\nDate: Monday\nSubject: lunch\n\n"
        ));
        assert!(!begins_mail(b"Dear all,\nReceived: yes\n"));
        assert!(!begins_mail(b""));
    }
}
