//! Tests that every record can be written and parsed unchanged.

use overmate_rules::{
    Match, Note, NoteText, Player, Record, RuleSet, SeededDeals, error_with_causes,
};

use crate::chance::{Chance, catalogue, rules};

/// Header and comment texts that need escapes, or look like other parts of a record.
const ODD: &[&str] = &[
    "{",
    "}",
    "\\",
    "\"",
    "\\n",
    "\n",
    "\r",
    "\r\n",
    "\t",
    " ",
    "#",
    "$1",
    "*",
    "[",
    "]",
    "♣",
    "é",
    "\u{1f0a1}",
    "\u{feff}",
    "\0",
    "Game 2: B leads",
    "1-0",
    "A resigns",
    "Ac",
    "e\u{301}",
];

fn odd_text(chance: &mut Chance) -> String {
    (0..chance.below(6)).map(|_| chance.of(ODD)).collect()
}

/// Returns the record of a match with random headers and notes.
pub(crate) fn record(chance: &mut Chance, contest: Match) -> Record {
    let mut record = Record::new(contest);
    for key in ["A", "B", "Event", "Date", "x1"] {
        if chance.one_in(2) {
            let value = if key == "Date" { "2026-11-20".to_owned() } else { odd_text(chance) };
            record.set_header(key, &value).unwrap();
        }
    }
    for _ in 0..chance.below(8) {
        let game = chance.below(record.played_match().games().len());
        let after = chance.below(record.played_match().games()[game].actions().len() + 1);
        let text = if chance.one_in(2) {
            NoteText::Comment(odd_text(chance))
        } else {
            NoteText::Annotation(u8::try_from(chance.below(256)).unwrap())
        };
        record.add_note(Note { game, after, text }).unwrap();
    }
    record
}

#[test]
fn records_of_all_rule_sets_are_read_back_equal() {
    let mut chance = Chance(51);
    let (mut records, mut notes, mut over, mut resigned) = (0, 0, 0, 0);
    for rules in catalogue() {
        for _ in 0..8 {
            let contest = chance.new_match(&rules);
            let record = record(&mut chance, contest);
            let text = record.to_string();
            let again = Record::read(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
            assert_eq!(again, record, "{text}");
            assert_eq!(again.to_string(), text);
            // Windows line ends and a byte order mark do not change the parsed record.
            if !record
                .notes()
                .iter()
                .any(|note| matches!(&note.text, NoteText::Comment(text) if text.contains('\n')))
            {
                let windows = format!("\u{feff}{}", text.replace('\n', "\r\n"));
                assert_eq!(Record::read(&windows).as_ref(), Ok(&record), "{windows}");
            }
            assert_eq!(Record::read(text.trim_end()).as_ref(), Ok(&record), "{text}");
            records += 1;
            notes += record.notes().len();
            over += usize::from(record.played_match().result().is_some());
            resigned +=
                usize::from(record.played_match().result().is_some_and(|r| r.resigned.is_some()));
        }
    }
    assert_eq!(records, catalogue().len() * 8);
    assert!(notes > 3000 && over > 400 && resigned > 80, "{notes}, {over}, {resigned}");
}

#[test]
fn the_record_of_the_longest_match_is_read_back() {
    let rounds = usize::from(Match::MAX_GAMES.div_ceil(2));
    let deals = vec![Chance(1).deal(&rules("bga")); rounds];
    let record = Record::new(Match::with_deals(Match::MAX_GAMES, deals).unwrap());
    assert_eq!(Record::read(&record.to_string()).unwrap(), record);
}

#[test]
fn a_record_contains_its_custom_rule_set() {
    let mut chance = Chance(52);
    let mut records = 0;
    for rules in catalogue().into_iter().step_by(5) {
        let mut draft = rules.draft();
        // In a record, a custom rule set may have the name of a published rule set.
        if chance.one_in(2) {
            draft.name = format!("odd \"{}\" \\ ♣ [x]", rules.name());
        }
        draft.rounds = 1 + u8::try_from(chance.below(100)).unwrap();
        draft.ranks[0].value = 999;
        draft.suits[1].name = "\"quoted\\\"".to_owned();
        let custom = RuleSet::new(draft).unwrap().shared();
        let contest = Match::new(&custom, &mut SeededDeals::new(chance.number()));
        let record = record(&mut chance, contest);
        let text = record.to_string();
        assert!(text.contains("[RuleSet \""), "{text}");
        assert_eq!(Record::read(&text).as_ref(), Ok(&record), "{text}");
        records += 1;
    }
    assert_eq!(records, catalogue().len().div_ceil(5));
}

#[test]
fn the_text_of_a_record_never_changes() {
    let actions = "(Qh) - Th Ah As Ks 7s Ts Qd 7d Kc Tc 7c Qc Td Kd 7h Kh Ad Ac Ac";
    let game = crate::chance::played("sackson", 60_417, actions);
    let mut contest = Match::with_deals(2, vec![game.dealt().clone()]).unwrap();
    for &action in game.actions() {
        contest = contest.play(action).unwrap();
    }
    let contest = contest.play(overmate_rules::Action::Decline).unwrap();
    let mut record = Record::new(contest.resign(Player::B).unwrap());
    record.set_header("A", "Ann \"the \\ reader\"").unwrap();
    record.set_header("Date", "2026-11-20").unwrap();
    let comment = |text: &str| NoteText::Comment(text.to_owned());
    let notes = [
        (0, 2, comment("before the first lead")),
        (0, 21, NoteText::Annotation(3)),
        (0, 21, comment("a brace } and\na line")),
        (1, 0, NoteText::Annotation(1)),
    ];
    for (game, after, text) in notes {
        record.add_note(Note { game, after, text }).unwrap();
    }
    let text = r#"[Rules "sackson"]
[A "Ann \"the \\ reader\""]
[Date "2026-11-20"]
[Games "2"]
[Deals "60417"]
[Result "242-0"]

Game 1: A leads
(Qh) - {before the first lead} 1. Th Ah 2. As Ks 3. 7s Ts 4. Qd 7d 5. Kc Tc
6. 7c Qc 7. Td Kd 8. 7h Kh 9. Ad Ac 10. Ac## $3 {a brace \} and
a line}

Game 2: B leads
$1 - B resigns 242-0
"#;
    assert_eq!(record.to_string(), text);
    assert_eq!(Record::read(text).as_ref(), Ok(&record));
    assert_eq!(
        (record.player_name(Player::A), record.player_name(Player::B)),
        ("Ann \"the \\ reader\"", "B")
    );
    assert_eq!(record.header("Date"), Some("2026-11-20"));
    assert_eq!(record.header("Rules"), None, "the header `Rules` is derived from the match");
    assert_eq!(record.result_text(), "242-0");
}

#[test]
fn optional_parts_of_a_record_may_be_missing() {
    // A record may lack move numbers, marks of mates, line ends, and the headers `Games` and `Result`. Tens may be written `10`.
    let short = "[Rules \"sackson\"][Games\"1\"][Deals \"48638\"]Game 1: A leads - - qh 3-0";
    let full = Record::read(short).unwrap().to_string();
    assert!(full.contains("- - 1. Qh# 3-0"), "{full}");
    let spellings = ["-\n-\n1.Q♥#\n3-0", "- - 1.   QH#{so}3-0", "{a}-{b}-{c}1. Qh#$7 3-0"];
    for body in spellings {
        let text = format!(
            "[Rules \"sackson\"]\n[Games \"1\"]\n[Deals \"48638\"]\nGame 1:\nA leads\n{body}"
        );
        let read = Record::read(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!(read.played_match(), Record::read(short).unwrap().played_match());
    }
    let four = "[Rules \"bga\"] [Deals \"44511 7\"] Game 1: A leads Qs Game 2: B leads Qs *";
    let Err(error) = Record::read(four) else { panic!("game 3 is missing") };
    assert!(error.fault.to_string().contains("expected `Game 3: B leads`, found `*`"), "{error}");
    let four = format!("{} Game 3: B leads *", four.trim_end_matches(" *"));
    assert_eq!(
        Record::read(&four).unwrap().played_match().length(),
        4,
        "the record has four games without a header for the length"
    );
}

#[test]
fn headers_and_notes_that_no_record_can_hold_are_refused() {
    let bga = rules("bga");
    let mut record = Record::new(Match::new(&bga, &mut SeededDeals::new(1)));
    let before = record.clone();
    let keys = ["", "1a", "a b", "a-b", "é", "Rules", "RuleSet", "Games", "Deals", "Result"];
    for key in keys {
        assert!(record.set_header(key, "x").is_err(), "{key}");
    }
    let dates = [
        "",
        "2026-1-20",
        "2026-13-01",
        "2026-00-10",
        "2026-10-32",
        "+026-10-10",
        "2026-10-10-",
        "20261010",
    ];
    for date in dates {
        assert!(record.set_header("Date", date).is_err(), "{date}");
    }
    for (game, after) in [(0, 1), (1, 0), (usize::MAX, 0), (0, usize::MAX)] {
        let refused = record.add_note(Note { game, after, text: NoteText::Annotation(1) });
        assert!(refused.unwrap_err().to_string().contains("no such place"));
    }
    assert_eq!(record, before);
    record.set_header("A", "x").unwrap();
    record.set_header("A", "y").unwrap();
    assert_eq!(record.headers(), [("A".to_owned(), "y".to_owned())]);
    record.set_header("A", "two\r\nlines").unwrap();
    assert!(record.to_string().contains("[A \"two\\r\\nlines\"]\n"), "a header is one line");
}

#[test]
fn notes_stay_in_order_and_are_removed_with_their_actions() {
    let mut chance = Chance(53);
    let mut dropped = 0;
    for rules in catalogue() {
        let contest = chance.new_match(&rules);
        let mut full = record(&mut chance, contest);
        let last = full.played_match().games().len() - 1;
        full.add_note(Note { game: last, after: 0, text: NoteText::Annotation(9) }).unwrap();
        assert!(full.notes().is_sorted_by_key(|note| (note.game, note.after)));
        let back = full.played_match().after(last, 0).unwrap();
        let shorter = full.clone().with_match(back);
        let kept = full.notes().iter().filter(|note| (note.game, note.after) <= (last, 0));
        assert_eq!(shorter.notes(), kept.cloned().collect::<Vec<_>>());
        assert_eq!(shorter.headers(), full.headers());
        assert_eq!(Record::read(&shorter.to_string()).as_ref(), Ok(&shorter));
        dropped += full.notes().len() - shorter.notes().len();
    }
    assert!(dropped > 50, "{dropped}");
}

#[test]
fn one_text_can_hold_several_records() {
    let mut chance = Chance(54);
    let mut all = Vec::new();
    for rules in catalogue().into_iter().step_by(3) {
        let contest = chance.new_match(&rules);
        all.push(record(&mut chance, contest));
    }
    assert_eq!(all.len(), catalogue().len().div_ceil(3));
    let texts: Vec<String> = all.iter().map(ToString::to_string).collect();
    for between in ["", "\n", "\n\n \t\r\n"] {
        let text = texts.join(between);
        assert_eq!(Record::read_all(&text).as_ref(), Ok(&all));
        assert!(error_with_causes(&Record::read(&text).unwrap_err()).contains("expected the end"));
    }
    assert_eq!(Record::read_all(&texts[0]).as_deref(), Ok(&all[..1]));
    assert!(Record::read_all("").is_err());
    // The place of a fault is counted from the start of the whole text, and not from the start of the faulty record.
    let faulty = format!("{}\n[Rules \"chess\"]\n", texts[0]);
    let fault = Record::read_all(&faulty).unwrap_err();
    assert_eq!(fault.place.line, texts[0].matches('\n').count() + 2);
    let cut = texts[..2].concat();
    assert!(Record::read_all(&cut[..cut.trim_end().len() - 1]).is_err());
}

#[test]
fn a_record_of_rael_marks_an_overmate_and_the_older_mark_of_a_mate_is_read_too() {
    let text = |mark: &str| {
        format!(
            "[Rules \"rael\"]\n[Games \"1\"]\n[Deals \"125810\"]\n\nGame 1: A leads\n\
             (Kb) - 1. Kg Ng 2. Qg Bg 3. Ry Ny 4. Rg{mark} 56-0\n"
        )
    };
    let record = Record::read(&text("##")).unwrap();
    assert!(record.to_string().contains("4. Rg## 56-0"), "{record}");
    assert_eq!(Record::read(&text("#")).unwrap(), record);
    assert_eq!(Record::read(&text("")).unwrap(), record);
    // Under the rule set `sackson`, every version of the notation marks a mate in the last move as an overmate if only one player has
    // foreplaced a card.
    let sackson = |mark: &str| {
        format!(
            "[Rules \"sackson\"]\n[Games \"1\"]\n[Deals \"60417\"]\n\nGame 1: A leads\n\
             (Qh) - 1. Th Ah 2. As Ks 3. 7s Ts 4. Qd 7d 5. Kc Tc\n\
             6. 7c Qc 7. Td Kd 8. 7h Kh 9. Ad Ac 10. Ac{mark} 242-0\n"
        )
    };
    assert!(Record::read(&sackson("##")).is_ok());
    let fault = error_with_causes(&Record::read(&sackson("#")).unwrap_err());
    assert!(
        fault.ends_with("the mark `#` after the action is wrong (`#` is a mate, `##` an overmate): write `##` instead"),
        "{fault}"
    );
}
