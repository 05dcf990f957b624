//! Runs the fuzz targets on stable Rust, with `libFuzzer` as a library and the compiler flags of `cargo fuzz`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use toml_edit::Document;
use xtask::command::{cargo, run};
use xtask::play::WITHOUT_PAGE;
use xtask::repository::{Repository, create_folder};

use crate::command::{build_binaries, host};
use crate::files::{TEMPORARY, absolute, copy_file, scratch};
use crate::install;

/// Path of the manifest of the fuzz targets.
const MANIFEST: &str = "fuzz/Cargo.toml";

/// Compiler flags with which the fuzz targets are built for `libFuzzer`. With these flags, a program records which code an
/// input covers and which comparisons fail.
///
/// Debug assertions and overflow checks come from the cargo profile `fuzz`.
const FLAGS: [&str; 7] = [
    "--cfg=fuzzing",
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
    "-Cllvm-args=-simplifycfg-branch-fold-threshold=0",
];

/// Option by which `libFuzzer` reports an input as a fault if its processing takes ten seconds.
const TIMEOUT: &str = "-timeout=10";

/// Lints and builds the fuzz targets, and runs each target briefly on its seed inputs with a fixed random seed.
pub(crate) fn briefly(repository: &Repository) -> Result<()> {
    let targets = targets(&repository.read(MANIFEST)?)?;
    install::CPP.ensure()?;
    run(fuzz_cargo(repository, "clippy")?.args(["--", "-D", "warnings"]))?;
    let binaries = build_binaries(&mut fuzz_cargo(repository, "build")?)?;
    // The fuzz targets write their temporary files into a folder that xtask deletes, because `libFuzzer` ends the targets without deleting
    // these files.
    let scratch = scratch()?;
    for target in targets {
        let corpus = tempfile::tempdir()
            .context("cannot make a temporary folder for the inputs of the fuzz targets")?;
        let seeds = copy_seeds(&repository.path(&format!("fuzz/seeds/{target}")), corpus.path())?;
        let mut fuzzer = fuzzer(repository, &binaries, &target)?;
        fuzzer.env(TEMPORARY, scratch.path());
        fuzzer.args(["-seed=1", "-runs=10000", "-max_total_time=10", "-print_final_stats=1"]);
        let found = fuzzer
            .arg(corpus.path())
            .stdin(Stdio::null())
            .output()
            .with_context(|| format!("cannot run the fuzz target `{target}`"))?;
        let log = String::from_utf8_lossy(&found.stderr);
        if !found.status.success() {
            bail!("{log}\nthe fuzz target `{target}` failed: {}", replaying(&target));
        }
        let runs = runs(&log).with_context(|| {
            format!("the log of the fuzz target `{target}` lacks the number of runs")
        })?;
        println!("{target}: {runs} runs from {seeds} seed inputs, no fault found");
    }
    Ok(())
}

/// Runs one fuzz target for the given number of seconds. The run starts from the inputs that earlier runs collected.
pub(crate) fn at_length(repository: &Repository, target: &str, seconds: u32) -> Result<()> {
    let corpus = repository.path(&format!("target/fuzz-corpus/{target}"));
    let seeds = repository.path(&format!("fuzz/seeds/{target}"));
    let scratch = scratch()?;
    let mut fuzzer = build_one(repository, target)?;
    fuzzer.env(TEMPORARY, scratch.path());
    create_folder(&corpus)?;
    fuzzer.arg(format!("-max_total_time={seconds}")).arg(corpus);
    if seeds.is_dir() {
        // The seed folder is the second folder argument, because libFuzzer writes new inputs to the first folder only.
        fuzzer.arg(seeds);
    }
    run(&mut fuzzer).with_context(|| replaying(target))
}

/// Runs one fuzz target on a single input file.
pub(crate) fn replay(repository: &Repository, target: &str, input: &Path) -> Result<()> {
    let input = absolute(input)?;
    let scratch = scratch()?;
    run(build_one(repository, target)?.env(TEMPORARY, scratch.path()).arg(input))
}

fn build_one(repository: &Repository, target: &str) -> Result<Command> {
    let targets = targets(&repository.read(MANIFEST)?)?;
    if !targets.iter().any(|known| known == target) {
        bail!("there is no fuzz target `{target}`: use {}", targets.join(", "));
    }
    install::CPP.ensure()?;
    let binaries = build_binaries(fuzz_cargo(repository, "build")?.args(["--bin", target]))?;
    fuzzer(repository, &binaries, target)
}

/// Returns the names of the fuzz targets in the order in which the manifest of the fuzz package lists them.
fn targets(manifest: &str) -> Result<Vec<String>> {
    let document = Document::parse(manifest)
        .with_context(|| format!("cannot read the names of the fuzz targets in {MANIFEST}"))?;
    let tables = document.get("bin").and_then(toml_edit::Item::as_array_of_tables);
    let name = |table: &toml_edit::Table| Some(table.get("name")?.as_str()?.to_owned());
    let targets: Vec<_> = tables.into_iter().flatten().filter_map(name).collect();
    if targets.is_empty() {
        bail!(
            "the manifest {MANIFEST} declares no fuzz target: add a table [[bin]] for each target"
        );
    }
    Ok(targets)
}

/// Returns a cargo command for the fuzz targets, with the fuzzing compiler flags and a separate target folder.
fn fuzz_cargo(repository: &Repository, subcommand: &str) -> Result<Command> {
    // The host platform is named explicitly as the compilation target, so that the fuzzing flags of the compiler do not apply to build
    // scripts.
    let mut command = cargo(repository, [subcommand, "--locked", "--profile", "fuzz"]);
    command.args(["--package", "overmate-fuzz", "--features", "libfuzzer"]);
    command.args(["--target", &host()?, "--target-dir", "target/fuzz"]);
    command.env("RUSTFLAGS", FLAGS.join(" ")).env_remove("CARGO_ENCODED_RUSTFLAGS");
    // The fuzz targets read no file of the web client, which need not be built.
    command.env(WITHOUT_PAGE, "1");
    Ok(command)
}

/// Returns the command that runs a built fuzz target. The command saves inputs that cause failures in `fuzz/artifacts`.
fn fuzzer(
    repository: &Repository,
    binaries: &[(String, PathBuf)],
    target: &str,
) -> Result<Command> {
    let (_, binary) = binaries
        .iter()
        .find(|(name, _)| name == target)
        .with_context(|| format!("cargo built no fuzz target `{target}`"))?;
    let artifacts = format!("fuzz/artifacts/{target}/");
    create_folder(&repository.path(&artifacts))?;
    let mut command = Command::new(binary);
    command.current_dir(repository.root());
    command.args([TIMEOUT, &format!("-artifact_prefix={artifacts}")]);
    Ok(command)
}

fn copy_seeds(from: &Path, to: &Path) -> Result<usize> {
    let mut count = 0;
    let missing = || format!("there are no seeds in the folder {}", from.display());
    for seed in fs::read_dir(from).with_context(missing)? {
        let seed = seed.with_context(missing)?;
        copy_file(&seed.path(), &to.join(seed.file_name()))?;
        count += 1;
    }
    if count == 0 {
        bail!(missing());
    }
    Ok(count)
}

/// Returns the number of tested inputs that the log of `libFuzzer` reports, or `None` if the log has no such number.
fn runs(log: &str) -> Option<u64> {
    let line = log.lines().find(|line| line.contains("number_of_executed_units"))?;
    line.rsplit(' ').next()?.parse().ok()
}

fn replaying(target: &str) -> String {
    format!(
        "the input is kept in fuzz/artifacts/{target}; to run only this input: \
         cargo xtask fuzz {target} --input FILE"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use xtask::command::shown;

    #[test]
    fn targets_are_read_from_the_manifest() {
        let manifest =
            "[package]\nname = \"f\"\n[[bin]]\nname = \"deal\"\n[[bin]]\nname = \"body\"\n";

        assert_eq!(targets(manifest).unwrap(), ["deal", "body"]);
        assert!(targets("[package]\nname = \"f\"\n").is_err());
    }

    #[test]
    fn runs_are_read_from_the_log() {
        assert_eq!(runs("Done\nstat::number_of_executed_units: 20000\nstat::x: 1\n"), Some(20_000));
        assert_eq!(runs("Done 20000 runs\n"), None);
    }

    #[test]
    fn a_target_without_seeds_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let (seeds, corpus) = (folder.path().join("seeds"), folder.path().join("corpus"));
        fs::create_dir(&corpus).unwrap();

        assert!(copy_seeds(&seeds, &corpus).is_err());
        fs::create_dir(&seeds).unwrap();
        assert!(copy_seeds(&seeds, &corpus).is_err());
        fs::write(seeds.join("one"), "Kc").unwrap();
        assert_eq!(copy_seeds(&seeds, &corpus).unwrap(), 1);
    }

    #[test]
    fn the_build_command_is_shown_with_its_flags() {
        let repository = Repository::at(Path::new("."));

        let command = shown(&fuzz_cargo(&repository, "build").unwrap());

        assert!(
            command.contains("sancov-module") && command.contains("--profile fuzz"),
            "{command}"
        );
    }
}
