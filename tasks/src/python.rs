//! Builds the Python package, and tests its wheel and its source distribution in clean virtual environments.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use xtask::command::run;
use xtask::repository::{Repository, create_folder};

use crate::command::{BINARY_VARIABLE, build_overmate};
use crate::files::delete_folder;
use crate::virtual_environment::Environment;

/// Path of the folder that holds both the Python package and the Rust crate from which the package is built.
const FOLDER: &str = "crates/overmate-python";

/// Requirement for pip that pins the version of maturin, which builds Python packages from Rust crates.
const MATURIN: &str = "maturin==1.16.0";

/// Builds the wheel of the Python package in `target/wheels`.
pub(crate) fn build_wheel(repository: &Repository) -> Result<()> {
    let folder = repository.path("target/wheels");
    run(maturin(repository)?.args(["build", "--release", "--locked", "--out"]).arg(&folder))?;
    println!("The wheel is in {}; install it with pip.", folder.display());
    Ok(())
}

/// Returns a command that runs the package builder maturin in the folder of the Python package.
fn maturin(repository: &Repository) -> Result<Command> {
    let tools = Environment::with_packages(repository.path("target/python/maturin"), MATURIN)?;
    let mut maturin = Command::new(tools.bin().join("maturin"));
    maturin.current_dir(repository.path(FOLDER));
    Ok(maturin)
}

/// Builds the wheel and the source distribution, installs each in a clean virtual environment, and runs the Python tests there.
///
/// Both are built in the profile of the tests, which reuses the dependencies of the other steps.
pub(crate) fn check(repository: &Repository) -> Result<()> {
    let requirements = repository.read(&format!("{FOLDER}/tests/requirements.txt"))?;
    let base = Environment::with_packages(repository.path("target/python/tests"), &requirements)?;
    // Cargo takes the crates of an earlier source distribution for those of the work tree, and would not build the wheel again.
    delete_folder(&repository.path("target/python/source"))?;
    let folder = repository.path("target/python/distributions");
    delete_folder(&folder)?;
    create_folder(&folder)?;
    let wheel = ["build", "--profile", "dev", "--locked", "--out"];
    run(maturin(repository)?.args(wheel).arg(&folder))?;
    run(maturin(repository)?.args(["sdist", "--out"]).arg(&folder))?;
    let binary = build_overmate(repository)?;
    let tester = Tester { repository, base, binary };
    let environment = tester.install(&only_file(&folder, "whl")?, "wheel")?;
    tester.check_types(&environment)?;
    tester.test(&environment)?;
    let source = unpack(repository, &only_file(&folder, "gz")?)?;
    tester.test(&tester.install(&source, "source")?)
}

/// Common inputs of the tests of the Python wheel and of the Python source distribution.
struct Tester<'a> {
    repository: &'a Repository,
    /// Virtual environment that contains the needed packages from the Python package index.
    base: Environment,
    /// Path of the binary `overmate`. The tests compare its output with the results of the Python package.
    binary: PathBuf,
}

impl Tester<'_> {
    /// Installs a wheel or an unpacked source distribution in a clean virtual environment.
    fn install(&self, distribution: &Path, name: &str) -> Result<Environment> {
        let folder = self.repository.path(&format!("target/python/clean-{name}"));
        let environment = Environment::clean(folder, &self.base)?;
        let tools = Environment(self.repository.path("target/python/maturin"));
        let mut pip = self.base.pip();
        pip.arg("--python").arg(environment.bin().join("python"));
        pip.args(["install", "--quiet", "--no-index", "--no-deps", "--no-build-isolation"]);
        // A build from the source distribution needs maturin both as a program on the path and as a Python module.
        let path = std::env::var_os("PATH").unwrap_or_default();
        let bin = std::iter::once(tools.bin()).chain(std::env::split_paths(&path));
        pip.env("PATH", std::env::join_paths(bin)?);
        pip.env("PYTHONPATH", tools.packages()?);
        // A build with the option `--locked` would fail, because the lock file of the source distribution lists crates that the
        // distribution does not contain.
        pip.env("MATURIN_PEP517_ARGS", "--profile dev --offline");
        pip.env("CARGO_TARGET_DIR", self.repository.path("target"));
        run(pip.arg(distribution)).context("the Python package cannot be installed")?;
        Ok(environment)
    }

    /// Compares the Python type stubs with the compiled module, and checks the types in the Python examples and tests.
    fn check_types(&self, environment: &Environment) -> Result<()> {
        let folder = self.repository.path(FOLDER);
        let cache = self.repository.path("target/python/mypy");
        let allowed = ["--allowlist", "tests/stubtest-allowed.txt"];
        let mut stubtest = environment.python();
        stubtest.env("MYPY_CACHE_DIR", &cache);
        stubtest.args(["-m", "mypy.stubtest", "overmate"]).args(allowed);
        run(stubtest.args(["--mypy-config-file", "pyproject.toml"]).current_dir(&folder))?;
        let mut mypy = environment.python();
        mypy.args(["-m", "mypy", "--strict", "examples", "tests", "benches", "python/overmate"]);
        run(mypy.env("MYPY_CACHE_DIR", &cache).current_dir(&folder))
    }

    /// Runs the Python tests in a virtual environment that contains the installed package.
    fn test(&self, environment: &Environment) -> Result<()> {
        let mut tests = environment.python();
        tests.args(["-m", "pytest", "--quiet", "-p", "no:cacheprovider", "tests"]);
        tests.current_dir(self.repository.path(FOLDER));
        tests.env("OVERMATE_REPOSITORY", self.repository.root());
        run(tests.env(BINARY_VARIABLE, &self.binary))
    }
}

/// Unpacks a source distribution, and returns the path of its folder. The path is the same in each run.
///
/// Cargo stores builds by path, so that a new path in each run would fill the target folder.
fn unpack(repository: &Repository, archive: &Path) -> Result<PathBuf> {
    let folder = repository.path("target/python/source");
    delete_folder(&folder)?;
    create_folder(&folder)?;
    // The files in a source distribution have a fixed old modification time. `-m` gives them the present time, so that cargo does not treat
    // an earlier build as up to date.
    let mut tar = Command::new("tar");
    run(tar.arg("-xzmf").arg(archive).args(["--strip-components", "1", "-C"]).arg(&folder))?;
    Ok(folder)
}

/// Returns the path of the only file with the given extension in a folder.
fn only_file(folder: &Path, extension: &str) -> Result<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|found| found == extension) {
            found.push(path);
        }
    }
    match <[PathBuf; 1]>::try_from(found) {
        Ok([file]) => Ok(file),
        Err(found) => bail!(
            "{} holds {} files with the extension `{extension}`, but the build must make exactly one such file: look at the output of maturin",
            folder.display(),
            found.len()
        ),
    }
}
