//! Tests that an archive of a server's matches contains every finished match but no personal data.

use std::path::Path;

use overmate_server::wire::{Export, MatchView, SharedDeals};
use overmate_server::{ArchiveError, Archived, Database, TargetFault, archive, copy_database};
use parquet::file::reader::{FileReader as _, SerializedFileReader};
use parquet::record::Field;
use serde_json::json;
use test_postgres::Postgres;

use crate::support::{Table, last_action, play_out, run, two};

/// Returns the rows of a Parquet file as strings. The first row holds the names of the columns.
fn rows(file: &Path) -> Vec<Vec<String>> {
    let reader = SerializedFileReader::try_from(file).unwrap();
    let columns = reader.metadata().file_metadata().schema_descr().columns().to_vec();
    let mut lines = vec![columns.iter().map(|column| column.name().to_owned()).collect()];
    for row in reader.get_row_iter(None).unwrap() {
        let text = |field: &Field| match field {
            Field::Long(number) => number.to_string(),
            Field::Bool(flag) => flag.to_string(),
            Field::Str(text) => text.clone(),
            other => panic!("{other:?} is of another type"),
        };
        lines.push(row.unwrap().get_column_iter().map(|(_, field)| text(field)).collect());
    }
    lines
}

#[test]
fn an_archive_has_the_play_of_every_finished_match_and_no_names() {
    run(async {
        let table = Table::new().await;
        let (mut host, mut guest, resigned) = two(&table, "bga").await;
        play_out(&mut host, &mut guest, &resigned.id, 1).await;
        let _: MatchView = host.ask(&resigned.id, "resign").await.ok();
        let finished = host.begin("sackson", json!({"kind": "both"})).await;
        let mut same = host.clone();
        play_out(&mut host, &mut same, &finished.id, usize::MAX).await;
        host.begin("bga", json!({"kind": "both"})).await;
        // The archive leaves out a finished match on the deal of the day, because the deal stays secret until the day ends.
        let deals: SharedDeals = host.get("/api/v1/shared-deals").await.ok();
        let today = format!("/api/v1/shared-deals/{}/bga", deals.today[0].name);
        let secret: MatchView = host.post(&today, json!({})).await.ok();
        host.finish(secret, last_action).await;
        // For the same reason, the archive leaves out another finished match on this deal, such as a match for practice.
        let deals: SharedDeals = host.get("/api/v1/shared-deals").await.ok();
        let number = deals.today[0].deal.clone().expect("the number of a finished deal");
        let practice = json!({"rules": "bga", "deal": number, "one_round": true, "opponent": {"kind": "both"}});
        let practice: MatchView = host.post("/api/v1/matches", practice).await.ok();
        let mut same = host.clone();
        play_out(&mut host, &mut same, &practice.id, usize::MAX).await;
        let export: Export = host.get("/api/v1/me/export").await.ok();
        let database = Database::from(table.folder.path().to_owned());
        let folder = table.folder.path().join("archive");
        let written = archive(&database, &folder, false).await.unwrap();
        let (matches, entries) =
            (rows(&folder.join("matches.parquet")), rows(&folder.join("entries.parquet")));
        assert_eq!(matches.len() as u64, written.matches + 1);
        assert_eq!(entries.len() as u64, written.entries + 1);
        assert_eq!(
            matches[0].join(" "),
            "match day rules player_a player_b alone shared_deal deal_chosen deals games points_a points_b resigned offline"
        );
        assert_eq!(entries[0].join(" "), "match entry game player kind action seconds");

        // The archive of finished matches agrees with the game records that the server sends for the same matches.
        let mut compared = 0;
        for (view, rules, alone) in [(&resigned, "bga", "false"), (&finished, "sackson", "true")] {
            let row = matches.iter().find(|row| row[2] == rules).unwrap();
            let played = host.record(&view.id).await;
            let totals = played.totals();
            assert_eq!(row[3..6], ["person", "person", alone]);
            assert_eq!(
                row[9..12],
                [i64::try_from(played.games().len()).unwrap(), totals.a.into(), totals.b.into()]
                    .map(|number: i64| number.to_string())
            );
            assert_eq!(row[12], if rules == "bga" { "a" } else { "" });
            for (index, game) in played.games().iter().enumerate() {
                let number = (index + 1).to_string();
                let acts = entries
                    .iter()
                    .filter(|entry| entry[0] == row[0] && entry[2] == number && entry[4] == "act");
                let acts: Vec<&str> = acts.map(|entry| entry[5].as_str()).collect();
                let actions: Vec<String> = game
                    .actions()
                    .iter()
                    .map(|action| played.rules().action_text(*action).to_string())
                    .collect();
                assert_eq!(acts, actions);
                compared += acts.len();
            }
        }
        assert!(compared > 20, "{compared}");
        assert_eq!(written.matches, 2);
        assert!(matches.iter().all(|row| !row[8].split(' ').any(|deal| deal == number)));

        let secrets =
            [export.identity.unwrap(), "Guest".to_owned(), resigned.id.clone(), resigned.watch];
        let written: String =
            matches.iter().chain(&entries).flatten().map(String::as_str).collect();
        assert!(secrets.iter().all(|secret| !secret.is_empty() && !written.contains(secret)));
    });
}

#[test]
fn an_archive_replaces_no_file_without_force_and_reads_folded_and_erased_matches() {
    run(async {
        let table = Table::new().await;
        let database = Database::from(table.folder.path().to_owned());
        let folder = table.folder.path().join("archive");
        assert_eq!(archive(&database, &folder, false).await.unwrap(), Archived::default());
        let refused = archive(&database, &folder, false).await;
        assert!(matches!(refused, Err(ArchiveError::Exists(_))), "{refused:?}");
        let (mut host, mut guest, state) = two(&table, "bga").await;
        play_out(&mut host, &mut guest, &state.id, 1).await;
        let _: MatchView = host.ask(&state.id, "resign").await.ok();
        archive(&database, &folder, true).await.unwrap();
        let before = [rows(&folder.join("matches.parquet")), rows(&folder.join("entries.parquet"))];
        assert!(before[1].len() > 5);
        // The archive of finished matches stays the same after the log of a match is folded and one player has erased their data.
        table.server.remove_expired(4_000_000_000).await;
        assert!(host.erase().await.status.is_success());
        archive(&database, &folder, true).await.unwrap();
        let after = [rows(&folder.join("matches.parquet")), rows(&folder.join("entries.parquet"))];
        assert_eq!(before, after);
        let files = std::fs::read_dir(&folder).unwrap().count();
        assert_eq!(files, 2);
        // If `entries.parquet` is not a regular file, both files stay as they are, with and without permission to replace them.
        std::fs::remove_file(folder.join("entries.parquet")).unwrap();
        std::fs::create_dir(folder.join("entries.parquet")).unwrap();
        let old = std::fs::read(folder.join("matches.parquet")).unwrap();
        let refused = archive(&database, &folder, true).await;
        let irregular =
            |refused| matches!(refused, Err(ArchiveError::Target(TargetFault::Irregular(_))));
        assert!(irregular(refused));
        assert_eq!(std::fs::read(folder.join("matches.parquet")).unwrap(), old);
        std::fs::remove_file(folder.join("matches.parquet")).unwrap();
        assert!(irregular(archive(&database, &folder, false).await));
        let missing = Database::from(table.folder.path().join("missing"));
        let refused = archive(&missing, &folder, true).await;
        assert!(matches!(refused, Err(ArchiveError::NoDatabase(_))), "{refused:?}");
    });
}

#[test]
fn a_damaged_match_is_named_and_left_out_and_the_others_are_written() {
    let postgres = Postgres::start();
    let address = postgres.database();
    run(async {
        let table = Table::new().await;
        let mut host = table.browser();
        let mut ids = Vec::new();
        for _ in 0..5 {
            let state = host.begin("bga", json!({"kind": "both"})).await;
            let mut same = host.clone();
            play_out(&mut host, &mut same, &state.id, usize::MAX).await;
            ids.push(state.id);
        }
        table.server.close().await;
        let sqlite = Database::from(table.folder.path().to_owned());
        let folder = table.folder.path().join("archive");
        let whole = archive(&sqlite, &folder, false).await.unwrap();
        assert_eq!((whole.matches, &whole.skipped[..]), (5, &[][..]));
        let whole = rows(&folder.join("entries.parquet"));

        let target: Database = address.parse().unwrap();
        copy_database(&sqlite, &target, &mut |_, _| ()).await.unwrap();
        let damages = [
            format!("DELETE FROM seats WHERE match_id = '{}' AND player = 'b'", ids[0]),
            format!("UPDATE log SET detail = 'Zz' WHERE match_id = '{}' AND sequence = 5", ids[1]),
            format!("UPDATE log SET kind = 'later' WHERE match_id = '{}' AND sequence = 5", ids[2]),
            format!("DELETE FROM log WHERE match_id = '{}'", ids[3]),
        ];
        for damage in &damages {
            assert_eq!(postgres.rows(&address, damage).len(), 1, "{damage}");
        }
        let written = archive(&target, &folder, true).await.unwrap();
        let mut skipped: Vec<_> = written.skipped.iter().map(|skipped| &skipped.id).collect();
        let mut damaged: Vec<_> = ids[..4].iter().collect();
        skipped.sort();
        damaged.sort();
        assert_eq!(skipped, damaged);
        let reason = |id| written.skipped.iter().find(|found| found.id == ids[id]).unwrap();
        assert!(reason(0).reason.contains("a match without two seats"), "{written:?}");
        assert!(reason(1).reason.contains("entry 5 in the stored log"), "{written:?}");
        assert!(reason(2).reason.contains("an entry of a log"), "{written:?}");
        assert!(reason(3).reason.contains("a finished match without a log"), "{written:?}");
        // The archive contains all log entries of the only undamaged match. The match has the number 1.
        let matches = rows(&folder.join("matches.parquet"));
        let entries = rows(&folder.join("entries.parquet"));
        assert_eq!((matches.len(), matches[1][0].as_str()), (2, "1"));
        let sound: Vec<_> = entries[1..].iter().map(|entry| entry[1..].to_vec()).collect();
        let before: Vec<_> = whole[1..].iter().map(|entry| entry[1..].to_vec()).collect();
        assert!(sound.len() > 10 && before.windows(sound.len()).any(|part| part == sound));
    });
}
