//! Saves the record of each finished match of an arena, so that a resumed arena does not play the
//! match again. An arena is a tournament between computer players.
//!
//! The records are appended in the order of the matches' ends. At the end of the arena the records
//! are sorted, so that the final file depends only on the settings.

use std::collections::HashMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, anyhow, bail};
use etcetera::BaseStrategy as _;
use overmate_arena::{MatchId, MatchScore, PairingResult, PlayedMatch};
use overmate_bots::Forfeit;
use overmate_rules::{ByPlayer, Note, NoteText, Player, Record, RecordError, RecordFault, RuleSet};

use super::logs;
use super::setup::{ArenaSettings, Contest, Setup};
use overmate_terminal::errors::print_aside;
use overmate_terminal::private;
use overmate_terminal::text::words;
use overmate_terminal::untrusted::printable_line;

/// Maximum size of a match record that an arena file may hold, in bytes. Real records are far
/// smaller.
const MAX_RECORD: u64 = 1 << 20;

/// Maximum number of lines in which the program searches the unreadable end of an arena file for a complete match record.
const MAX_LINES: usize = 1000;

/// Prefix of every match record in an arena file.
const BEGINNING: &str = "[Rules \"";

/// File in which an arena stores its matches. The file also has the settings of the arena and the names of its players.
pub(super) struct Archive {
    /// Open arena file, or `None` if the user named no file and no temporary file could be created.
    file: Option<Open>,
    settings: ArenaSettings,
    contest: Contest,
    names: Vec<String>,
}

/// Open file in which an arena stores its matches.
pub(super) struct Open {
    file: File,
    /// Path of the file with the arena's matches, as shown in messages to the user. Symbolic links are not resolved.
    pub(super) path: PathBuf,
    /// Whether the user chose the path of the arena file. Any other file is temporary, and is
    /// removed when the arena ends.
    is_named: bool,
    /// Location of each match record in the arena file, as offset and length in bytes.
    places: HashMap<MatchId, (u64, u64)>,
    end: u64,
}

impl Archive {
    /// Opens or creates the file of an arena, and returns the matches that the file already holds. Without a path, the arena uses the
    /// temporary file in `unnamed`, if any.
    pub(super) fn open(
        path: Option<&Path>,
        unnamed: Option<Open>,
        setup: &Setup,
        names: Vec<String>,
    ) -> Result<(Self, Vec<(MatchId, MatchScore)>)> {
        let (settings, contest) = (setup.settings, setup.contest.clone());
        let mut archive = Self { file: None, settings, contest, names };
        let Some(path) = path else {
            archive.file = unnamed;
            return Ok((archive, Vec::new()));
        };
        let name = path.display();
        let mut options = OpenOptions::new();
        let options = options.read(true).write(true).create(true).truncate(false);
        let file = private::options(options).open(path);
        let file = file.with_context(|| format!("cannot write to the arena file {name}"))?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => {
                bail!(
                    "another arena is writing to the arena file {name}: wait for the end of that arena, or choose another file"
                )
            }
            // The arena also accepts a file on a file system without locks, although two arenas could then write to the file at once.
            Ok(()) | Err(TryLockError::Error(_)) => {}
        }
        private::restrict(&file);
        let path = path.to_owned();
        let mut open = Open { file, path, is_named: true, places: HashMap::new(), end: 0 };
        let known = archive.read(&mut open, &setup.rules).with_context(|| {
            format!("the arena file {} cannot be continued by this arena: choose another file with --record", open.path.display())
        })?;
        archive.file = Some(open);
        Ok((archive, known))
    }

    /// Appends the record of a match to the arena file.
    pub(super) fn add(&mut self, id: MatchId, played: &PlayedMatch) -> Result<()> {
        let text = self.record(id, played)?.to_string();
        let Some(open) = &mut self.file else { return Ok(()) };
        let failed = || format!("cannot write to the arena file {}", open.path.display());
        let blank = if open.end > 0 { "\n" } else { "" };
        let text = format!("{blank}{text}");
        open.file.write_all(text.as_bytes()).with_context(failed)?;
        let (blank, len) = (blank.len() as u64, text.len() as u64);
        open.places.insert(id, (open.end + blank, len - blank));
        open.end += len;
        Ok(())
    }

    /// Sorts the match records in an arena file that the user chose, or removes a temporary arena file.
    pub(super) fn finish(self, results: &[PairingResult]) -> Result<()> {
        let Some(mut open) = self.file else { return Ok(()) };
        if !open.is_named {
            return std::fs::remove_file(&open.path)
                .with_context(|| format!("cannot remove the arena file {}", open.path.display()));
        }
        let ids = results.iter().flat_map(|result| {
            let [one, other] = result.players;
            (0..result.counts.pairs()).flat_map(move |pair| {
                [(one, other), (other, one)]
                    .map(|(a, b)| MatchId { pair, players: ByPlayer { a, b } })
            })
        });
        let places: Vec<(u64, u64)> = ids.filter_map(|id| open.places.get(&id).copied()).collect();
        open.put_in_order(&places).with_context(|| {
            format!(
                "cannot sort the match records in the arena file {}: the file is complete but unsorted",
                open.path.display()
            )
        })
    }

    /// Returns the path of the arena file, from which the stopped arena can be resumed, or `None` if the arena has no
    /// file. A temporary file without a match is removed first.
    pub(super) fn leave(self) -> Option<String> {
        let open = self.file?;
        if open.places.is_empty() && !open.is_named {
            // An error in removing the file for the arena's matches is ignored. The file is still empty, and does no harm.
            let _ = std::fs::remove_file(&open.path);
            return None;
        }
        Some(open.path.display().to_string())
    }

    fn record(&self, id: MatchId, played: &PlayedMatch) -> Result<Record> {
        let mut record = Record::new(played.state.clone());
        let pair = (id.pair + 1).to_string();
        let players = [("A", id.players.a), ("B", id.players.b)];
        for (key, place) in players {
            record.set_header(key, &self.names[place])?;
        }
        record.set_header("Pair", &pair)?;
        for (key, value) in self.settings.headers(&self.contest) {
            if let Some(value) = value {
                record.set_header(key, &value)?;
            }
        }
        if let Some((_, forfeit)) = &played.forfeit {
            let game = record.played_match().current_index();
            let after = record.played_match().current().actions().len();
            let text = NoteText::Comment(printable_line(&forfeit.to_string()));
            record.add_note(Note { game, after, text })?;
        }
        Ok(record)
    }

    /// Reads the matches in an arena's file. An incomplete last record, which a power failure may leave, is removed. A line on
    /// the standard error reports the removal.
    fn read(&self, open: &mut Open, rules: &RuleSet) -> Result<Vec<(MatchId, MatchScore)>> {
        let mut known = Vec::new();
        let mut pieces = Pieces::new(BufReader::new(&open.file));
        // Offset in the arena file of the end of the last complete match record, without the record's line end.
        let mut end = 0;
        // Incomplete last record of the arena file: the number of its first line, and its length in bytes.
        let mut incomplete = None;
        while let Some(Piece { line, start, text, is_last }) = pieces.next()? {
            let record = match Record::read(&text) {
                Err(_) if is_last && has_text_after_match(&text) => bail!(
                    "the text after the record that begins in line {line} is not a record: remove this text, or choose \
                     another file"
                ),
                Err(error) if is_last && was_cut_off(&text, &error, rules) => {
                    incomplete = Some((line, text.len()));
                    break;
                }
                record => record.with_context(|| {
                    format!("the record that begins in line {line} cannot be read")
                })?,
            };
            let (id, score) = self.known(&record, rules).with_context(|| {
                format!("the record that begins in line {line} does not fit this arena")
            })?;
            let len = text.trim_end().len() as u64;
            if open.places.insert(id, (start, len + 1)).is_some() {
                bail!(
                    "the record that begins in line {line} repeats a match of an earlier record: remove one of the two records"
                );
            }
            end = start + len;
            known.push((id, score));
        }
        drop(pieces);
        open.file.set_len(end)?;
        if let Some((line, bytes)) = incomplete {
            print_aside(&format!(
                "Removed the incomplete record that begins in line {line} of {}, {}: its match is played again.",
                open.path.display(),
                words::counted(bytes as u64, "byte")
            ));
        }
        open.file.seek(SeekFrom::Start(end))?;
        if end > 0 {
            open.file.write_all(b"\n")?;
            open.end = end + 1;
        }
        Ok(known)
    }

    /// Returns the id and the score of a recorded match, or an error if this arena plays no such match.
    fn known(&self, record: &Record, rules: &RuleSet) -> Result<(MatchId, MatchScore)> {
        let contest = record.played_match();
        if **contest.rules() != *rules {
            let (found, name) = (contest.rules().name(), rules.name());
            if found == name {
                bail!(
                    "the record's rules differ from the rules of this arena, although both rule sets have the name {name}: restore the rules of the first run, or give the changed rules another name and choose another --record file"
                );
            }
            bail!("the record's rule set is {found}, but this arena plays {name}");
        }
        for (key, value) in self.settings.headers(&self.contest) {
            let (found, value) = (record.header(key), value.as_deref());
            if found != value {
                let (found, value) = (found.unwrap_or("none"), value.unwrap_or("none"));
                bail!(
                    "the record's header `{key}` is {found}, but this arena has {value}: repeat the options of the first run, or choose another --record file"
                );
            }
        }
        let place = |player: Player| {
            let name = record.player_name(player);
            let place = self.names.iter().position(|known| known == name);
            place.ok_or_else(|| anyhow!("the record's player {name} does not play in this arena"))
        };
        let players = ByPlayer { a: place(Player::A)?, b: place(Player::B)? };
        let pair = record.header("Pair").and_then(|pair| pair.parse::<u64>().ok());
        let pair = pair.and_then(|pair| pair.checked_sub(1));
        let pair =
            pair.context("the record's header `Pair` is missing, or is not the number of a match pair, such as 1")?;
        if pair >= self.contest.pairs {
            let asked = words::counted(self.contest.pairs, "pair");
            bail!(
                "the record has match pair {}, but this arena has only {asked}: set --matches to at least {}, or choose another --record file",
                pair + 1,
                (pair + 1).saturating_mul(2)
            );
        }
        let result = contest.result().context(
            "the record holds an unfinished match: an arena stores finished matches only",
        )?;
        if players.a == players.b {
            bail!("the record names one player twice, but a match of this arena has two players");
        }
        let (found, length) = (contest.length(), rules.rounds().saturating_mul(2));
        if found != length {
            bail!("the record's match has {found} games, but a match of this arena has {length}");
        }
        if self.contest.is_gauntlet && players.a != 0 && players.b != 0 {
            let name = &self.names[0];
            bail!(
                "{name} plays all matches of this gauntlet, but does not play in the record's match: leave out --gauntlet, or choose another file"
            );
        }
        self.contest.check_deals(pair, contest)?;
        let forfeit = result.resigned.map(|by| (by, why(record, by)));
        let score = MatchScore { points: contest.totals(), winner: result.winner, forfeit };
        Ok((MatchId { pair, players }, score))
    }
}

/// Returns whether a text at the end of an arena file, which is unreadable because of `error`, is a truncated match record of this arena.
fn was_cut_off(text: &str, error: &RecordError, rules: &RuleSet) -> bool {
    let first = format!("{BEGINNING}{}\"]\n", rules.name());
    let has_only_headers = || text.lines().all(|line| line.starts_with('['));
    (text.contains("\n[Pair \"") && is_at_end(text, error))
        || first.starts_with(text)
        || (text.starts_with(&first) && has_only_headers())
}

/// Returns whether the fault of an unreadable match record is the end of its text. A complete record with another fault is not a truncated
/// record, and must not be removed.
fn is_at_end(text: &str, error: &RecordError) -> bool {
    // A result has no line end after it only if the text breaks off within or directly after the result.
    if let RecordFault::WrongResult { found, expected } = &error.fault {
        return text.ends_with(found) && expected.starts_with(found);
    }
    // The text of a truncated record ends within or before the first word that cannot be read. The last line follows the last line end,
    // and is empty in a text with a line end at its end.
    let lines: Vec<&str> = text.split('\n').collect();
    let last = lines.last().copied().unwrap_or_default();
    let mut from_fault = last.chars().skip(error.place.column - 1);
    error.place.line == lines.len() && !from_fault.any(char::is_whitespace)
}

/// Returns whether an unreadable text at the end of an arena file begins with the complete record of a finished match. Such a text is not a
/// truncated record.
fn has_text_after_match(text: &str) -> bool {
    let is_finished = |text: &str| {
        Record::read(text).is_ok_and(|record| record.played_match().result().is_some())
    };
    // If a player forfeits a match, the match record has first a comment on the forfeit, and then the resignation of this player. A record
    // that is cut off within this comment is therefore not finished.
    let ends = text.match_indices('\n').map(|(at, _)| text.split_at(at));
    ends.take(MAX_LINES).any(|(record, rest)| !rest.trim().is_empty() && is_finished(record))
}

/// Returns the reason why the player `by` forfeited the match, from the last comment of the match record.
fn why(record: &Record, by: Player) -> String {
    let who = record.player_name(by).to_owned();
    let before = Forfeit { who, why: String::new() }.to_string();
    let last = record.notes().last().map(|note| &note.text);
    match last {
        Some(NoteText::Comment(text)) => text.strip_prefix(&before).unwrap_or(text).to_owned(),
        Some(NoteText::Annotation(_)) | None => "it gave up".to_owned(),
    }
}

impl Open {
    fn put_in_order(&mut self, places: &[(u64, u64)]) -> io::Result<()> {
        // If the path of the arena file is a symbolic link, the new file with the sorted match records replaces the target of the link.
        let real = std::fs::canonicalize(&self.path)?;
        let folder = real.parent().filter(|folder| !folder.as_os_str().is_empty());
        let ordered = tempfile::Builder::new()
            .prefix(".overmate-")
            .suffix(".tmp")
            .tempfile_in(folder.unwrap_or(Path::new(".")))?;
        let mut out = io::BufWriter::new(ordered.as_file());
        for (number, &(start, len)) in places.iter().enumerate() {
            if number > 0 {
                out.write_all(b"\n")?;
            }
            self.file.seek(SeekFrom::Start(start))?;
            let mut record = Vec::new();
            (&self.file).take(len).read_to_end(&mut record)?;
            // Each match record is written with exactly one line end after its text. The last record in the arena file may lack this
            // line end.
            while record.last() == Some(&b'\n') {
                record.pop();
            }
            record.push(b'\n');
            out.write_all(&record)?;
        }
        out.flush()?;
        drop(out);
        ordered.as_file().sync_all()?;
        ordered.persist(real).map_err(|error| error.error)?;
        Ok(())
    }
}

/// Returns the random seed in the first match record of an arena file, or `None` if no such record can be read.
pub(super) fn recorded_seed(path: &Path) -> Option<u64> {
    let first = Pieces::new(BufReader::new(File::open(path).ok()?)).next().ok()??;
    Record::read(&first.text).ok()?.header("Seed")?.parse().ok()
}

/// Creates an arena file with a new name in the user's data directory. Log folders in that directory whose arena file is missing
/// are removed.
pub(super) fn unnamed_file(seed: u64) -> Result<Open> {
    let folder = etcetera::choose_base_strategy()?.data_dir().join("overmate").join("arenas");
    let failed = || format!("cannot write to the folder {}", folder.display());
    private::create_folder(&folder).with_context(failed)?;
    logs::remove_orphans(&folder);
    for number in 1u64.. {
        let path = folder.join(format!("seed-{seed}-{number}.mates"));
        let mut options = OpenOptions::new();
        let options = options.read(true).write(true).create_new(true);
        match private::options(options).open(&path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            file => {
                let file = file.with_context(failed)?;
                // A failed lock of the new arena file is ignored, because no other process knows the file's name.
                let _ = file.try_lock();
                return Ok(Open { file, path, is_named: false, places: HashMap::new(), end: 0 });
            }
        }
    }
    bail!("all names for a new arena file are taken: choose a file with --record")
}

/// Text of a match record, with the location of the record in the arena file.
struct Piece {
    /// Line number of the first line of the match record in the arena file.
    line: u64,
    /// Byte offset of the match record in the arena file.
    start: u64,
    text: String,
    is_last: bool,
}

/// Reader that returns the match records of a file one at a time.
struct Pieces<R> {
    input: R,
    line: u64,
    at: u64,
    /// First line of the next match record, which the reader has read to find the end of the current record.
    ahead: Vec<u8>,
}

impl<R: BufRead> Pieces<R> {
    fn new(input: R) -> Self {
        Self { input, line: 1, at: 0, ahead: Vec::new() }
    }

    fn next(&mut self) -> Result<Option<Piece>> {
        let (line, start) = (self.line, self.at);
        let mut bytes = std::mem::take(&mut self.ahead);
        self.line += u64::from(bytes.ends_with(b"\n"));
        loop {
            let mut next = Vec::new();
            self.input.by_ref().take(MAX_RECORD).read_until(b'\n', &mut next)?;
            let is_last = next.is_empty();
            let is_next = next.starts_with(BEGINNING.as_bytes()) && !bytes.trim_ascii().is_empty();
            if is_last || is_next {
                self.at += bytes.len() as u64;
                self.ahead = next;
                if bytes.trim_ascii().is_empty() {
                    return Ok(None);
                }
                let text = String::from_utf8(bytes).context(
                    "the arena file is not a text in UTF-8: choose another file with --record",
                )?;
                return Ok(Some(Piece { line, start, text, is_last }));
            }
            self.line += u64::from(next.ends_with(b"\n"));
            bytes.append(&mut next);
            if bytes.len() as u64 > MAX_RECORD {
                bail!(
                    "the record that begins in line {line} is longer than {MAX_RECORD} bytes, the limit"
                );
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use overmate_rules::{Match, SeededDeals};

    use super::*;

    /// Rule set of an arena with short matches. Its cards do not belong to a published deck, so that a record holds the rule set.
    const SMALL: &str = r#"
name = "small"
rounds = 1

[deck]
suits = [{ letter = "x", name = "x-es" }, { letter = "y", name = "y-es" }, { letter = "z", name = "z-es" }]
ranks = [{ letter = "A", name = "ace", value = 11 }, { letter = "B", name = "bee", value = 10 }]
"#;

    /// Returns the record of a match as an arena stores it. In the match, player A always plays the first legal action, and B the last.
    /// With `forfeits`, B forfeits the match after six actions.
    fn stored(rules: &Arc<RuleSet>, forfeits: bool) -> String {
        let mut contest = Match::new(rules, &mut SeededDeals::new(7));
        let mut actions = 0;
        while let Some(player) = contest.to_act().filter(|_| !(forfeits && actions == 6)) {
            let legal: Vec<_> = contest.current().legal_actions().collect();
            let action = match player {
                Player::A => legal.first(),
                Player::B => legal.last(),
            };
            contest = contest.play(*action.expect("a legal action")).expect("the action is legal");
            actions += 1;
        }
        let mut record = Record::new(contest);
        for (key, value) in [("A", "level:1"), ("B", "mine \"\\\" [x]"), ("Pair", "1")] {
            record.set_header(key, value).expect("the header is valid");
        }
        if forfeits {
            let after = record.played_match().current().actions().len();
            let text = NoteText::Comment("mine forfeits: {a} \\ fault".to_owned());
            record.add_note(Note { game: 0, after, text }).expect("the game has this place");
            let contest = record.played_match().clone().resign(Player::B).expect("B plays");
            record = record.with_match(contest);
        }
        record.to_string()
    }

    #[test]
    fn every_beginning_of_a_record_was_cut_off() {
        let small = RuleSet::from_toml(SMALL).expect("the rules are valid").shared();
        let sackson = RuleSet::named("sackson").expect("a published rule set").shared();
        let mut cut_off = 0;
        for rules in [small, sackson] {
            for text in [stored(&rules, false), stored(&rules, true)] {
                Record::read(text.trim_end()).expect("a record needs no line end after its result");
                for beginning in (1..text.len() - 1).filter_map(|end| text.get(..end)) {
                    let error = Record::read(beginning).expect_err("the record is not complete");
                    assert!(was_cut_off(beginning, &error, &rules), "{error:?} in:\n{beginning}");
                    cut_off += 1;
                }
            }
        }
        assert!(cut_off > 1500, "{cut_off}");
    }

    #[test]
    fn a_complete_record_with_a_fault_was_not_cut_off() {
        let rules = RuleSet::named("sackson").expect("a published rule set").shared();
        let text = stored(&rules, false);
        let result = text.lines().last().and_then(|line| line.rsplit(' ').next());
        let result = result.expect("the record ends with its result").to_owned();
        for (old, new) in [
            (" 1. ".to_owned(), " 7. "),
            (" 2. ".to_owned(), " 3. "),
            ("[Rules \"sackson\"]".to_owned(), "[Rules \"sackson+later-rule\"]"),
            ("[Games \"4\"]".to_owned(), "[Games \"later\"]"),
            (format!("{result}\n"), "999-0\n"),
            (format!("{result}\n"), "999-0"),
            (format!("{result}\n"), "later\n"),
        ] {
            assert!(text.contains(&old), "{old} in:\n{text}");
            let edited = text.replace(&old, new);
            let error = Record::read(&edited).expect_err("the record has a fault");
            assert!(!was_cut_off(&edited, &error, &rules), "{error:?} in:\n{edited}");
        }
    }
}
