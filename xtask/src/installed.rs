//! Installs the binary `overmate` from its package into an empty home folder of cargo, and fetches the page from the installed server.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::command::{cargo, output, run};
use crate::files::{Repository, delete_folder};

/// Beginning of the paths of the scripts in the page. A server without the web client has no such page.
const IN_PAGE: &str = "/_app/immutable/";

/// Installs the unpacked package `overmate` of the temporary workspace in `workspace`, and checks that the server shows the page.
///
/// The dependencies come from a folder with their sources, so that the empty home folder needs no network and no settings of
/// this machine. The build has no optimisation, to save time.
pub(crate) fn check(repository: &Repository, workspace: &Path, package: &str) -> Result<()> {
    let sources = repository.path("target/package/sources");
    delete_folder(&sources)?;
    let mut vendor = cargo(repository, ["vendor", "--quiet", "--manifest-path"]);
    // The printed settings are those of the install below.
    output(vendor.arg(workspace.join("Cargo.toml")).arg(&sources))?;
    let home = tempfile::tempdir()?;
    let sources = toml_edit::value(sources.to_string_lossy().into_owned());
    let mut install = cargo(repository, ["install", "--debug", "--offline", "--locked"]);
    install.env("CARGO_HOME", home.path().join("cargo")).current_dir(home.path());
    install.arg("--path").arg(workspace.join(package)).arg("--root").arg(home.path().join("root"));
    install.arg("--target-dir").arg(repository.path("target/installed"));
    install.args(["--config", "source.crates-io.replace-with='sources'"]);
    install.arg("--config").arg(format!("source.sources.directory={sources}"));
    run(&mut install).context("the package overmate cannot be installed")?;
    let mut server = Command::new(home.path().join("root/bin/overmate"));
    server.args(["serve", "--listen", "127.0.0.1:0", "--data"]).arg(home.path().join("data"));
    let mut server = server.stdout(Stdio::piped()).spawn().context("cannot start the server")?;
    let page = page_of(&mut server);
    server.kill()?;
    server.wait()?;
    if !page?.contains(IN_PAGE) {
        bail!("the installed server does not show the page");
    }
    Ok(())
}

/// Fetches the start page of a server that prints its address on the first line of its standard output.
fn page_of(server: &mut Child) -> Result<String> {
    let stdout = server.stdout.take().context("the server has no standard output")?;
    let mut address = String::new();
    BufReader::new(stdout).read_line(&mut address)?;
    let host = address.trim().trim_start_matches("http://").trim_end_matches('/');
    let mut stream = TcpStream::connect(host)
        .with_context(|| format!("cannot reach the installed server at `{host}`"))?;
    write!(stream, "GET / HTTP/1.0\r\nHost: {host}\r\n\r\n")?;
    let mut page = String::new();
    stream.read_to_string(&mut page)?;
    Ok(page)
}
