//! A record that is rejected for its id leaves the sentences of others what they are.

use crate::support::Place;

#[test]
fn a_record_without_the_chosen_id_shifts_no_sentence() {
    let place = Place::new();
    let shared = "The ferry leaves the old harbour at nine every morning and comes back at noon. \
                  Tickets are sold on board by the crew and by nobody else, since the office was closed. \
                  Dogs travel free of charge if they stay on the upper deck for all of the crossing.";
    let other =
        "Nobody knows who painted the ceiling of the hall. It was found under a layer of lime.";
    let record = |id: &str, text: &str| format!("{{{id}\"title\": \"t\", \"text\": \"{text}\"}}\n");
    let good =
        record("\"key\": 1, ", &format!("{other} {shared}")) + &record("\"key\": 2, ", shared);
    place.write("good.jsonl", &good);
    place.write(
        "bad.jsonl",
        record("", &format!("{other} {other} One more.")) + &good,
    );
    for job in ["sentences", "passages"] {
        let run = |input: &str, out: &str, code| {
            place
                .run(&format!("{job} {input} --id-field key --quiet --out {out}"))
                .exits(code);
            place.read(&format!("{out}/pairs.jsonl"))
        };
        let expected = run("good.jsonl", "good", 0);
        assert!(!expected.is_empty());
        assert_eq!(run("bad.jsonl", "bad", 3), expected, "{job}");
    }
}
