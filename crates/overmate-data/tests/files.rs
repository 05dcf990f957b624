//! Tests that files of deal values are read as they were written, and that every kind of fault is reported.

#![allow(clippy::unwrap_used, reason = "a panic reports the failure of a test")]

use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use overmate_data::{CsvWriter, DataError, DealColumn, DealFile, DealTable};
use overmate_rules::{Deal, Dealt, Position, RuleSet, error_with_causes};
use parquet::basic::{Compression, Repetition, Type as Physical};
use parquet::column::writer::ColumnWriter;
use parquet::data_type::ByteArray;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;
use tempfile::TempDir;
use twox_hash::XxHash3_64;

fn rules(name: &str) -> Arc<RuleSet> {
    RuleSet::named(name).unwrap().shared()
}

fn column(rules: &str, values: impl Iterator<Item = i32>) -> DealColumn {
    DealColumn { rules: rules.to_owned(), values: values.collect() }
}

/// Returns a test table of 600 deals of a deck, with pseudorandom numbers as the values of the deals.
fn table(deck: &str, names: &[&str]) -> DealTable {
    let mut random = fastrand::Rng::with_seed(7);
    let mut values = || (0..600).map(|_| random.i32(-220..=110)).collect::<Vec<_>>().into_iter();
    let columns = names.iter().map(|name| column(name, values())).collect();
    DealTable::new(&rules(deck), 100..700, columns).unwrap()
}

/// Writes a table of deals into a new folder, and returns the folder with the path of the file.
fn written(table: &DealTable) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("table.parquet");
    table.write_parquet(&file).unwrap();
    (folder, file)
}

/// Reads all columns of a file of deal values, or returns the text of the error.
fn read(file: &Path) -> Result<DealTable, String> {
    let read = DealFile::open(file).and_then(|file| file.read(&file.names()));
    read.map_err(|error| error_with_causes(&error))
}

#[test]
fn a_file_holds_the_table_that_was_written() {
    for (deck, names) in [
        ("bga", &["bga", "sackson", "denexa+free-move"][..]),
        ("rael+double", &["rael+double"]),
        // Hands of 24 cards have longer texts than hands of ten cards.
        ("sackson+pinochle", &["sackson+pinochle"]),
    ] {
        let table = table(deck, names);
        let (_folder, path) = written(&table);
        let file = DealFile::open(&path).unwrap();
        assert_eq!((file.names(), file.rows()), (names.to_vec(), 600));
        assert_eq!(file.read(names).unwrap(), table);
        assert_eq!(file.metadata()["overmate.format"], "1");
        assert_eq!(file.metadata()["overmate.version"], env!("CARGO_PKG_VERSION"));

        let reversed: Vec<&str> = names.iter().rev().copied().collect();
        let some = file.read(&reversed[..1]).unwrap();
        assert_eq!(some.columns(), &table.columns()[names.len() - 1..]);
    }
}

/// Writes a table of deals to a file.
type Write = fn(&DealTable, &Path) -> Result<(), DataError>;

#[test]
fn a_file_is_replaced_as_a_whole() {
    let (old, new) = (table("bga", &["bga"]), table("bga", &["sackson", "bga"]));
    for write in [DealTable::write_parquet as Write, DealTable::write_csv] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("table");
        write(&old, &path).unwrap();
        let before = fs::read(&path).unwrap();
        // The open file keeps its contents, because the new file takes only its name.
        let mut open = File::open(&path).unwrap();
        write(&new, &path).unwrap();
        let mut contents = Vec::new();
        open.read_to_end(&mut contents).unwrap();
        assert!(contents == before && fs::read(&path).unwrap() != before);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        let error = write(&new, folder.path()).unwrap_err().to_string();
        assert!(error.contains("the path is not a regular file"), "{error}");
        write(&new, &folder.path().join("none/table")).unwrap_err();
    }
}

#[cfg(unix)]
#[test]
fn a_file_is_written_to_the_target_of_a_link_with_the_permissions_of_a_new_file() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    let table = table("bga", &["bga"]);
    for write in [DealTable::write_parquet as Write, DealTable::write_csv] {
        let folder = tempfile::tempdir().unwrap();
        let [target, link, new] = ["target", "link", "new"].map(|name| folder.path().join(name));
        fs::write(&target, "").unwrap();
        symlink("target", &link).unwrap();
        write(&table, &link).unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert!(fs::metadata(&target).unwrap().len() > 0);
        fs::write(&new, "").unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode(&target), mode(&new));
        // A new file gets the permissions of the file that it replaces, and a link without a target is refused.
        fs::set_permissions(&target, fs::Permissions::from_mode(0o600)).unwrap();
        write(&table, &target).unwrap();
        assert_eq!(mode(&target) & 0o777, 0o600);
        fs::remove_file(&target).unwrap();
        let refused = write(&table, &link).unwrap_err().to_string();
        assert!(refused.contains("symbolic link whose target does not exist"), "{refused}");
    }
}

#[test]
fn rows_describe_their_deals() {
    for name in ["bga", "bga+double", "rael", "rael+double"] {
        let rules = rules(name);
        let table = table(name, &[]);
        let mut twins = 0;
        for (row, number) in (100..700).enumerate() {
            let dealt = Deal::numbered(&rules, number).unwrap();
            let hands = Position::start(&dealt).hands();
            assert_eq!(table.row_of(number).unwrap(), row);
            assert_eq!(u64::try_from(table.deals()[row]), Ok(number));
            assert_eq!(u64::try_from(table.same_as()[row]), Ok(dealt.number()));
            assert_eq!(table.first()[row], rules.deck().cards_text(hands.first, " "));
            assert_eq!(table.second()[row], rules.deck().cards_text(hands.second, " "));
            assert!(table.describes_its_deal(&rules, row).unwrap());
            twins += usize::from(table.deals()[row] != table.same_as()[row]);
        }
        assert_eq!(twins > 300, name.ends_with("double"), "{name}: {twins}");
    }
}

#[test]
fn csv_has_a_header_and_the_requested_rows() {
    let table = DealTable::new(
        &rules("bga"),
        [0, 184_755],
        vec![column("bga", [-12, 5].into_iter()), column("sackson", [0, 220].into_iter())],
    );
    let table = table.unwrap();
    let mut text = Vec::new();
    let mut csv = CsvWriter::new(&mut text, &table).unwrap();
    csv.row(&table, 1).unwrap();
    csv.row(&table, 0).unwrap();
    csv.finish().unwrap();
    assert_eq!(
        String::from_utf8(text).unwrap(),
        "deal,same_as,first,second,bga,sackson\n\
         184755,184755,Ah Th Kh Qh 7h Ad Td Kd Qd 7d,Ac Tc Kc Qc 7c As Ts Ks Qs 7s,5,220\n\
         0,0,Ac Tc Kc Qc 7c As Ts Ks Qs 7s,Ah Th Kh Qh 7h Ad Td Kd Qd 7d,-12,0\n"
    );
}

#[test]
fn a_wrong_table_is_refused() {
    let bga = rules("bga");
    let new = |numbers: &[u64], values: usize| {
        let column = column("bga", (0..values).map(|_| 0));
        DealTable::new(&bga, numbers.iter().copied(), vec![column])
            .map_err(|error| error_with_causes(&error))
    };
    assert!(new(&[1, 2], 2).is_ok());
    for (numbers, values, fault) in [
        (&[1, 2][..], 3, "the column `bga` has 3 values for 2 deals"),
        (&[2, 1], 2, "not in ascending order at deal 1"),
        (&[1, 1], 2, "not in ascending order at deal 1"),
        (&[184_756], 1, "deal numbers go from 0 to 184755"),
    ] {
        let error = new(numbers, values).unwrap_err();
        assert!(error.contains(fault), "{error}");
    }
    let error = new(&[3, 5], 2).unwrap().row_of(4).unwrap_err().to_string();
    assert_eq!(error, "the file has no deal 4: choose a deal that the file lists, from 3 to 5");
    let folder = tempfile::tempdir().unwrap();
    let write = |names: &[&str]| {
        let columns = names.iter().map(|name| column(name, std::iter::once(0))).collect();
        let table = DealTable::new(&bga, [1], columns).unwrap();
        table.write_parquet(&folder.path().join("x")).unwrap_err().to_string()
    };
    assert!(write(&["chess"]).contains("`chess` is not named after a rule set"));
    assert!(write(&["bga", "rael"]).contains("`bga` and `rael` belong to different decks"));
    assert!(write(&[]).contains("no column is named after a rule set"));
    for (one, other) in [
        ("sackson", "sackson"),
        ("sackson+kings-privilege+free-move", "sackson+free-move+kings-privilege"),
    ] {
        let fault = format!("the columns `{one}` and `{other}` belong to the same rule set");
        assert!(write(&["bga", one, other]).contains(&fault), "{fault}");
    }
    let empty = DealTable::new(&bga, [], vec![column("bga", std::iter::empty())]).unwrap();
    let error = empty.write_parquet(&folder.path().join("x")).unwrap_err().to_string();
    assert_eq!(error, "the table has no deal: write a table with at least one deal");
    assert!(!folder.path().join("x").exists());
    let pinochle = rules("bga+pinochle");
    let last = Dealt::count(&pinochle) - 1;
    let error = DealTable::new(&pinochle, [last], Vec::new()).unwrap_err().to_string();
    assert!(error.contains("too large for a column of 32 bits"), "{error}");
}

/// Column of a Parquet file that a test writes, possibly in violation of the file format for deal values.
struct Odd {
    name: &'static str,
    kind: Physical,
    repetition: Repetition,
}

fn odd(name: &'static str, kind: Physical) -> Odd {
    Odd { name, kind, repetition: Repetition::REQUIRED }
}

/// Test case with the columns and metadata of a Parquet file, and with a part of the expected error text.
type OddCase = (Vec<Odd>, Vec<(&'static str, &'static str)>, &'static str);

/// Writes a Parquet file with a single row, the given columns and the given metadata.
fn write_odd(path: &Path, columns: &[Odd], metadata: &[(&str, &str)]) {
    let field = |odd: &Odd| {
        let field =
            Type::primitive_type_builder(odd.name, odd.kind).with_repetition(odd.repetition);
        Arc::new(field.build().unwrap())
    };
    let fields = columns.iter().map(field).collect();
    let schema = Type::group_type_builder("x").with_fields(fields).build().unwrap();
    let properties = WriterProperties::builder().set_compression(Compression::UNCOMPRESSED);
    let mut writer = SerializedFileWriter::new(
        File::create(path).unwrap(),
        Arc::new(schema),
        Arc::new(properties.build()),
    )
    .unwrap();
    let mut rows = writer.next_row_group().unwrap();
    while let Some(mut column) = rows.next_column().unwrap() {
        match column.untyped() {
            ColumnWriter::Int32ColumnWriter(column) => {
                column.write_batch(&[0], Some(&[1]), None).unwrap();
            }
            ColumnWriter::Int64ColumnWriter(column) => {
                column.write_batch(&[0], None, None).unwrap();
            }
            ColumnWriter::ByteArrayColumnWriter(column) => {
                column.write_batch(&[ByteArray::from("Ac")], None, None).unwrap();
            }
            _ => unreachable!("the tests use no other types"),
        }
        column.close().unwrap();
    }
    rows.close().unwrap();
    for (key, value) in metadata {
        writer.append_key_value_metadata(KeyValue::new((*key).to_owned(), (*value).to_owned()));
    }
    writer.close().unwrap();
}

#[test]
fn a_file_of_another_format_is_refused_with_its_fault() {
    use Physical::{BYTE_ARRAY, INT32, INT64};
    let head = || {
        vec![
            odd("deal", INT32),
            odd("same_as", INT32),
            odd("first", BYTE_ARRAY),
            odd("second", BYTE_ARRAY),
        ]
    };
    let with = |more: Vec<Odd>| head().into_iter().chain(more).collect::<Vec<_>>();
    let gaps = Odd { name: "bga", kind: INT32, repetition: Repetition::OPTIONAL };
    let (format, version) = (("overmate.format", "1"), ("overmate.version", "0"));
    let text = ("overmate.description", "");
    let checksum = ("overmate.xxh3_64", "0123456789abcdef");
    let cases: Vec<OddCase> = vec![
        (head(), vec![], "no column is named after a rule set"),
        (
            vec![odd("deal", INT32)],
            vec![],
            "column 2 of the file is missing, but must be `same_as`",
        ),
        (vec![odd("match", INT64)], vec![], "column 1 of the file is `match`, but must be `deal`"),
        (
            with(vec![odd("chess", INT32)]),
            vec![],
            "`chess` is not named after a rule set: there is no",
        ),
        (with(vec![odd("bga", INT64)]), vec![], "the column `bga` does not hold 32-bit integers"),
        (with(vec![odd("bga", BYTE_ARRAY)]), vec![], "the column `bga` does not hold 32-bit"),
        (with(vec![gaps]), vec![], "the column `bga` does not hold 32-bit integers without gaps"),
        (
            with(vec![odd("bga", INT32), odd("rael", INT32)]),
            vec![],
            "the columns `bga` and `rael` belong to different decks",
        ),
        (
            with(vec![
                odd("bga+kings-privilege+free-move", INT32),
                odd("bga+free-move+kings-privilege", INT32),
            ]),
            vec![],
            "the columns `bga+kings-privilege+free-move` and `bga+free-move+kings-privilege` belong to the same rule set",
        ),
        (
            with(vec![odd("bga", INT32)]),
            vec![],
            "the metadata of the file lack the key `overmate.format`",
        ),
        (with(vec![odd("bga", INT32)]), vec![format], "lack the key `overmate.version`"),
        (
            with(vec![odd("bga", INT32)]),
            vec![("overmate.format", "2"), version, text, checksum],
            "the file has format version 2, but this program reads format version 1",
        ),
        (
            with(vec![odd("bga", INT32)]),
            vec![format, version, text, checksum],
            "damaged (the checksum of the file is wrong)",
        ),
    ];
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("odd.parquet");
    for (columns, metadata, fault) in cases {
        write_odd(&file, &columns, &metadata);
        let error = read(&file).unwrap_err();
        assert!(error.contains(fault), "`{fault}` is missing in: {error}");
    }
    assert!(read(&folder.path().join("none")).unwrap_err().contains("No such file"));
    assert!(read(folder.path()).is_err());
    for text in ["", "PAR", "no Parquet file"] {
        fs::write(&file, text).unwrap();
        assert!(read(&file).unwrap_err().contains("the file is not a Parquet file"), "{text}");
    }
    fs::write(&file, "PAR1PAR1").unwrap();
    assert!(read(&file).unwrap_err().contains("the file is not complete"));
}

#[test]
fn a_missing_column_is_reported_with_the_known_columns() {
    let (_folder, path) = written(&table("bga", &["bga", "sackson"]));
    let error = DealFile::open(&path).unwrap().read(&["pagat"]).unwrap_err().to_string();
    assert_eq!(error, "the file has no column `pagat`: choose bga or sackson");
}

/// Returns the number of bytes of a Parquet file before its footer.
fn body_of(bytes: &[u8]) -> usize {
    let tail: [u8; 4] = bytes[bytes.len() - 8..bytes.len() - 4].try_into().unwrap();
    bytes.len() - 8 - usize::try_from(u32::from_le_bytes(tail)).unwrap()
}

#[test]
fn a_truncated_file_is_always_refused() {
    let (_folder, path) = written(&table("bga", &["bga", "sackson"]));
    let bytes = fs::read(&path).unwrap();
    let mut random = fastrand::Rng::with_seed(1);
    for _ in 0..300 {
        let end = random.usize(..bytes.len());
        fs::write(&path, &bytes[..end]).unwrap();
        let error = read(&path).unwrap_err();
        assert!(error.contains("is not complete") || error.contains("not a Parquet"), "{error}");
    }
}

#[test]
fn a_changed_bit_gives_an_error_or_the_correct_values() {
    let table = table("bga", &["bga", "sackson"]);
    let (_folder, path) = written(&table);
    let bytes = fs::read(&path).unwrap();
    let body = body_of(&bytes);
    let mut random = fastrand::Rng::with_seed(2);
    let (mut refused, mut correct) = (0, 0);
    for round in 0..3_000 {
        let mut damaged = bytes.clone();
        // Two of every three test cases damage the footer of the file, which is short and has no checksum.
        let places = if round % 3 == 0 { 0..body } else { body..bytes.len() };
        for _ in 0..=random.usize(..3) {
            damaged[random.usize(places.clone())] ^= 1 << random.u8(..8);
        }
        fs::write(&path, &damaged).unwrap();
        match read(&path) {
            Err(_) => refused += 1,
            Ok(read) => {
                assert!(round % 3 != 0, "the checksum did not detect a change");
                for (found, known) in read.columns().iter().zip(table.columns()) {
                    assert_eq!(found.values, known.values);
                }
                assert_eq!((read.deals(), read.first()), (table.deals(), table.first()));
                correct += 1;
            }
        }
    }
    assert!(refused > 1_500 && correct > 50, "{refused} refused, {correct} correct");
}

/// Tests that reading a file with damaged columns and a correct checksum gives an error or a table with all rows. An
/// attacker could make such a file.
#[test]
fn a_damaged_column_with_a_correct_checksum_gives_an_error_or_a_table() {
    let table = table("bga+double", &["bga+double", "sackson+double"]);
    let (_folder, path) = written(&table);
    let bytes = fs::read(&path).unwrap();
    let body = body_of(&bytes);
    let known = format!("{:016x}", XxHash3_64::oneshot(&bytes[..body]));
    let at = bytes.windows(16).position(|window| window == known.as_bytes()).unwrap();
    let mut random = fastrand::Rng::with_seed(3);
    let (mut refused, mut other) = (0, 0);
    for _ in 0..3_000 {
        let mut damaged = bytes.clone();
        for _ in 0..=random.usize(..3) {
            damaged[random.usize(4..body)] ^= 1 << random.u8(..8);
        }
        let checksum = format!("{:016x}", XxHash3_64::oneshot(&damaged[..body]));
        damaged[at..at + 16].copy_from_slice(checksum.as_bytes());
        fs::write(&path, &damaged).unwrap();
        match read(&path) {
            Err(_) => refused += 1,
            Ok(read) => {
                assert_eq!(read.rows(), table.rows());
                other += 1;
            }
        }
    }
    assert!(refused > 500 && other > 100, "{refused} refused, {other} read");
}
