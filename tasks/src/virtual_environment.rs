//! Makes virtual environments of Python with packages from the Python package index.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result};
use xtask::command::run;
use xtask::repository::write_file;

use crate::command::output;
use crate::files::delete_folder;
use crate::install;

/// Python code that prints the version of Python.
const PRINT_VERSION: &str = "import sys; print(sys.version)";

/// Python code that prints the folder in which a virtual environment keeps its packages.
const PRINT_PACKAGES: &str = "import sysconfig; print(sysconfig.get_path('purelib'))";

/// Virtual environment of Python, given by its folder.
pub(crate) struct Environment(pub(crate) PathBuf);

impl Environment {
    /// Returns a virtual environment in the given folder, with packages from the Python package index.
    /// `requirements` are lines as in `requirements.txt`.
    ///
    /// The environment is made again only if the requirements, the version of Python or the path of the folder have changed. The programs
    /// of an environment contain its path.
    pub(crate) fn with_packages(folder: PathBuf, requirements: &str) -> Result<Self> {
        let environment = Self(folder);
        let wanted_stamp = || -> Result<String> {
            let version = output(Command::new("python3").args(["-c", PRINT_VERSION]))?;
            Ok(format!("{}\n{version}{requirements}", environment.0.display()))
        };
        let stamp = environment.0.join("installed");
        let installed = std::fs::read_to_string(&stamp).ok();
        if installed.is_some() && installed == wanted_stamp().ok() {
            return Ok(environment);
        }
        install::PYTHON.ensure()?;
        let wanted_stamp = wanted_stamp()?;
        run(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&environment.0))?;
        let wanted = environment.0.join("wanted.txt");
        write_file(&wanted, requirements)?;
        let mut pip = environment.pip();
        run(pip.args(["install", "--quiet", "--requirement"]).arg(&wanted))
            .context("cannot install packages from the Python package index")?;
        // The file `installed`, which marks a complete installation, is written last, so that an interrupted installation is repeated.
        write_file(&stamp, &wanted_stamp)?;
        Ok(environment)
    }

    /// Creates a virtual environment without packages of its own, in which the packages of the environment `base` are
    /// visible.
    pub(crate) fn clean(folder: PathBuf, base: &Self) -> Result<Self> {
        delete_folder(&folder)?;
        let venv = ["-m", "venv", "--without-pip"];
        run(Command::new("python3").args(venv).arg(&folder))?;
        let environment = Self(folder);
        let packages = base.packages()?;
        write_file(&Path::new(&environment.packages()?).join("base.pth"), &packages)?;
        Ok(environment)
    }

    /// Returns the folder in which the virtual environment keeps its packages.
    pub(crate) fn packages(&self) -> Result<String> {
        let folder = output(self.python().args(["-c", PRINT_PACKAGES]))?;
        Ok(folder.trim().to_owned())
    }

    /// Returns the folder with the programs of the virtual environment.
    pub(crate) fn bin(&self) -> PathBuf {
        self.0.join("bin")
    }

    pub(crate) fn python(&self) -> Command {
        let mut python = Command::new(self.bin().join("python"));
        // Without the variable `PYTHONDONTWRITEBYTECODE`, Python would write files of compiled code into the work tree.
        python.env("PYTHONDONTWRITEBYTECODE", "1").env_remove("PYTHONPATH");
        python
    }

    pub(crate) fn pip(&self) -> Command {
        let mut pip = self.python();
        pip.args(["-m", "pip", "--disable-pip-version-check"]);
        pip
    }
}
