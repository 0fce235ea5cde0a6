"""Reuters-21578, Enron and SpamAssassin as records {"id", "label", "text"}: subject or title and body, markup removed."""

import email
import email.header
import gzip
import html
import json
import re

MARKUP = re.compile(r"<!--.*?-->|<(script|style)\b.*?</\1\s*>|<[^>]*>", re.S | re.I)
LOOKS_LIKE_HTML = re.compile(r"<html|<body|<br>|<p>", re.I)


def plain(text):
    return html.unescape(MARKUP.sub(" ", text))


def decoded(content, charset):
    for name in (charset, "utf-8"):
        try:
            return content.decode(name)
        except (LookupError, UnicodeDecodeError):
            pass
    return content.decode("latin-1")


def subject(message):
    given = message.get("Subject") or ""
    try:
        return str(email.header.make_header(email.header.decode_header(given)))
    except (LookupError, UnicodeDecodeError, email.errors.HeaderParseError):
        return str(given)


def text_of(message):
    """Subject and all text parts."""
    found = [subject(message)]
    for part in message.walk():
        if part.is_multipart() or part.get_content_maintype() != "text":
            continue
        text = decoded(part.get_payload(decode=True) or b"", part.get_content_charset() or "latin-1")
        is_html = part.get_content_subtype() == "html" or LOOKS_LIKE_HTML.search(text)
        found.append(plain(text) if is_html else text)
    return "\n".join(found)


def lines(path):
    with gzip.open(path, "rt", encoding="utf-8") as records:
        yield from map(json.loads, records)


def reuters(data):
    for record in lines(data / "documents" / "reuters.jsonl.gz"):
        yield {"id": str(record["id"]), "label": "news", "text": record.get("title", "") + "\n" + record["text"]}


def enron(data):
    for record in lines(data / "mail" / "enron1.jsonl.gz"):
        text = record["subject"] + "\n" + record["text"]
        yield {"id": f"enron/{record['id']}", "label": record["label"], "text": text}


def spamassassin(data):
    for path in sorted((data / "mail" / "spamassassin").glob("*/*.eml")):
        label = "spam" if path.parent.name.startswith("spam") else "ham"
        text = text_of(email.message_from_bytes(path.read_bytes()))
        # Faulty mail may hold half of a surrogate pair, which no file can.
        text = text.encode("utf-8", "replace").decode("utf-8")
        yield {"id": f"{path.parent.name}/{path.name}", "label": label, "text": text}
