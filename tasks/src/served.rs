//! Starts an Overmate server for a check, and sends HTTP requests to the server.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result, bail, ensure};

/// Path prefix of the scripts in the web client's start page. The start page of a server without the web client does not contain this
/// prefix.
const IN_PAGE: &str = "/_app/immutable/";

/// Handle of a process that is killed when the handle is dropped.
pub(crate) struct Running(pub(crate) Child);

/// Overmate server on a free port of the test machine. Dropping the value kills the server's process.
pub(crate) struct Server {
    process: Running,
    /// Host and port of the server, such as `127.0.0.1:4000`.
    host: String,
}

/// Successful HTTP response (status 2xx).
pub(crate) struct Answer {
    /// Status line and headers of the HTTP response.
    pub(crate) head: String,
    /// Body of the HTTP response.
    pub(crate) body: String,
}

impl Server {
    /// Starts the server of a given binary with its data in `folder`, and waits until the server prints its address.
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

    /// Returns the URL of the server without a path.
    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.host)
    }

    /// Checks that the server's start page is the page of the web client.
    ///
    /// # Errors
    ///
    /// Returns an error if the server does not answer, or answers with another page.
    pub(crate) fn check_page(&self) -> Result<()> {
        let page = self.send("GET", "/", "", "")?;
        ensure!(
            page.body.contains(IN_PAGE),
            "the server does not show the start page of the web client"
        );
        Ok(())
    }

    /// Sends an HTTP request with a cookie and a JSON body, both of which may be empty.
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
        // A failed kill is ignored, because the process has then ended already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
