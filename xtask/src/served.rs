//! Starts a server of Overmate for a check, and sends HTTP requests to this server.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result, bail, ensure};

/// Beginning of the paths of the scripts in the page. A server without the web client has no such page.
const IN_PAGE: &str = "/_app/immutable/";

/// Process that is killed when the handle is dropped.
pub(crate) struct Running(pub(crate) Child);

/// Server with a random port of this machine. The process is killed when the handle is dropped.
pub(crate) struct Server {
    process: Running,
    /// Address with the port, such as `127.0.0.1:4000`.
    host: String,
}

/// Answer to a request with a status of success.
pub(crate) struct Answer {
    /// Status line and headers.
    pub(crate) head: String,
    /// Content.
    pub(crate) body: String,
}

impl Server {
    /// Starts a server of the given binary with its data in `folder`, and waits for its address.
    ///
    /// # Errors
    ///
    /// Returns an error if the binary cannot be started or does not print an address.
    pub(crate) fn start(binary: &Path, folder: &Path, options: &[&str]) -> Result<Self> {
        let mut command = Command::new(binary);
        command.args(["serve", "--listen", "127.0.0.1:0", "--data"]).arg(folder).args(options);
        let process = command.stdout(Stdio::piped()).spawn().context("cannot start the server")?;
        let mut server = Self { process: Running(process), host: String::new() };
        let output = server.process.0.stdout.take();
        let mut line = String::new();
        BufReader::new(output.context("the standard output of the server is not captured")?)
            .read_line(&mut line)?;
        let Some(host) = line.trim().strip_prefix("http://") else {
            bail!("the server printed `{}` where its address was expected", line.trim());
        };
        host.trim_end_matches('/').clone_into(&mut server.host);
        Ok(server)
    }

    /// Returns the address of the server as a URL without a path.
    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.host)
    }

    /// Checks that the start page is the page of the web client.
    ///
    /// # Errors
    ///
    /// Returns an error if the server does not answer, or answers with another page.
    pub(crate) fn check_page(&self) -> Result<()> {
        let page = self.send("GET", "/", "", "")?;
        ensure!(page.body.contains(IN_PAGE), "the server does not show the page");
        Ok(())
    }

    /// Sends a request with a cookie and a JSON body, both of which may be empty.
    ///
    /// # Errors
    ///
    /// Returns an error if the server cannot be reached, or refuses the request.
    pub(crate) fn send(
        &self,
        method: &str,
        path: &str,
        cookie: &str,
        body: &str,
    ) -> Result<Answer> {
        let mut stream = TcpStream::connect(&self.host).context("cannot reach the server")?;
        write!(
            stream,
            "{method} {path} HTTP/1.0\r\nHost: {}\r\nCookie: {cookie}\r\nConnection: close\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            self.host,
            body.len()
        )?;
        let mut text = String::new();
        stream.read_to_string(&mut text)?;
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or_default();
        if head.split(' ').nth(1).is_none_or(|status| !status.starts_with('2')) {
            bail!("the server refused {method} {path}: {text}");
        }
        Ok(Answer { head: head.to_owned(), body: body.to_owned() })
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // An error is ignored, because it means that the process has ended already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
