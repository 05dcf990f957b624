//! Tests the command `admin fair-play` with the real binary while a server runs.

use overmate_rules::{Match, Player, Position, Record};
use overmate_solver::{Budget, Solver};
use serde_json::{Value, json};

use crate::admin::{admin, browser, get, invitation, log, text};
use crate::serve::{HttpClient, ServerProcess};
use crate::support::Home;

/// Statistics of a player's decisions: the number of decisions, the number of best actions, and the points lost. A
/// decision counts only if the legal actions differ in value.
type Counts = [u64; 3];

/// Begins a match under the rule set `bga`. The inviting player is player A.
fn begin(
    (host, guest): (&mut HttpClient, &mut HttpClient),
    served: &ServerProcess,
    clock: &Value,
    rated: bool,
) -> String {
    let new = json!({
        "rules": "bga", "opponent": {"kind": "friend"}, "lead": "me", "clock": clock, "rated": rated
    });
    let (status, state) = host.send(&served.address, "POST", "/api/v1/matches", &new).unwrap();
    assert_eq!(status, 201, "{state}");
    let (status, joined) =
        guest.send(&served.address, "POST", &invitation(&state), &json!({})).unwrap();
    assert_eq!(status, 200, "{joined}");
    text(&state["id"]).to_owned()
}

/// Plays a match to its end: each player always takes the first legal action.
fn play(players: [&mut HttpClient; 2], served: &ServerProcess, id: &str) {
    let [host, guest] = players;
    let mut acted = 0;
    while get(host, served, id).1["result"].is_null() {
        for client in [&mut *host, &mut *guest] {
            let seen = get(client, served, id).1;
            if !seen["current"]["legal"].as_array().unwrap().is_empty() {
                acted += 1;
                client.act(&served.address, &seen, &format!("request-{acted}")).unwrap();
            }
        }
    }
}

/// Returns the statistics of the decisions of players A and B in a match. A solver computes the statistics from the match record.
fn counted(client: &mut HttpClient, served: &ServerProcess, id: &str) -> [Counts; 2] {
    let (_, export) =
        client.send(&served.address, "GET", "/api/v1/me/export", &Value::Null).unwrap();
    let mut exported = export["matches"].as_array().unwrap().iter();
    let found = exported.find(|exported| exported["summary"]["id"] == id).unwrap();
    let record = Record::read(text(&found["record"])).unwrap();
    let mut counted = [Counts::default(); 2];
    let mut solver = Solver::new();
    for (index, game) in record.played_match().games().iter().enumerate() {
        let mut position = Position::start(game.dealt());
        for &action in game.actions() {
            let seat = position.to_act().unwrap();
            let analysis = solver.analyse_position(&position, &Budget::unlimited());
            let values = analysis
                .actions
                .iter()
                .map(|known| (known.action, known.value.exact().unwrap().for_seat(seat)));
            let values: Vec<_> = values.collect();
            let best = values.iter().map(|(_, value)| *value).max().unwrap();
            let own = values.iter().find(|(other, _)| *other == action).unwrap().1;
            if values.iter().any(|(_, value)| *value != best) {
                let counts = &mut counted[usize::from(Match::seat(index, Player::A) != seat)];
                counts[0] += 1;
                counts[1] += u64::from(own == best);
                counts[2] += u64::from(best.abs_diff(own));
            }
            position = position.play(action).unwrap();
        }
    }
    counted
}

/// Returns the statistics of a player's decisions in the output of `admin fair-play`, summed over all ranges of decision times.
fn summed(spans: &Value) -> Counts {
    let spans = spans.as_array().unwrap();
    assert_eq!(spans.len(), 5);
    ["choices", "best", "points_lost"]
        .map(|key| spans.iter().map(|span| span[key].as_u64().unwrap()).sum())
}

fn fair_play(home: &Home, target: &str) -> Value {
    serde_json::from_str(&admin(home, &["fair-play", target, "--json"]).ok()).unwrap()
}

#[test]
fn fair_play_counts_the_best_choices_of_clocked_matches_between_people() {
    let home = Home::new();
    let served = ServerProcess::start(&home, &[]);
    let (mut anna, mut bert) = (HttpClient::default(), HttpClient::default());
    let mut ids = Vec::new();
    for clock in [json!({"kind": "live", "base": 10_000, "increment": 10}), Value::Null] {
        let id = begin((&mut anna, &mut bert), &served, &clock, false);
        play([&mut anna, &mut bert], &served, &id);
        ids.push(id);
    }
    let expected = counted(&mut anna, &served, &ids[0]);
    assert!(
        expected.iter().all(|[choices, best, _]| *choices > 5 && best < choices),
        "{expected:?}"
    );
    for (client, [own, other]) in [(&mut anna, expected), (&mut bert, [expected[1], expected[0]])] {
        let id = browser(client, &served);
        let found = fair_play(&home, &id);
        assert_eq!(found["matches"], 1, "the match without a clock does not count");
        assert_eq!([summed(&found["person"]), summed(&found["opponents"])], [own, other]);
        // The command `admin fair-play` finds no players with similar ratings, because nobody has a rating yet.
        assert_eq!((&found["peers"]["bands"], &found["peers"]["matches"]), (&json!([]), &json!(0)));
        assert_eq!(summed(&found["peers"]["play"]), Counts::default());
        let table = admin(&home, &["fair-play", &id]).ok();
        assert!(
            table.starts_with("Matches with clocks against people: 1\nPeers: none,"),
            "{table}"
        );
        assert_eq!(table.lines().count(), 8, "{table}");
    }
    assert!(log(&home).is_empty(), "the figures are no act");
}

#[test]
fn fair_play_shows_the_play_of_others_with_near_ratings() {
    let home = Home::new();
    let served = ServerProcess::start(&home, &[]);
    let handles = ["Anna", "Bert", "Cara", "Dora"];
    let mut people = handles.map(|handle| {
        let mut client = HttpClient::default();
        let account = json!({"handle": handle, "password": "correct horse battery"});
        let made = client.send(&served.address, "POST", "/api/v1/me/account", &account);
        assert_eq!(made.unwrap().0, 201);
        client
    });
    let clock = json!({"kind": "live", "base": 10_000, "increment": 10});
    let [anna, bert, cara, dora] = &mut people;
    let first = begin((anna, bert), &served, &clock, true);
    play([anna, bert], &served, &first);
    let [_, of_bert] = counted(anna, &served, &first);
    let second = begin((cara, dora), &served, &clock, true);
    play([cara, dora], &served, &second);
    let [of_cara, of_dora] = counted(cara, &served, &second);
    assert!([of_bert, of_cara, of_dora].iter().all(|[choices, ..]| *choices > 5));
    let change = |statement: &'static str| {
        crate::maintenance::change(&home.path("server/overmate.sqlite"), statement);
    };
    change(
        "UPDATE ratings SET rating = 1500 + (SELECT CASE handle WHEN 'Bert' THEN 100 WHEN 'Cara' THEN -30 WHEN 'Dora' THEN 101 ELSE 0 END
         FROM accounts WHERE accounts.person = ratings.person)",
    );
    // The ratings of Bert and Cara are within 100 points of Anna's rating, and Dora's rating is not.
    let peers = |target: &str| fair_play(&home, target)["peers"].clone();
    let sum = |one: Counts, other: Counts| [0, 1, 2].map(|index| one[index] + other[index]);
    let found = peers("@anna");
    assert_eq!(found["bands"], json!([{"rules": "bga", "from": 1400, "to": 1600, "players": 2}]));
    assert_eq!((&found["matches"], summed(&found["play"])), (&json!(2), sum(of_bert, of_cara)));
    let table = admin(&home, &["fair-play", "@anna"]).ok();
    assert!(table.contains("\nPeers: 2 players rated 1400 to 1600 in bga; 2 matches\n"), "{table}");
    // Only Bert's rating is within 100 points of Dora's rating.
    let found = peers("@dora");
    assert_eq!((&found["bands"][0]["players"], summed(&found["play"])), (&json!(1), of_bert));
    // The command `admin fair-play` ignores ratings at another pace or under another rule set than those of the person's matches.
    change("UPDATE ratings SET pace = 'correspondence'");
    assert_eq!(peers("@anna")["bands"], json!([]));
    change("UPDATE ratings SET pace = 'live', rules = 'sackson'");
    assert_eq!(peers("@anna")["bands"], json!([]));
}
