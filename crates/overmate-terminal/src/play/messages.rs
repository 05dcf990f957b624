//! Composes the texts about a match for the human player, without information that is hidden from the human.

use std::fmt::Write as _;
use std::io::{self, Write};

use overmate_rules::{
    Action, Card, Face, Foreplaced, Illegal, Mate, Outcome, Phase, RuleSet, Seat, Seen, View,
    Viewer,
};

use super::controller::MatchController;
use super::hint::ShownHint;
use super::session::{Session, ShownAction};
use crate::text::columns::{Align, TextTable, width_of};
use crate::text::hands::PrintedHands;
use crate::text::notation::Notation;
use crate::text::words::{self, in_sentence, with_verb};
use crate::text::wrapping::{filled, wrapped_list};
use crate::text::{score_sheet, style};

/// Message that the perfect computer opponent plays an action without a proof that the action is best.
pub(crate) const IN_DOUBT: &str = "Overmate plays this without proof that it is best.";

/// Note for a match in which the human begins to play at a position after the start of the first game. The note says that the moves before
/// the position are only one way to reach the position.
pub(crate) const BEGINS_AT_POSITION: &str =
    "The match begins at a given position; the moves before it are one way to reach it.";

/// Message to a human who asks for a review before the first game is over.
pub(crate) const NOTHING_TO_REVIEW: &str =
    "There is no game to review yet: a review comes after a game.";

/// Message to a human who has no action to take back.
pub(crate) const NOTHING_TO_UNDO: &str = "There is no action of yours to take back.";

/// Returns the welcome message, which names the rule set, the opponent, and the file of the match.
pub(crate) fn welcome(controller: &MatchController) -> String {
    let contest = controller.played_match();
    let kept = if controller.autosave().has_file() { "is kept" } else { "will be kept" };
    let begins = controller.session().begins_at_position();
    let begin = if begins { format!("\n{BEGINS_AT_POSITION}") } else { String::new() };
    format!(
        "A match of {}, rules {}. Type ? for help.\nYou play against {}, {}.\nThe match {kept} in {}.{begin}",
        words::counted(contest.length().into(), "game"),
        contest.rules().name(),
        controller.session().opponent(),
        controller.strength(),
        controller.autosave().place()
    )
}

/// Writes the heading that announces a new game of the match.
pub(crate) fn begin_game(session: &Session, out: &mut dyn Write) -> io::Result<()> {
    let contest = session.played_match();
    let index = contest.current_index();
    let names = session.seat_names(index);
    let bold = style::HEADING;
    // If the human begins to play in the middle of the first game, the title of this game does not name the leader of move 1. The other
    // player may be the leader at that position.
    let title = if index == 0 && session.begins_at_position() {
        words::game_number(contest, index)
    } else {
        words::game_title(contest, index, &names)
    };
    writeln!(out, "\n{bold}{title}{bold:#}")?;
    if index % 2 == 1 {
        let opponent = session.opponent();
        writeln!(out, "The hands are exchanged: you have the one that {opponent} had.")?;
    } else if index > 0 {
        writeln!(out, "This is a new round, with a new deal.")?;
    }
    Ok(())
}

/// Writes the state of the current game for the human, whose turn it is.
pub(crate) fn turn(session: &Session, out: &mut dyn Write) -> io::Result<()> {
    let view = session.view();
    let rules = view.rules();
    let own = session.seat(session.played_match().current_index());
    let legal: Vec<_> = view.legal_actions().collect();
    let playable: Vec<Card> = legal.iter().filter_map(|action| action.card()).collect();
    let opponent = session.opponent();
    let shown =
        [("Your hand".to_owned(), view.hand(own)), (format!("{opponent}'s hand"), view.hand(!own))];
    let contest = session.played_match();
    let (game, of, totals) = (contest.current_index() + 1, contest.length(), contest.totals());
    let (yours, others) = (totals[session.human()], totals[!session.human()]);
    writeln!(out, "\nGame {game} of {of}, score: you {yours}, {opponent} {others}")?;
    PrintedHands { rules, shown, playable: &playable }.write(out)?;
    write_foreplaced(&view, own, opponent, out)?;
    write_piles(session, own, out)?;
    if rules.free_move() {
        writeln!(out, "{}", words::free_move(view.free_move_used()))?;
    }
    writeln!(out, "{}", to_do(&view, opponent))?;
    let legal: Vec<String> =
        legal.iter().map(|action| rules.action_text(*action).to_string()).collect();
    out.write_all(wrapped_list("Legal:", &legal).as_bytes())
}

fn write_foreplaced(view: &View, own: Seat, opponent: &str, out: &mut dyn Write) -> io::Result<()> {
    let deck = view.rules().deck();
    let what = |seat| match view.foreplaced(seat) {
        Foreplaced::Undecided => None,
        Foreplaced::Nothing => Some("nothing".to_owned()),
        Foreplaced::Card(card) => Some(format!("({})", deck.card_text(card))),
        Foreplaced::FaceDown => Some("(?)".to_owned()),
    };
    if view.rules().foreplacing().is_none() {
        return Ok(());
    }
    let told = [("you", what(own)), (opponent, what(!own))];
    let told: Vec<String> =
        told.into_iter().filter_map(|(name, what)| Some(format!("{name} {}", what?))).collect();
    if !told.is_empty() {
        let title = view.rules().in_own_words("Foreplaced");
        writeln!(out, "{title}: {}", told.join(", "))?;
    }
    if view.hides_card(!own) {
        let candidates: Vec<String> =
            view.candidates(!own).iter().map(|card| deck.card_text(*card).to_string()).collect();
        writeln!(out, "One of {opponent}'s cards lies face down: {}", candidates.join(" or "))?;
    }
    Ok(())
}

/// Writes the completed moves of the game in two groups: moves that the human won, and moves that the opponent won.
fn write_piles(session: &Session, own: Seat, out: &mut dyn Write) -> io::Result<()> {
    let game = session.played_match().current();
    let deck = game.rules().deck();
    let moves = game.moves();
    let others = format!("{}'s moves:", session.opponent());
    let titles = ["Your moves:", &others];
    let width = titles.map(width_of).into_iter().max().unwrap_or_default();
    for (title, seat) in titles.into_iter().zip([own, !own]) {
        let won = moves.iter().filter(|played| played.winner == Some(seat));
        let won: Vec<String> = won
            .filter_map(|played| {
                let answer = deck.card_text(played.answer?);
                let (lead, free) =
                    (deck.card_text(played.lead), if played.free { "*" } else { "" });
                let demand = if played.demanded { "!" } else { "" };
                Some(format!("{}. {lead}{demand} {answer}{free}", played.number))
            })
            .collect();
        if !won.is_empty() {
            let padding = " ".repeat(width - width_of(title));
            writeln!(out, "{title}{padding} {}", won.join("  "))?;
        }
    }
    Ok(())
}

/// Describes the human's next decision in a sentence.
fn to_do(view: &View, opponent: &str) -> String {
    let rules = view.rules();
    match view.phase() {
        Phase::Foreplacing(_) => {
            let face = match rules.foreplacing().map(|foreplacing| foreplacing.face) {
                Some(Face::Down) => " face down",
                Some(Face::Up) | None => "",
            };
            let example = view.legal_actions().find(|a| a.card().is_some());
            let example = example.map(|action| format!(", as in {}", rules.action_text(action)));
            let foreplace = rules.in_own_words("Foreplace");
            format!("{foreplace} a card{face}{}, or decline with -", example.unwrap_or_default())
        }
        Phase::Lead(_) => format!("You lead to move {}", view.moves() + 1),
        Phase::Follow(_) => {
            let lead = view.lead();
            let card = lead.map(|lead| rules.deck().card_text(lead.card).to_string());
            let demand = lead.filter(|lead| lead.demanded).map(|lead| demands(rules, lead.card));
            let demand = demand.map_or_else(String::new, |demand| format!(" and demands {demand}"));
            format!(
                "Move {}: {opponent} leads {}{demand}",
                view.moves() + 1,
                card.unwrap_or_default()
            )
        }
        Phase::Over => "The game is over".to_owned(),
    }
}

/// Returns the name of the rank that a lead of `card` demands, with an article, such as `a king`.
fn demands(rules: &RuleSet, card: Card) -> String {
    format!("a {}", rules.deck().rank_name(card.rank))
}

/// Describes a played action in a sentence, with the winner of the move if the action completes the move.
pub(crate) fn action(session: &Session, told: &ShownAction, notation: Notation) -> String {
    let game = session.game(told.game);
    let rules = game.rules();
    let names = session.seat_names(told.game);
    let foreplaces = || with_verb(&names[told.seat], &rules.in_own_words("foreplace"));
    let mut text = match told.seen {
        Seen::FaceDown => {
            format!("{} a card face down: (?)", foreplaces())
        }
        Seen::Action(Action::Decline) => {
            format!("{} nothing", foreplaces())
        }
        Seen::Action(action @ Action::Foreplace(_)) => {
            format!("{} {}", foreplaces(), notation.action(rules, action))
        }
        Seen::Action(Action::Demand(card)) => {
            let lead = format!(
                "{} {}",
                with_verb(&names[told.seat], "lead"),
                notation.card(rules.deck(), card)
            );
            let verb = if names[told.seat] == words::YOU { "demand" } else { "demands" };
            format!("{lead} and {verb} {}", demands(rules, card))
        }
        Seen::Action(action) => {
            let answered = game.moves().last().is_some_and(|played| played.answer.is_some());
            let verb = if answered { "answer" } else { "lead" };
            format!("{} {}", with_verb(&names[told.seat], verb), notation.action(rules, action))
        }
    };
    if let (Seen::Action(Action::Play(_) | Action::Free(_)), Some(played)) =
        (told.seen, game.moves().last())
        && let Some(winner) = played.winner
    {
        let won = with_verb(in_sentence(&names[winner]), "win");
        let _ = write!(text, "; {won} move {}", played.number);
    }
    format!("{text}.")
}

/// Describes the result of a finished game, and reveals the opponent's face-down card.
pub(crate) fn end_of_game(session: &Session, index: usize, notation: Notation) -> String {
    let game = session.game(index);
    let names = session.seat_names(index);
    let mut text = game.outcome().map_or_else(String::new, |outcome| {
        let ending = words::outcome(game.rules(), &outcome, &names, notation);
        let points = match outcome {
            Outcome::Mate(mate) => {
                format!(" points for {}", in_sentence(&names[mate.by]))
            }
            Outcome::Draw | Outcome::Resigned { .. } => String::new(),
        };
        let why = match outcome {
            Outcome::Mate(mate) => no_answer(session, index, mate),
            Outcome::Draw | Outcome::Resigned { .. } => String::new(),
        };
        format!("\n{why}{ending}{points}.")
    });
    let opponent = !session.seat(index);
    let face_down = game.rules().foreplacing().is_some_and(|f| f.face == Face::Down);
    let view = game.view(Viewer::Seat(!opponent));
    if let (true, Foreplaced::Card(card)) = (face_down, view.foreplaced(opponent)) {
        let card = notation.card(game.rules().deck(), card);
        let _ = write!(text, "\nThe card that {} had face down was {card}.", session.opponent());
    }
    text
}

/// Writes the points of all games and the result of the match.
pub(crate) fn end_of_match(session: &Session, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out)?;
    score_sheet::write(session.played_match(), &session.names(), out)?;
    writeln!(out, "\n{}.", score_sheet::result(session.played_match(), &session.names()))
}

/// Returns the message that the human's last action has been taken back. `before` is the index of the game in play before the undo.
pub(crate) fn undone(session: &Session, before: usize) -> String {
    let game = session.played_match().current_index();
    let again =
        if game == before { String::new() } else { format!("\nThis is game {} again.", game + 1) };
    format!("Your last action and all after it are taken back.{again}")
}

/// Describes which suits and ranks the mated player lacks, such as "you have no hearts and no ace".
fn no_answer(session: &Session, index: usize, mate: Mate) -> String {
    let deck = session.game(index).rules().deck();
    let names = session.seat_names(index);
    let has = match names[!mate.by].as_str() {
        words::YOU => "You have".to_owned(),
        name => format!("{name} has"),
    };
    format!(
        "{has} no {} and no {}. ",
        deck.suit_name(mate.card.suit),
        deck.rank_name(mate.card.rank)
    )
}

/// Writes a hint: the value of each legal action, the recommended action, and the assumptions behind the values.
pub(crate) fn hint(session: &Session, hint: &ShownHint, out: &mut dyn Write) -> io::Result<()> {
    let view = session.view();
    let rules = view.rules();
    let own = session.seat(session.played_match().current_index());
    let [worth, more] = hint.titles();
    let mut table =
        TextTable::new([("action", Align::Left), (worth, Align::Right), (more, Align::Right)]);
    for row in hint.rows(own) {
        table.row([rules.action_text(row.action).to_string(), row.worth, row.more]);
    }
    table.write(out)?;
    write!(out, "{}", filled(&hint.choice(rules, own, Notation::Letters)))?;
    hint.caveat().map_or(Ok(()), |text| write!(out, "{}", filled(&text)))
}

/// Returns the message that explains why an action is not legal, in the game terms of the rule set.
pub(crate) fn not_legal(rules: &RuleSet, illegal: &Illegal, notation: Notation) -> String {
    let mut illegal = illegal.clone();
    match &mut illegal {
        Illegal::NotHeld { card }
        | Illegal::ForeplacingRestricted { card, .. }
        | Illegal::NothingToDemand { card }
        | Illegal::FreeMoveNotNeeded { card }
        | Illegal::NeitherSuitNorRank { card, .. } => {
            if let Ok(read) = rules.deck().read_card(card) {
                *card = notation.card(rules.deck(), read);
            }
        }
        Illegal::GameOver
        | Illegal::NotInDeck
        | Illegal::ForeplacingFirst
        | Illegal::NoForeplacing
        | Illegal::ForeplacingOver
        | Illegal::MustFollowSuit { .. }
        | Illegal::MustFollowRank { .. }
        | Illegal::MustAnswerPrivilege { .. }
        | Illegal::MustFollowSuitOfPrivilege { .. }
        | Illegal::DemandWhileFollowing
        | Illegal::FreeWhileLeading
        | Illegal::NoFreeMove
        | Illegal::FreeMoveUsed => {}
    }
    rules.in_own_words(&format!("Not legal: {illegal}."))
}

/// Returns a summary of the rules in a few sentences, with the name of the command that shows the full rules.
pub(crate) fn in_short(rules: &RuleSet) -> String {
    let mut text = String::from(
        "Answer a lead in its suit, or else in its rank. A player who has neither is mated, and the leader scores the \
         points of the card times the number of the move. The higher card of the suit wins a move, or the \
         higher suit, and the winner leads. ",
    );
    if let Some(privilege) = rules.privilege() {
        let _ = write!(text, "{} ", words::privilege(rules, privilege));
    }
    if rules.foreplacing().is_some() {
        text.push_str(
            "Before that each may foreplace a card: it is out of play, and their mates then score more. ",
        );
    }
    if RuleSet::named(rules.name()).as_ref() == Ok(rules) {
        let _ = write!(text, "All of it: overmate rules {}", rules.name());
    }
    rules.in_own_words(text.trim_end())
}

/// Returns the help text of line mode, which explains the notation of cards and actions, and the commands.
pub(crate) fn help(rules: &RuleSet) -> String {
    let deck = rules.deck();
    let mut text = filled(&in_short(rules));
    if let Some(card) = deck.cards().get(1) {
        let (rank, suit) = (deck.rank_name(card.rank), deck.suit_name(card.suit));
        let card = deck.card_text(*card);
        let _ = writeln!(
            text,
            "\nCards are typed rank first: {card} is the {rank} of {suit}. What you can play is in brackets."
        );
    }
    let example = |suffix: &str| {
        deck.cards()
            .first()
            .map_or_else(String::new, |card| format!("{}{suffix}", deck.card_text(*card)))
    };
    let mut rows = vec![(example(""), "leads or follows with the card")];
    if rules.free_move() {
        rows.push((example("*"), "follows with it by the free move, once in a game"));
    }
    let demandable = deck.cards().iter().find(|card| rules.may_demand(**card));
    if let Some(card) = demandable {
        let what = "leads it and demands that its rank be answered first";
        rows.push((format!("{}!", deck.card_text(*card)), what));
    }
    if rules.foreplacing().is_some() {
        rows.push((format!("({})", example("")), "foreplaces the card, before the first move"));
        rows.push(("-".to_owned(), "foreplaces nothing"));
    }
    let commands = [
        ("show", "shows the table again (an empty line too)"),
        ("hint", "shows the values of your actions; the record marks it"),
        ("why", "explains your opponent's last action; the record marks it"),
        ("review", "shows the points lost in the last finished game, and known reasons"),
        ("undo", "takes back your last action and all after it; the record marks it"),
        ("score", "the score sheet of the match"),
        ("record", "the record of the match so far"),
        ("resign", "gives the match up"),
        ("quit", "leaves; you can resume the match later"),
    ];
    rows.extend(commands.map(|(word, what)| (word.to_owned(), what)));
    for (word, what) in rows {
        let _ = writeln!(text, "  {word:<8}{what}");
    }
    rules.in_own_words(&text)
}
