//! Implements the command `overmate admin`, with which operators find and change the data of a server.

use std::io::Write;

use anyhow::{Result, bail};
use overmate_server::{
    Admin, FairPlay, Found, FoundBrowser, FoundMatch, FoundOccupant, FoundOffer, FoundSeat,
    Measure, OperatorAct, Peers, RatingBand, Renamed, Revoked, TimedPlay,
};
use overmate_terminal::errors::write_error;
use overmate_terminal::text::columns::{Align, TextTable};
use overmate_terminal::text::words;
use overmate_terminal::untrusted::isolated_line;

use super::admin_events::write_events;
use super::database_options::database;
use super::maintenance::finish;
use super::moderation;
use crate::cli::{AdminArgs, AdminCommand, FindArgs, PlayerArg, RevokeArgs};
use crate::json::{
    self, ActWire, BrowserWire, ChangedWire, FairPlayWire, FoundMatchWire, FoundOfferWire,
    FoundSeatWire, FoundWire, PairWire, PeersWire, RatingBandWire, TimedPlayWire,
};

pub(crate) fn run(args: &AdminArgs, out: &mut dyn Write) -> Result<()> {
    let database = database(&args.data)?;
    finish(async {
        let mut admin = Admin::open(&database).await?;
        let done = act(&mut admin, args, out).await;
        admin.close().await?;
        done
    })?
}

async fn act(admin: &mut Admin, args: &AdminArgs, out: &mut dyn Write) -> Result<()> {
    match &args.command {
        AdminCommand::Find(find) => {
            let found = admin.find(&find.text, find.limit).await?;
            write_found(&found, find, args.json, out)
        }
        AdminCommand::Rename(rename) => {
            let player = rename.player.map(Into::into);
            let name = rename.name.as_deref();
            let reason = &rename.reason.reason;
            match admin.rename(&rename.target, player, name, reason).await? {
                Renamed::Player(matches) if args.json => json::print(out, &ChangedWire { matches }),
                Renamed::Event(_) if args.json => json::print(out, &ChangedWire { matches: 0 }),
                Renamed::Player(matches) => {
                    tell(out, &format!("Renamed. Matches: {}", words::grouped(matches)))
                }
                Renamed::Event(Some(title)) => {
                    tell(out, &format!("The event has the title {} now", isolated_line(&title)))
                }
                Renamed::Event(None) => tell(out, "The event has no title now"),
            }
        }
        AdminCommand::End(end) => {
            admin.end(&end.target, end.loser.into(), &end.reason.reason).await?;
            if args.json {
                return json::print(out, &ChangedWire { matches: 1 });
            }
            let loser = match end.loser {
                PlayerArg::A => "A",
                PlayerArg::B => "B",
            };
            tell(out, &format!("The match is over: player {loser} resigned"))
        }
        AdminCommand::Event(event) => super::admin_events::run(admin, event, args.json, out).await,
        AdminCommand::Revoke(revoke) => {
            let RevokeArgs { target, passkeys, reason } = revoke;
            match admin.revoke_all(target, *passkeys, &reason.reason).await? {
                Revoked::Browser(new) if args.json => json::print(out, &browser_wire(&new)),
                Revoked::Invitation if args.json => json::print(out, &ChangedWire { matches: 1 }),
                Revoked::Offer if args.json => json::print(out, &ChangedWire { matches: 0 }),
                Revoked::Browser(new) => {
                    tell(out, &format!("The cookie is revoked: {}", owned(&new)))?;
                    tell(out, &format!("All of this now belongs to the browser {}", new.id))
                }
                Revoked::Invitation => tell(out, "The invitation is revoked"),
                Revoked::Offer => tell(out, "The offer is withdrawn"),
            }
        }
        AdminCommand::Erase(erase) => {
            let erased = admin.erase(&erase.target, &erase.reason.reason).await?;
            if args.json {
                return json::print(out, &browser_wire(&erased));
            }
            tell(out, &format!("Erased: {}", owned(&erased)))
        }
        AdminCommand::Reports(reports) => moderation::reports(admin, reports, args.json, out).await,
        AdminCommand::Warn(warn) => {
            let measure = Measure::Warn(warn.text.clone());
            moderation::measure(admin, (&warn.target, &measure), &warn.act, args.json, out).await
        }
        AdminCommand::Mute(mute) => {
            let measure = Measure::Mute(mute.days);
            moderation::measure(admin, (&mute.target, &measure), &mute.act, args.json, out).await
        }
        AdminCommand::Close(close) => {
            let measure = if close.reopen { Measure::Reopen } else { Measure::Close };
            moderation::measure(admin, (&close.target, &measure), &close.act, args.json, out).await
        }
        AdminCommand::FairPlay(args_of) => {
            let found = admin.fair_play(&args_of.target, args_of.limit).await?;
            write_fair_play(&found, args.json, out)
        }
        AdminCommand::Log(_) => write_log(&admin.acts().await?, args.json, out),
    }
}

fn tell(out: &mut dyn Write, text: &str) -> Result<()> {
    writeln!(out, "{text}").map_err(write_error)
}

/// Formats the number of matches and the number of puzzle attempts of a browser identity.
fn owned(browser: &FoundBrowser) -> String {
    let [matches, attempts] = [browser.matches, browser.puzzle_attempts].map(words::grouped);
    format!("matches {matches}, puzzle attempts {attempts}")
}

fn write_found(found: &Found, args: &FindArgs, is_json: bool, out: &mut dyn Write) -> Result<()> {
    let Found { browser, matches, offers, events } = found;
    if browser.is_none() && matches.is_empty() && offers.is_empty() && events.is_empty() {
        bail!(
            "the database has no match, open offer, event, browser or name that fits `{}`: search with another text, or for an account by its whole handle, such as `@anna`",
            args.text
        );
    }
    if is_json {
        let wire = FoundWire {
            browser: browser.as_ref().map(browser_wire),
            matches: matches.iter().map(match_wire).collect(),
            offers: offers.iter().map(offer_wire).collect(),
            events,
        };
        return json::print(out, &wire);
    }
    if let Some(browser) = browser {
        let handle = browser.handle.as_ref().map(|handle| format!(" (@{handle})"));
        let handle = handle.unwrap_or_default();
        tell(out, &format!("Browser {}{handle}: {}", browser.id, owned(browser)))?;
        if let Some(tokens) = &browser.tokens {
            let names: Vec<String> = tokens.iter().map(|name| isolated_line(name)).collect();
            let names = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
            tell(out, &format!("The account is a bot. Its tokens: {names}"))?;
        }
    }
    if !offers.is_empty() {
        write_offers(offers, out)?;
    }
    if !events.is_empty() {
        write_events(events, out)?;
    }
    if matches.is_empty() {
        return Ok(());
    }
    let head = ["match", "player", "name", "occupant", "state", "rules", "created", "last entry"];
    let mut table = TextTable::new(head.map(|title| (title, Align::Left)));
    for found in matches {
        for (seat, player) in found.seats.iter().zip(["A", "B"]) {
            let (kind, id) = occupant(seat);
            table.row([
                found.id.clone(),
                player.to_owned(),
                seat.name.as_deref().map_or_else(|| "-".to_owned(), isolated_line),
                id.unwrap_or(kind).to_owned(),
                state(found).to_owned(),
                found.rules.clone(),
                found.created_at.clone(),
                found.acted_at.clone().unwrap_or_else(|| "-".to_owned()),
            ]);
        }
    }
    table.write(out).map_err(write_error)
}

fn write_offers(offers: &[FoundOffer], out: &mut dyn Write) -> Result<()> {
    let head = ["open offer", "name", "browser", "rules", "made", "until"];
    let mut table = TextTable::new(head.map(|title| (title, Align::Left)));
    for offer in offers {
        table.row([
            offer.id.clone(),
            offer.name.as_deref().map_or_else(|| "-".to_owned(), isolated_line),
            offer.browser.clone(),
            offer.rules.clone(),
            offer.made_at.clone(),
            offer.until.clone(),
        ]);
    }
    table.write(out).map_err(write_error)
}

fn write_fair_play(found: &FairPlay, is_json: bool, out: &mut dyn Write) -> Result<()> {
    if is_json {
        return json::print(out, &fair_play_wire(found));
    }
    if found.matches == 0 {
        return tell(out, "No finished match with clocks against another person");
    }
    tell(out, &format!("Matches with clocks against people: {}", found.matches))?;
    let mut table = TextTable::new([
        ("seconds", Align::Right),
        ("choices", Align::Right),
        ("best", Align::Right),
        ("lost/choice", Align::Right),
        ("opponents", Align::Right),
        ("best", Align::Right),
        ("lost/choice", Align::Right),
        ("peers", Align::Right),
        ("best", Align::Right),
        ("lost/choice", Align::Right),
    ]);
    tell(out, &peers_text(&found.peers))?;
    let mut from = 0;
    let others = found.opponents.iter().zip(&found.peers.play);
    for (person, (opponent, peer)) in found.person.iter().zip(others) {
        let span = match person.below {
            Some(below) => format!("{from}-{below}"),
            None => format!("{from}-"),
        };
        from = person.below.unwrap_or(from);
        let [choices, best, lost] = rates(person);
        let [others, others_best, others_lost] = rates(opponent);
        let [peers, peers_best, peers_lost] = rates(peer);
        table.row([
            span,
            choices,
            best,
            lost,
            others,
            others_best,
            others_lost,
            peers,
            peers_best,
            peers_lost,
        ]);
    }
    table.write(out).map_err(write_error)
}

/// Describes the rated players with whom `admin fair-play` compares a person. Without such players, gives the reason.
fn peers_text(peers: &Peers) -> String {
    let band = |RatingBand { rules, from, to, players }: &RatingBand| {
        format!("{players} players rated {from} to {to} in {rules}")
    };
    let bands: Vec<String> = peers.bands.iter().map(band).collect();
    if bands.is_empty() {
        return "Peers: none, because the person has no live rating in these rule sets".to_owned();
    }
    format!("Peers: {}; {} matches", bands.join(", "), peers.matches)
}

fn fair_play_wire(found: &FairPlay) -> FairPlayWire {
    let [person, opponents, play] = [&found.person, &found.opponents, &found.peers.play]
        .map(|counts| counts.iter().map(timed_play_wire).collect());
    let bands = found.peers.bands.iter().cloned();
    let bands = bands.map(|RatingBand { rules, from, to, players }| RatingBandWire {
        rules,
        from,
        to,
        players,
    });
    let peers = PeersWire { bands: bands.collect(), matches: found.peers.matches, play };
    FairPlayWire { matches: found.matches, person, opponents, peers }
}

/// Formats three statistics of a player's decisions: the number of decisions, the percentage of best actions, and the
/// mean points lost. A decision counts only if the legal actions differ in value.
fn rates(play: &TimedPlay) -> [String; 3] {
    if play.choices == 0 {
        return ["0", "-", "-"].map(str::to_owned);
    }
    let mean = |sum: u32| f64::from(sum) / f64::from(play.choices);
    [
        play.choices.to_string(),
        format!("{:.0} %", 100.0 * mean(play.best)),
        format!("{:.1}", mean(play.points_lost)),
    ]
}

fn timed_play_wire(play: &TimedPlay) -> TimedPlayWire {
    let TimedPlay { below, choices, best, points_lost } = *play;
    TimedPlayWire { below, choices, best, points_lost }
}

fn write_log(acts: &[OperatorAct], is_json: bool, out: &mut dyn Write) -> Result<()> {
    if is_json {
        for OperatorAct { at, act, target, reason, matches } in acts {
            json::print(out, &ActWire { at, act, target, reason, matches: *matches })?;
        }
        return Ok(());
    }
    if acts.is_empty() {
        return tell(out, "The log is empty");
    }
    let mut table = TextTable::new([
        ("time", Align::Left),
        ("act", Align::Left),
        ("matches", Align::Right),
        ("target", Align::Left),
        ("reason", Align::Left),
    ]);
    for act in acts {
        let matches = act.matches.map(words::grouped);
        table.row([
            act.at.clone(),
            act.act.clone(),
            matches.unwrap_or_else(|| "interrupted".to_owned()),
            act.target.clone(),
            act.reason.clone(),
        ]);
    }
    table.write(out).map_err(write_error)
}

fn browser_wire(browser: &FoundBrowser) -> BrowserWire<'_> {
    let FoundBrowser { id, handle, tokens, matches, puzzle_attempts } = browser;
    BrowserWire {
        browser: id,
        handle: handle.as_deref(),
        bot_tokens: tokens.as_deref(),
        matches: *matches,
        puzzle_attempts: *puzzle_attempts,
    }
}

fn match_wire(found: &FoundMatch) -> FoundMatchWire<'_> {
    let [a, b] = &found.seats;
    FoundMatchWire {
        id: &found.id,
        rules: &found.rules,
        state: state(found),
        created_at: &found.created_at,
        acted_at: found.acted_at.as_deref(),
        ended_at: found.ended_at.as_deref(),
        players: PairWire { a: seat_wire(a), b: seat_wire(b) },
    }
}

fn offer_wire(found: &FoundOffer) -> FoundOfferWire<'_> {
    let FoundOffer { id, browser, name, rules, made_at, until } = found;
    FoundOfferWire { id, browser, name: name.as_deref(), rules, made_at, until }
}

fn seat_wire(seat: &FoundSeat) -> FoundSeatWire<'_> {
    let (kind, id) = occupant(seat);
    FoundSeatWire { name: seat.name.as_deref(), kind, id }
}

/// Returns the kind of a seat's occupant (`browser`, `computer`, `open` or `deleted`), and the id of a browser identity
/// or the name of a computer opponent.
fn occupant(seat: &FoundSeat) -> (&'static str, Option<&str>) {
    match &seat.occupant {
        FoundOccupant::Browser(id) => ("browser", Some(id)),
        FoundOccupant::Computer(name) => ("computer", Some(name)),
        FoundOccupant::Open => ("open", None),
        FoundOccupant::Deleted => ("deleted", None),
    }
}

fn state(found: &FoundMatch) -> &'static str {
    match (&found.ended_at, found.invites) {
        (Some(_), _) => "over",
        (None, true) => "invites",
        (None, false) => "running",
    }
}
