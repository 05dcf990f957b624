//! Builds the files of a release: the Debian package, the archive for other Linux systems, and the bill of materials.

mod check;
mod contents;
mod reproducible;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use xtask::command::{cargo, run};
use xtask::repository::Repository;

use self::contents::VERSION;
pub(crate) use self::reproducible::check as check_reproducible;
use crate::command::{
    ENCODED_FLAGS, FLAG_SEPARATOR, RELEASE, WORK_TREE, build_binaries, output, overmate,
    path_substitutions,
};
use crate::install::{self, AUDITABLE, Tool};
use crate::{wasm, web};

/// Cargo subcommand that builds the Debian package. The manifest of the package `overmate` describes the Debian package.
const DEB: Tool = Tool { name: "cargo-deb", version: "3.8.0", options: &[] };

/// Cargo subcommand that writes the bill of materials in the `CycloneDX` format.
const CYCLONEDX: Tool = Tool { name: "cargo-cyclonedx", version: "0.5.9", options: &[] };

/// Path of the folder into which the files of a release are written.
const FOLDER: &str = "target/packages";

/// Name of the build machine's processor architecture, in cargo's and in Debian's spelling.
struct Architecture {
    cargo: &'static str,
    debian: String,
}

/// Paths of the files of a release.
struct Release {
    /// Path of the release binary, which contains the list of its dependencies.
    binary: PathBuf,
    /// Path of the Debian package.
    package: PathBuf,
    /// Path of the archive for Linux systems that do not use Debian packages.
    archive: PathBuf,
    /// Path of the bill of materials, which lists the dependencies of the binary.
    materials: PathBuf,
}

/// Builds all files of a release. With `check`, also tests the files, and installs the Debian package in a separate namespace.
pub(crate) fn build(repository: &Repository, check: bool) -> Result<()> {
    let architecture = &Architecture::of_this_machine()?;
    let time = commit_time(repository)?;
    let sources = Sources { tools: repository, repository, time, architecture };
    let release = sources.build()?;
    if check {
        check::dependencies(repository, &release.binary, &release.materials)?;
        check::archive(&release.archive)?;
        let upgrade = sources.debian_package(2)?;
        // After a failed or incomplete check, the package of the upgrade stays for a check by hand.
        check::debian_package(repository, &release.package, &upgrade)?;
        fs::remove_file(&upgrade)
            .context("cannot remove the temporary package of the upgrade test")?;
    }
    for file in [release.package, release.archive, release.materials] {
        let size = fs::metadata(&file)
            .with_context(|| format!("cannot find the built file {}", file.display()))?
            .len();
        println!("{}  {size} bytes", file.display());
    }
    Ok(())
}

/// Returns the Unix time of the release in seconds. The time is the variable `SOURCE_DATE_EPOCH` or, without this variable, the time of the
/// last commit.
fn commit_time(repository: &Repository) -> Result<u64> {
    let text = match std::env::var("SOURCE_DATE_EPOCH") {
        Ok(text) => text,
        Err(_) => output(
            Command::new("git").args(["log", "-1", "--format=%ct"]).current_dir(repository.root()),
        )
        .context("git gives no time of the last commit: set SOURCE_DATE_EPOCH to the time of the release, in seconds since 1970")?,
    };
    text.trim().parse().with_context(|| {
        format!("the time of the release, `{}`, is not a number of seconds since 1970", text.trim())
    })
}

impl Architecture {
    fn of_this_machine() -> Result<Self> {
        let debian = output(Command::new("dpkg").arg("--print-architecture"))
            .context("the program dpkg is needed: run this command on Debian")?;
        Ok(Self { cargo: std::env::consts::ARCH, debian: debian.trim().to_owned() })
    }
}

/// Sources of a release, with the release time and the architecture of the build machine.
///
/// Equal sources and the same compiler give identical files.
struct Sources<'a> {
    /// Repository whose target folder holds the installed build tools.
    tools: &'a Repository,
    /// Repository from whose files the release is built.
    repository: &'a Repository,
    /// Unix time of the release, in seconds.
    time: u64,
    architecture: &'a Architecture,
}

impl Sources<'_> {
    /// Builds all files of a release: the binary, the Debian package, the archive and the bill of materials.
    fn build(&self) -> Result<Release> {
        // Without `dpkg-shlibdeps`, cargo-deb leaves out the dependencies on the libraries of the system, and only warns.
        let probe = &mut Command::new("dpkg-shlibdeps");
        let what = "dpkg-shlibdeps, for the dependencies of the Debian package";
        install::ensure(what, probe.arg("--version"), &["dpkg-dev"])?;
        wasm::build(self.repository)?;
        web::build_client(self.repository)?;
        let binary = self.binary()?;
        let stage = self.path("stage");
        contents::write(self.repository, &binary, &stage, self.time)?;
        let package = self.debian_package(1)?;
        let archive = self.archive(&binary, &stage)?;
        let materials = self.bill_of_materials()?;
        Ok(Release { binary, package, archive, materials })
    }

    /// Returns a command that runs an installed tool, such as `cargo auditable`, in the environment of a reproducible build.
    ///
    /// The environment replaces the paths of the work tree and of cargo's folder in the program.
    /// The build has a separate target folder, because its flags differ from those of other builds.
    fn tool(&self, tool: Tool) -> Result<Command> {
        let program = install::tool(self.tools, tool)?;
        let mut command = Command::new(program);
        let subcommand = tool.name.strip_prefix("cargo-").unwrap_or(tool.name);
        command.arg(subcommand).current_dir(self.repository.root());
        command.env(
            ENCODED_FLAGS,
            path_substitutions("--remap-path-prefix=", self.repository)?.join(FLAG_SEPARATOR),
        );
        // The flags are quoted, because the paths may have spaces.
        let flags = path_substitutions("-ffile-prefix-map=", self.repository)?;
        command.env("CFLAGS", shlex::try_join(flags.iter().map(String::as_str))?);
        command.env("CC_SHELL_ESCAPED_FLAGS", "1");
        command.env("CARGO_TARGET_DIR", self.path("build"));
        command.env("SOURCE_DATE_EPOCH", self.time.to_string());
        Ok(command)
    }

    /// Returns the path of a file in the folder of the release.
    fn path(&self, name: &str) -> PathBuf {
        self.repository.path(FOLDER).join(name)
    }

    /// Builds the binary `overmate` with an embedded list of its dependencies.
    fn binary(&self) -> Result<PathBuf> {
        let mut build = self.tool(AUDITABLE)?;
        build.args(RELEASE);
        overmate(build_binaries(&mut build)?)
    }

    /// Builds the Debian package from the binary, with a given Debian revision.
    fn debian_package(&self, revision: u32) -> Result<PathBuf> {
        let name = format!("overmate_{VERSION}-{revision}_{}.deb", self.architecture.debian);
        let package = self.path(&name);
        let mut deb = self.tool(DEB)?;
        deb.args(["--package", "overmate", "--no-build", "--locked"]);
        deb.args(["--deb-revision", &revision.to_string(), "--output"]).arg(&package);
        run(&mut deb)?;
        Ok(package)
    }

    /// Packs an archive of the binary, the manual pages, the shell completions and the service files.
    fn archive(&self, binary: &Path, stage: &Path) -> Result<PathBuf> {
        let name = format!("overmate-{VERSION}-{}", self.architecture.cargo);
        let archive = self.path(&format!("{name}.tar.gz"));
        let root = self.repository.root();
        let mut tar = Command::new("tar");
        tar.arg(format!("--mtime=@{}", self.time));
        tar.args([
            "--sort=name",
            "--owner=0",
            "--group=0",
            "--numeric-owner",
            "--mode=a+rX,u+w,go-w",
        ]);
        // Without `--no-name`, gzip would store the time of the packing.
        tar.args(["--use-compress-program", "gzip --no-name", "--create", "--file"]).arg(&archive);
        tar.arg(format!("--transform=s,^,{name}/,"));
        let program =
            binary.parent().context("the path of the built program has no parent folder")?;
        tar.arg("--directory").arg(program).arg("overmate");
        tar.arg("--directory").arg(root).args(["README.md", "CHANGELOG.md"]);
        tar.args(["LICENSE-APACHE", "LICENSE-MIT"]);
        tar.arg("--directory").arg(root.join("web/static")).arg("third-party-licences.txt");
        tar.arg("--directory").arg(root.join("packaging/debian")).arg("overmate.service");
        tar.arg("--directory").arg(stage).args(["man", "completions"]);
        run(&mut tar)?;
        Ok(archive)
    }

    /// Writes the bill of materials, which lists the dependencies of the binary.
    fn bill_of_materials(&self) -> Result<PathBuf> {
        let written = format!("overmate-{VERSION}.cdx");
        let mut materials = self.tool(CYCLONEDX)?;
        materials.args(["--manifest-path", "crates/overmate/Cargo.toml", "--format", "json"]);
        materials.args(["--override-filename", &written, "--quiet"]);
        run(&mut materials)?;
        // `cargo cyclonedx` writes one bill of materials beside the manifest of each crate.
        let file = format!("{written}.json");
        let place = self.path(&file);
        let list = output(&mut cargo(
            self.repository,
            ["metadata", "--no-deps", "--format-version", "1"],
        ))?;
        let metadata: serde_json::Value = serde_json::from_str(&list)?;
        let packages = metadata.get("packages").and_then(serde_json::Value::as_array);
        for package in packages.into_iter().flatten() {
            let manifest = package.get("manifest_path").and_then(serde_json::Value::as_str);
            let folder = manifest.and_then(|path| Path::new(path).parent());
            let Some(beside) =
                folder.map(|folder| folder.join(&file)).filter(|path| path.is_file())
            else {
                continue;
            };
            if package.get("name").and_then(serde_json::Value::as_str) == Some("overmate") {
                let text =
                    fs::read_to_string(&beside).context("cannot read the bill of materials")?;
                let root = self.repository.root().display().to_string();
                let id = package.get("id").and_then(serde_json::Value::as_str).unwrap_or_default();
                fs::write(&place, without_root(&text, &root, id)?)
                    .context("cannot write the bill of materials")?;
            }
            fs::remove_file(&beside).with_context(|| {
                format!("cannot remove the bill of materials {}", beside.display())
            })?;
        }
        Ok(place)
    }
}

/// Replaces the path of the work tree, `root`, in a bill of materials. The ids of packages contain the path in the form of a URL, in which a
/// space is `%20`. This form is read from `id`, the id of the package `overmate`.
fn without_root(materials: &str, root: &str, id: &str) -> Result<String> {
    let path = id.strip_prefix("path+file://");
    let (url, _) =
        path.and_then(|path| path.split_once("/crates/overmate#")).with_context(|| {
            format!(
                "the id `{id}` of the package overmate does not contain its folder crates/overmate"
            )
        })?;
    Ok(materials.replace(root, WORK_TREE).replace(url, WORK_TREE))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bill_of_materials_contains_no_path_of_the_machine() {
        let id = "path+file:///built/a%20b/crates/overmate#0.1.0";
        let materials = format!("{id} bin-target-0, /built/a b/crates/overmate/Cargo.toml");

        let cleaned = without_root(&materials, "/built/a b", id).unwrap();

        let expected = "path+file:///overmate/crates/overmate#0.1.0 bin-target-0, \
                        /overmate/crates/overmate/Cargo.toml";
        assert_eq!(cleaned, expected);
        assert!(without_root(&materials, "/built/a b", "overmate 0.1.0").is_err());
    }
}
