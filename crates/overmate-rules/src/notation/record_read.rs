//! Parses records from untrusted text, and reports each error with its place.

use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::collections::BTreeSet;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::str::FromStr;

use crate::cards::{Player, Seat};
use crate::game::{Deal, Dealt, Match, Phase};
use crate::notation::record::{
    DERIVED, IllegalInRecord, Note, NoteText, Record, RecordError, RecordFault, at, mark,
    result_text,
};
use crate::rule_set::{RuleSet, SoleReward};
use crate::text::{Cursor, TextPlace, counted};

/// Parsed header of a record, with the place of the header's value.
struct Header<'a> {
    key: &'a str,
    value: String,
    /// Text cursor at the start of the value of a record's header. Places are computed for errors only, because each
    /// computation scans the text.
    at: Cursor<'a>,
}

impl Header<'_> {
    fn fault(&self, what: RecordFault) -> RecordError {
        fault(self.at.place(), what)
    }

    fn wrong(&self, key: &'static str, found: String, expected: impl Into<String>) -> RecordError {
        self.fault(RecordFault::Header { key, found, expected: expected.into() })
    }

    /// Returns the first 40 characters of a record header's value, in backticks, for an error text.
    fn quoted(&self) -> String {
        // For the reader of an error text, the first forty characters of a long header value are enough to recognise the header.
        let start: String = self.value.chars().take(40).collect();
        alloc::format!("`{}`", start.escape_debug())
    }
}

impl Record {
    /// Parses the record of a match or game, and replays the record's actions.
    ///
    /// Line ends, spaces and move numbers are optional. Every part that is present must be right, such as a move number or the
    /// mark of a mate.
    ///
    /// ```
    /// use overmate_rules::{Player, Record, error_with_causes};
    /// let text = "[Rules \"bga\"] [Games \"1\"] [Deals \"20010\"] Game 1: A leads 1. As Ts 2. Ah *";
    /// let record = Record::read(text)?;
    /// assert_eq!(record.played_match().current().actions().len(), 3);
    /// assert_eq!(record.played_match().to_act(), Some(Player::B));
    ///
    /// let error = Record::read(&text.replace("Ts", "7c")).unwrap_err();
    /// assert_eq!(error.place.column, 65);
    /// assert!(error_with_causes(&error).ends_with("spades were led and you hold spades: answer in spades"));
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the first fault: a syntax error, an unknown rule set or deal, an illegal action, a wrong mark or result, or a truncated
    /// text.
    pub fn read(text: &str) -> Result<Self, RecordError> {
        let mut cursor = Cursor::new(text.strip_prefix('\u{feff}').unwrap_or(text));
        let record = Self::read_next(&mut cursor)?;
        cursor.expect_end("the record")?;
        Ok(record)
    }

    /// Parses a text with one or more consecutive records.
    ///
    /// ```
    /// use overmate_rules::{Match, Record, RuleSet, SeededDeals};
    /// let rules = RuleSet::named("bga")?.shared();
    /// let records = [7, 8].map(|seed| Record::new(Match::new(&rules, &mut SeededDeals::new(seed))));
    /// let text = format!("{}\n{}", records[0], records[1]);
    /// assert_eq!(Record::read_all(&text)?, records);
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the first fault, as [`read`](Self::read) does. The line and column of the fault count from the start of the whole text.
    pub fn read_all(text: &str) -> Result<Vec<Self>, RecordError> {
        let mut cursor = Cursor::new(text.strip_prefix('\u{feff}').unwrap_or(text));
        let mut records = alloc::vec![Self::read_next(&mut cursor)?];
        while !cursor.at_end() {
            records.push(Self::read_next(&mut cursor)?);
        }
        Ok(records)
    }

    /// Parses the next record at the cursor, and skips the following whitespace.
    fn read_next(cursor: &mut Cursor<'_>) -> Result<Self, RecordError> {
        let headers = read_headers(cursor)?;
        let end_of_headers = cursor.clone();
        let find = |key: &str| headers.iter().find(|header| header.key == key);
        let need = |key: &'static str| {
            find(key).ok_or_else(|| fault(end_of_headers.place(), RecordFault::MissingHeader(key)))
        };
        let rules = match (need("Rules")?, find("RuleSet")) {
            (name, Some(own)) => {
                let rules = own_rules(&own.value).map_err(|what| own.fault(what))?;
                if rules.name() != name.value {
                    let expected =
                        alloc::format!("`{}`, the name in the header `RuleSet`", rules.name());
                    return Err(name.wrong("Rules", name.quoted(), expected));
                }
                rules
            }
            (name, None) => {
                RuleSet::named(&name.value).map_err(|error| name.fault(RecordFault::Name(error)))?
            }
        }
        .shared();
        let length = match find("Games") {
            None => rules.rounds() * 2,
            Some(header) => {
                let games = number(&header.value);
                let games = games.filter(|games| (1..=Match::MAX_GAMES).contains(games));
                let expected = || alloc::format!("a number from 1 to {}", Match::MAX_GAMES);
                games.ok_or_else(|| header.wrong("Games", header.quoted(), expected()))?
            }
        };
        let deals = read_deals(&rules, need("Deals")?, length)?;
        let contest =
            Match::with_deals(length, deals).expect("read_deals returns one deal for each round");
        let mut body = GamesReader { cursor: cursor.clone(), contest, notes: Vec::new() };
        body.games()?;
        *cursor = body.cursor;
        let mut others = Vec::new();
        for header in headers.iter().filter(|header| !DERIVED.contains(&header.key)) {
            if Self::check_header(header.key, &header.value).is_err() {
                let expected = "a date in the form 2026-11-20";
                return Err(header.wrong("Date", header.quoted(), expected));
            }
            others.push((header.key.to_owned(), header.value.clone()));
        }
        let record = Self::of_parts(body.contest, others, body.notes);
        if let Some(header) = find("Result")
            && header.value != record.result_text()
        {
            return Err(header.fault(RecordFault::WrongResult {
                found: header.value.clone(),
                expected: record.result_text(),
            }));
        }
        Ok(record)
    }
}

fn fault(place: TextPlace, fault: RecordFault) -> RecordError {
    RecordError { place, fault }
}

/// Parses the TOML text of the custom rule set in a record.
#[cfg(feature = "toml")]
fn own_rules(toml: &str) -> Result<RuleSet, RecordFault> {
    RuleSet::from_toml_of_any_name(toml).map_err(RecordFault::Rules)
}

/// Refuses the custom rule set of a record, because this build has no TOML reader.
#[cfg(not(feature = "toml"))]
fn own_rules(_toml: &str) -> Result<RuleSet, RecordFault> {
    Err(RecordFault::NoToml)
}

/// Parses a number that consists only of decimal digits, or returns `None`. The method `parse` alone would accept `+5` too.
fn number<T: FromStr>(text: &str) -> Option<T> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok())?
}

fn read_headers<'a>(cursor: &mut Cursor<'a>) -> Result<Vec<Header<'a>>, RecordError> {
    let mut headers = Vec::new();
    let mut keys = BTreeSet::new();
    loop {
        cursor.skip_blanks();
        let start = cursor.clone();
        if !cursor.eat("[") {
            return Ok(headers);
        }
        let expected = "the key of a header";
        if !cursor.peek().is_some_and(|c| c.is_ascii_alphabetic()) {
            return Err(cursor.expected(expected).into());
        }
        let key = cursor.eat_while(|c| c.is_ascii_alphanumeric());
        cursor.skip_blanks();
        if !cursor.eat("\"") {
            return Err(cursor.expected("a header's value in double quotes").into());
        }
        let at = cursor.clone();
        let value = read_escaped(cursor, '"', true)?;
        cursor.skip_blanks();
        if !cursor.eat("]") {
            return Err(cursor.expected("`]` after the header").into());
        }
        if !keys.insert(key) {
            return Err(fault(start.place(), RecordFault::SecondHeader(key.to_owned())));
        }
        headers.push(Header { key, value, at });
    }
}

/// Parses a string with backslash escapes, up to and including the closing character.
fn read_escaped(
    cursor: &mut Cursor<'_>,
    close: char,
    one_line: bool,
) -> Result<String, RecordError> {
    let mut text = String::new();
    let text_kind = if one_line { "header's value" } else { "comment" };
    let end = alloc::format!("`{close}` after the {text_kind}");
    loop {
        let before = cursor.clone();
        match cursor.next() {
            Some(c) if c == close => return Ok(text),
            Some('\\') => match cursor.next() {
                Some('n') if one_line => text.push('\n'),
                Some('r') if one_line => text.push('\r'),
                Some(c) if c == '\\' || c == close => text.push(c),
                _ => {
                    let line_ends = if one_line { ", `\\n`, `\\r`" } else { "" };
                    let known = alloc::format!("`\\\\`{line_ends} or `\\{close}`");
                    return Err(before.expected(known).into());
                }
            },
            Some('\n') if one_line => return Err(before.expected(end).into()),
            Some(c) => text.push(c),
            None => return Err(before.expected(end).into()),
        }
    }
}

fn read_deals(
    rules: &Arc<RuleSet>,
    header: &Header<'_>,
    length: u8,
) -> Result<Vec<Dealt>, RecordError> {
    let rounds = usize::from(length.div_ceil(2));
    let mut deals = Vec::new();
    for word in header.value.split_whitespace() {
        let Some(number) = number(word) else {
            return Err(header.wrong(
                "Deals",
                alloc::format!("`{word}`"),
                alloc::format!("deal numbers from 0 to {}", Dealt::count(rules) - 1),
            ));
        };
        let dealt = Deal::numbered(rules, number);
        deals.push(dealt.map_err(|faults| header.fault(RecordFault::Deal(faults)))?);
    }
    if deals.len() != rounds {
        let found = counted(deals.len(), "deal number");
        let expected = alloc::format!("one deal number for each round, {rounds} in all");
        return Err(header.wrong("Deals", found, expected));
    }
    Ok(deals)
}

/// Parser of the games in a record. The games follow the headers.
struct GamesReader<'a> {
    cursor: Cursor<'a>,
    contest: Match,
    notes: Vec<Note>,
}

impl GamesReader<'_> {
    fn games(&mut self) -> Result<(), RecordError> {
        for index in 0..usize::from(self.contest.length()) {
            self.heading(index)?;
            if self.game(index)? {
                break;
            }
        }
        self.cursor.skip_blanks();
        Ok(())
    }

    /// Parses the heading of a game: the game's number and leader.
    ///
    /// An example of a heading is `Game 2: B leads`.
    fn heading(&mut self, index: usize) -> Result<(), RecordError> {
        let leader = Match::player(index, Seat::First);
        let heading = alloc::format!("Game {}: {leader} leads", index + 1);
        for word in heading.split(' ') {
            self.cursor.skip_blanks();
            if !self.cursor.eat(word) {
                return Err(self.cursor.expected(alloc::format!("`{heading}`")).into());
            }
        }
        Ok(())
    }

    /// Parses one game in the text of a match record, and returns whether the record ends with this game.
    fn game(&mut self, index: usize) -> Result<bool, RecordError> {
        loop {
            self.cursor.skip_blanks();
            let game = &self.contest.games()[index];
            let (is_last, after) = (self.contest.current_index() == index, game.actions().len());
            let (is_over, at) = (game.outcome().is_some(), at(game));
            if self.cursor.eat("{") {
                let text = NoteText::Comment(read_escaped(&mut self.cursor, '}', false)?);
                self.notes.push(Note { game: index, after, text });
            } else if self.cursor.eat("$") {
                let start = self.cursor.clone();
                let expected = "the number of an annotation, 0 to 255";
                let number = self.cursor.number(expected)?;
                let number = u8::try_from(number).map_err(|_| start.expected(expected))?;
                let text = NoteText::Annotation(number);
                self.notes.push(Note { game: index, after, text });
            } else if is_last && self.result()? {
                return Ok(true);
            } else if !is_last {
                return Ok(false);
            } else if self.cursor.at_end() {
                let cut_off = RecordFault::CutOff { game: index + 1, at };
                return Err(fault(self.cursor.place(), cut_off));
            } else if is_over {
                let result = alloc::format!("the result, `{}`", result_text(&self.contest));
                return Err(self.cursor.expected(result).into());
            } else if !self.resignation()? {
                self.action(index)?;
            }
        }
    }

    /// Parses the result of the match, such as `32-0` or `*`, and returns whether the cursor was at a result.
    fn result(&mut self) -> Result<bool, RecordError> {
        let start = self.cursor.clone();
        let word = self.cursor.eat_while(|c| c.is_ascii_digit() || c == '-' || c == '*');
        let points = word.split_once('-').is_some_and(|(a, b)| !a.is_empty() && !b.is_empty());
        let ends = self.cursor.peek().is_none_or(char::is_whitespace);
        if !ends || !(points || word == "*") {
            self.cursor = start;
            return Ok(false);
        }
        let expected = result_text(&self.contest);
        if word == expected {
            return Ok(true);
        }
        Err(fault(start.place(), RecordFault::WrongResult { found: word.to_owned(), expected }))
    }

    /// Parses a resignation, such as `A resigns`, and returns whether the cursor was at a resignation.
    fn resignation(&mut self) -> Result<bool, RecordError> {
        for (letter, player) in [("A", Player::A), ("B", Player::B)] {
            let mut ahead = self.cursor.clone();
            if !ahead.eat(letter) || !ahead.peek().is_some_and(char::is_whitespace) {
                continue;
            }
            ahead.skip_blanks();
            if !ahead.eat("resigns") {
                return Err(ahead.expected("`resigns`").into());
            }
            // The caller has checked that the game goes on, so a player can resign.
            if self.contest.resign_here(player).is_ok() {
                self.cursor = ahead;
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn action(&mut self, index: usize) -> Result<(), RecordError> {
        self.move_number(index)?;
        let rules = Arc::clone(self.contest.rules());
        let start = self.cursor.clone();
        let at = at(&self.contest.games()[index]);
        let action = rules.action(&mut self.cursor)?;
        let before_mark = self.cursor.clone();
        let found = match () {
            () if self.cursor.eat("##") => "##",
            () if self.cursor.eat("#") => "#",
            () => "",
        };
        if self.cursor.peek().is_some_and(|c| !c.is_whitespace() && !matches!(c, '{' | '$')) {
            return Err(self.cursor.expected("a blank after the action").into());
        }
        self.contest.play_here(action).map_err(|illegal| {
            let action = rules.action_text(action).to_string();
            let illegal = IllegalInRecord { game: index + 1, at, action, illegal };
            fault(start.place(), RecordFault::Illegal(Box::new(illegal)))
        })?;
        let expected = mark(self.contest.games()[index].outcome());
        // The mark `#` or `##` of a mate may be missing in a record, but a mark that is present must be right. Records of earlier versions
        // mark the overmates of a sole foreplacer before the last move as plain mates.
        let sole = rules.foreplacing().map(|foreplacing| foreplacing.sole);
        let is_old_mark = (found, expected) == ("#", "##") && sole == Some(SoleReward::Doubled);
        if !found.is_empty() && found != expected && !is_old_mark {
            return Err(fault(before_mark.place(), RecordFault::WrongMark { found, expected }));
        }
        Ok(())
    }

    /// Parses the move number before a lead, such as `7.`. The number may be missing, but a number that is present must be right.
    fn move_number(&mut self, index: usize) -> Result<(), RecordError> {
        let start = self.cursor.clone();
        let digits = self.cursor.eat_while(|c| c.is_ascii_digit());
        // Digits without a dot are not a move number, but begin a card such as `10c`.
        if digits.is_empty() || !self.cursor.eat(".") {
            self.cursor = start;
            return Ok(());
        }
        let game = &self.contest.games()[index];
        let number = game.position().moves() + 1;
        match game.phase() {
            Phase::Lead(_) if digits.parse() == Ok(number) => {
                self.cursor.skip_blanks();
                Ok(())
            }
            Phase::Lead(_) => Err(start.expected(alloc::format!("`{number}.`")).into()),
            Phase::Foreplacing(_) | Phase::Follow(_) | Phase::Over => Err(start
                .expected("an action without a move number, because only a lead has a move number")
                .into()),
        }
    }
}
