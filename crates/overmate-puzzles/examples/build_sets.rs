//! Finds the puzzles for all puzzle sets that the library embeds. Writes these sets, and a document with statistics of the search.
//!
//! The command `cargo xtask puzzles` runs this program. The first argument is the folder for the
//! sets. The second argument is the path of the document, or the name of one rule set. With the
//! name of a rule set, the program writes only its set and no document.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use overmate_puzzles::{
    BAND, DULL_DISTANCE, DullKind, FoundPuzzles, LEVEL_RATINGS, Puzzle, PuzzleSet, RareKind,
    Survey, Theme, Wanted, find,
};
use overmate_rules::RuleSet;
use twox_hash::XxHash3_64;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let (Some(folder), Some(page_or_rules)) = (args.next(), args.next()) else {
        return Err("two arguments are needed: the folder of the sets, and the page or the name of a rule set".into());
    };
    let only = PuzzleSet::names().find(|(name, _)| *name == page_or_rules);
    let mut sets = Vec::new();
    for (name, count) in PuzzleSet::names().filter(|set| only.is_none_or(|only| only == *set)) {
        let rules = RuleSet::named(name)?.shared();
        let wanted = Wanted::new(rules).with_count(count).with_seed(seed(name));
        let found = find(&wanted)?;
        let packed = PuzzleSet::pack(&found.puzzles)?;
        fs::write(Path::new(&folder).join(format!("{name}.zst")), &packed)?;
        eprintln!("{name}: {} puzzles, {} bytes", found.puzzles.len(), packed.len());
        sets.push((name, found, packed.len()));
    }
    if only.is_none() {
        fs::write(page_or_rules, text(&sets)?)?;
    }
    Ok(())
}

/// Returns the random seed, from 0 to 65,535, of the search for the puzzles of a rule set.
///
/// Each set has its own seed, so that two rule sets do not share deals. The seed does not depend on
/// the other sets.
fn seed(rules: &str) -> u64 {
    XxHash3_64::oneshot(rules.as_bytes()) >> 48
}

/// Formats the document with the statistics of the search for all puzzle sets.
fn text(sets: &[(&str, FoundPuzzles, usize)]) -> Result<String, std::fmt::Error> {
    let mut page = String::from(INTRODUCTION);
    let mut all = Survey::default();
    writeln!(page, "\n## Positions and puzzles\n")?;
    writeln!(
        page,
        "`cargo xtask puzzles` looks at the positions of games that the levels play, and takes at most one puzzle from each deal. *Unclear*: no class of"
    )?;
    writeln!(
        page,
        "actions is best by the margin. *Lost*: the best result is a loss. *Too long*: more than five decisions. *Many lines*: more than four equally good ways to solve it."
    )?;
    writeln!(
        page,
        "*Guessable*: random actions succeed at least one time in two. *Too easy*: level 1 succeeds nine times in ten without giving mate at once. *Arithmetic*: as"
    )?;
    writeln!(
        page,
        "above. *Suitable*: none of these. *Kept*: chosen for the set. `overmate puzzles` finds the same puzzles from the seed.\n"
    )?;
    writeln!(
        page,
        "| rule set | seed | positions | unclear | lost | too long | many lines | guessable | too easy | arithmetic | suitable | kept | bytes |"
    )?;
    writeln!(page, "|---|{}", "--:|".repeat(12))?;
    for (name, found, bytes) in sets {
        let s = found.survey;
        all += s;
        writeln!(
            page,
            "| `{name}` | {} | {} | {} | {} | {} | {bytes} |",
            seed(name),
            s.positions,
            s.refused.map(|number| number.to_string()).join(" | "),
            s.found.puzzles,
            s.kept.puzzles
        )?;
    }
    writeln!(
        page,
        "\n## Rare kinds\n\nOf these kinds a set holds few. The search takes such a puzzle only while the set has enough other puzzles for it. Numbers over all rule sets.\n"
    )?;
    writeln!(
        page,
        "| kind | puzzles | at most one for each | suitable positions | kept puzzles |\n|---|---|---|--:|--:|"
    )?;
    for (index, kind) in RareKind::ALL.iter().enumerate() {
        let RareKind { name, puzzles, per, counted, .. } = kind;
        let (suitable, kept) = (all.found.by_kind[index], all.kept.by_kind[index]);
        writeln!(page, "| {name} | {puzzles} | {per} {counted} | {suitable} | {kept} |")?;
    }
    page += &dull_kinds(sets)?;
    writeln!(
        page,
        "\n## Themes\n\nNumbers over all rule sets; a puzzle has several themes or none. *Positions for one*: positions that `cargo xtask puzzles` looked at for each suitable one with"
    )?;
    writeln!(page, "the theme, of {} in all.\n", all.positions)?;
    writeln!(
        page,
        "| theme | suitable positions | positions for one | kept puzzles | idea |\n|---|--:|--:|--:|---|"
    )?;
    for theme in Theme::ALL {
        let (suitable, kept) =
            (all.found.by_theme[theme as usize], all.kept.by_theme[theme as usize]);
        let each = all.positions.checked_div(suitable).unwrap_or_default();
        writeln!(page, "| `{theme}` | {suitable} | {each} | {kept} | {} |", theme.idea())?;
    }
    writeln!(
        page,
        "\n## Levels and difficulty\n\nPercentage of the kept puzzles of each band of ratings that a level solves at the first attempt, by its exact play. The"
    )?;
    writeln!(
        page,
        "rating of the level stands above. It is a nominal rating: the scale of puzzles is not that of [rated matches](ratings.md#the-formulas).\n"
    )?;
    write!(page, "| rating | puzzles |")?;
    for (level, rating) in LEVEL_RATINGS.iter().enumerate() {
        write!(page, " level {} ({rating}) |", level + 1)?;
    }
    writeln!(page, "\n|---|--:|{}", "--:|".repeat(LEVEL_RATINGS.len()))?;
    for (index, band) in (0..).zip(&all.bands).filter(|(_, band)| band.puzzles > 0) {
        write!(page, "| {} to {} | {} |", index * BAND, (index + 1) * BAND - 1, band.puzzles)?;
        for solved in band.solved_by_level {
            #[allow(clippy::cast_precision_loss, reason = "some thousands of puzzles")]
            let percent = 100.0 * solved / band.puzzles as f64;
            write!(page, " {percent:.0} |")?;
        }
        writeln!(page)?;
    }
    Ok(page)
}

/// Formats the section *Dull kinds* of the statistics document. The section shows how many puzzles of all sets belong to each kind in
/// `DullKind::ALL`.
fn dull_kinds(sets: &[(&str, FoundPuzzles, usize)]) -> Result<String, std::fmt::Error> {
    let mut section = format!(
        "\n## Dull kinds\n\nOf these kinds the sets hold many. Training, streak and storm prefer other puzzles: a dull puzzle counts as {DULL_DISTANCE} rating points farther from the\n"
    );
    section += "wanted rating than it is. `overmate puzzle` takes a dull puzzle only if all puzzles with the theme are dull, and the puzzle of the day is never dull. Numbers\n";
    section += "over all rule sets; a puzzle may be of several kinds.\n\n| kind | puzzles | kept puzzles |\n|---|---|--:|\n";
    let kept: Vec<&Puzzle> = sets.iter().flat_map(|(_, found, _)| &found.puzzles).collect();
    for kind in &DullKind::ALL {
        let number = kept.iter().filter(|puzzle| kind.holds(puzzle)).count();
        writeln!(section, "| {} | {} | {number} |", kind.name, kind.puzzles)?;
    }
    let is_dull = |puzzle: &&&Puzzle| DullKind::ALL.iter().any(|kind| kind.holds(puzzle));
    let number = kept.iter().filter(is_dull).count();
    writeln!(section, "| | One of these kinds or several. | {number} of {} |", kept.len())?;
    Ok(section)
}

const INTRODUCTION: &str = "\
<!-- Written by `cargo xtask puzzles`. To change a sentence, change crates/overmate-puzzles/examples/build_sets.rs. -->

# Puzzles

A puzzle is a position in which it is your turn. At each of one to five decisions some actions are better than all others: by at least ten points, or because
the winner changes. The values are exact, so each action with the best value is right, and all others are wrong. Forced actions are played for you. The
opponent takes the reply with the best value; among equally good replies, the one that level 5 takes most often. No two puzzles of a rule set are the
same up to the names of the suits and seats.

These positions are left out as dull:

- The best result is a loss. A puzzle may save a draw, or turn a loss into a draw or a win.
- The solution has more than five decisions, or more than four lines.
- Guessing solves the position with a probability of at least one half. At each decision each legal action is equally likely, and identical cards are one
  action.
- Level 1 solves the position nine times in ten, and the solution is no mate in one.
- Only arithmetic helps: the player holds at least seven cards, wins with the best wrong action too, and wins at most eleven points more by the right action at each
  decision, and the solution ends before the mate.

Of three more kinds a set holds few: see *Rare kinds* below. Four further kinds come only after better puzzles: see *Dull kinds*.

A mate in n means that with best play of both you give mate in n moves. Some solutions end before the mate, because the last choices are equally good. Then the ending
continues with best play: you take the first of the best actions, and the opponent replies as before.

In a position line the word `first` or `second` names the seat that leads, not the seat that acts: a seat whose opponent leads a card answers it. The grammar is in
[notation.md](notation.md#positions).

`overmate puzzle` plays one in the terminal, `overmate puzzle --daily` the puzzle of the day, and `overmate puzzles` searches for new ones. The binary contains sets for the rule sets below. There is none for
`denexa`, because a card lies face down and the players cannot know the exact values, and none for
`pinochle`, because the levels, whose play gives the first ratings and the replies, need a table of the deal, and 48 cards are too many for it.

The first rating of a puzzle follows from the exact play of the levels: nine players with the nominal ratings of levels 1 to 9 are to solve it as often as the
levels do. A level never misses a mate in one unless it sees more, so the easiest puzzles are mates in one.

On a server the first attempt of a player at a puzzle is a game of Glicko-2 between both. It changes the rating of the puzzle only if the rating deviation of the player is at most 150, which takes about
six attempts, because a new browser is easy to invent. The rating of a puzzle stays within 400 points of its first rating.
";
