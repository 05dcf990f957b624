//! Runs a child process that exchanges lines with the arena over pipes, within limits on time and memory.

use std::ffi::OsString;
use std::io::{BufRead as _, BufReader, Read, Write as _};
use std::process::{ChildStderr, ChildStdin, ChildStdout, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TryRecvError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use process_wrap::std::{ChildWrapper, CommandWrap};

use crate::protocol::logs::{LogFile, ProcessLogs};

/// Maximum length, in bytes, of a line from an external program. Answers of bots are far shorter.
pub(super) const MAX_LINE: usize = 64 << 10;

/// Capacity, in lines, of the input queue and of the output queue of a child process.
const QUEUE: usize = 16;

/// Number of bytes kept from the end of a child process's standard error.
const ERROR_TAIL: usize = 2048;

/// Maximum time to wait for the exit of a child process that has closed its output or was told to quit.
const EXIT_TIME: Duration = Duration::from_secs(1);

/// Interval at which a thread polls the stop flag while the thread waits for the child process.
const POLL: Duration = Duration::from_millis(20);

/// Reason why no line could be sent to a child process or received from it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum NoLine {
    /// The time limit passed before the child process sent a line.
    Timeout,
    /// Another thread set the stop flag before the child process sent a line.
    Stopped,
    /// The child process exited or closed its output before a line arrived.
    Ended,
    /// The child process sent a line longer than [`MAX_LINE`].
    TooLong,
    /// The child process sent bytes that are not UTF-8.
    NotUtf8,
    /// The queue of outgoing lines is full, because the child process does not read its input.
    InputFull,
}

/// Running child process with pipes to its standard streams. Dropping this handle kills the process
/// and all processes that the process has started.
#[derive(Debug)]
pub(super) struct Process {
    child: Box<dyn ChildWrapper>,
    lines: Receiver<Result<String, NoLine>>,
    /// Queue of lines for the standard input of the child process; `None` after [`quit`](Self::quit) has closed the input.
    input: Option<SyncSender<String>>,
    errors: Arc<Mutex<Vec<u8>>>,
    /// Channel that closes when the standard error of the child process closes.
    errors_end: Receiver<()>,
    status: Option<ExitStatus>,
    trace: Option<LogFile>,
}

impl Process {
    /// Starts a child process from the words of its command line, without the environment variables in `secret`, and with the given log
    /// files.
    pub(super) fn start(
        words: &[String],
        secret: &[OsString],
        logs: ProcessLogs,
    ) -> std::io::Result<Self> {
        Self::start_with(words, secret, logs, |work| {
            std::thread::Builder::new().name("program".to_owned()).spawn(work).map(drop)
        })
    }

    /// Starts a child process as [`start`](Self::start) does, and calls `spawn` to start each thread that reads or writes a pipe.
    fn start_with(
        words: &[String],
        secret: &[OsString],
        logs: ProcessLogs,
        spawn: impl Fn(Box<dyn FnOnce() + Send>) -> std::io::Result<()>,
    ) -> std::io::Result<Self> {
        let (program, args) = words.split_first().ok_or(std::io::ErrorKind::InvalidInput)?;
        let mut command = CommandWrap::with_new(program, |command| {
            command.args(args);
            for name in secret {
                command.env_remove(name);
            }
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        });
        // The process gets a separate process group, so that it does not receive the terminal's Ctrl-C. The arena can also kill the whole
        // group.
        #[cfg(unix)]
        command.wrap(process_wrap::std::ProcessGroup::leader());
        let child = command.spawn()?;
        let ProcessLogs { stderr: log, trace } = logs;
        let (sender, lines) = sync_channel(QUEUE);
        let (input, messages) = sync_channel(QUEUE);
        let (errors_open, errors_end) = sync_channel(0);
        let errors = Arc::<Mutex<Vec<u8>>>::default();
        let kept = Arc::clone(&errors);
        let input = Some(input);
        // If a thread cannot be started, dropping the process handle `process` kills the child process.
        let mut process = Self { child, lines, input, errors, errors_end, status: None, trace };
        if let Some(output) = process.child.stdout().take() {
            spawn(Box::new(move || read_lines(output, &sender)))?;
        }
        if let Some(stdin) = process.child.stdin().take() {
            spawn(Box::new(move || write_lines(stdin, &messages)))?;
        }
        if let Some(stderr) = process.child.stderr().take() {
            spawn(Box::new(move || {
                read_errors(stderr, &kept, log.as_ref());
                drop(errors_open);
            }))?;
        }
        Ok(process)
    }

    /// Queues a line for the standard input of the child process, and returns without waiting until the line is written.
    pub(super) fn send(&self, line: String) -> Result<(), NoLine> {
        self.trace(">", &line);
        match self.input.as_ref().map(|input| input.try_send(line)) {
            Some(Err(std::sync::mpsc::TrySendError::Full(_))) => Err(NoLine::InputFull),
            // A failure to queue a line for an exited process is ignored. The arena detects the exit when it waits for
            // the answer of the process.
            _ => Ok(()),
        }
    }

    /// Waits for the next non-empty line from the child process.
    pub(super) fn receive(&mut self, time: Duration, stop: &AtomicBool) -> Result<String, NoLine> {
        // If the deadline is too far in the future for an `Instant`, the wait has no time limit.
        let deadline = Instant::now().checked_add(time);
        loop {
            if stop.load(Ordering::Relaxed) {
                return Err(NoLine::Stopped);
            }
            let left = deadline.map_or(POLL, |end| end.saturating_duration_since(Instant::now()));
            match self.lines.recv_timeout(left.min(POLL)) {
                Ok(Ok(line)) if line.trim().is_empty() => {}
                Ok(line) => return self.traced(line),
                Err(RecvTimeoutError::Disconnected) => return Err(NoLine::Ended),
                Err(RecvTimeoutError::Timeout) if left.is_zero() => return Err(NoLine::Timeout),
                // The child process has exited. The loop does not wait for the end of the output, because a child of this process may
                // still hold the output open.
                Err(RecvTimeoutError::Timeout) if self.status.is_some() => {
                    return Err(NoLine::Ended);
                }
                // Lines that the child process wrote just before its exit may still arrive, so the loop waits once
                // more.
                Err(RecvTimeoutError::Timeout) => self.check_exit(),
            }
        }
    }

    /// Returns an unsolicited line from the child process, or `None` if no line has arrived.
    pub(super) fn unrequested(&self) -> Result<Option<String>, NoLine> {
        loop {
            match self.lines.try_recv() {
                Ok(Ok(line)) if line.trim().is_empty() => {}
                Ok(line) => return self.traced(line).map(Some),
                Err(TryRecvError::Empty) => return Ok(None),
                Err(TryRecvError::Disconnected) => return Err(NoLine::Ended),
            }
        }
    }

    /// Writes a received line to the protocol log, and returns the line.
    fn traced(&self, line: Result<String, NoLine>) -> Result<String, NoLine> {
        line.inspect(|line| self.trace("<", line))
    }

    fn trace(&self, mark: &str, line: &str) {
        if let Some(trace) = &self.trace {
            trace.line(mark, line);
        }
    }

    /// Waits up to [`EXIT_TIME`] for the exit of the child process. Returns `None` after this time.
    pub(super) fn wait_for_exit(&mut self) -> Option<ExitStatus> {
        let deadline = Instant::now() + EXIT_TIME;
        while self.status.is_none() && Instant::now() < deadline {
            self.check_exit();
            if self.status.is_none() {
                std::thread::sleep(POLL / 4);
            }
        }
        self.status
    }

    /// Records the exit status of the child process if the process has exited.
    fn check_exit(&mut self) {
        if self.status.is_none() {
            self.status = self.child.try_wait().ok().flatten();
        }
    }

    /// Returns the last non-empty line of the child process's standard error, in shortened form.
    pub(super) fn last_error(&self) -> Option<String> {
        // A short wait gives the reader thread time to read the text that the child process wrote to standard error before its exit.
        let _ = self.errors_end.recv_timeout(EXIT_TIME / 4);
        let kept = self.errors.lock().unwrap_or_else(PoisonError::into_inner);
        let text = String::from_utf8_lossy(&kept);
        let last = text.lines().rev().find(|line| !line.trim().is_empty())?;
        Some(shortened(last.trim()))
    }

    /// Sends the line `farewell` to the child process, and waits up to [`EXIT_TIME`] for the process to exit.
    pub(super) fn quit(mut self, farewell: String) {
        let _ = self.send(farewell);
        self.input = None;
        self.wait_for_exit();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // The process group is killed, because children of an exited process may still run.
        let _ = self.child.start_kill();
        if self.status.is_none() {
            let _ = self.child.wait();
        }
    }
}

/// Truncates a text from an external program after 160 characters, with an ellipsis as the mark, and replaces each
/// control character with U+FFFD.
pub(super) fn shortened(text: &str) -> String {
    const LONGEST: usize = 160;
    let plain = |c: char| if c.is_control() { '\u{fffd}' } else { c };
    let mut short: String = text.chars().take(LONGEST).map(plain).collect();
    if text.chars().nth(LONGEST).is_some() {
        short.push('…');
    }
    short
}

/// Reads lines from a child process until its output ends, the receiver is dropped, or a line is invalid.
fn read_lines(output: ChildStdout, sender: &SyncSender<Result<String, NoLine>>) {
    let mut output = BufReader::new(output);
    loop {
        let mut line = Vec::new();
        // The limit on the bytes to read is one byte above the maximum length of a line, for the line feed.
        let most = MAX_LINE as u64 + 1;
        let read = output.by_ref().take(most).read_until(b'\n', &mut line);
        if !matches!(read, Ok(1..)) {
            return;
        }
        let line = if line.strip_suffix(b"\n").unwrap_or(&line).len() > MAX_LINE {
            Err(NoLine::TooLong)
        } else {
            String::from_utf8(line).map_err(|_| NoLine::NotUtf8)
        };
        let is_line = line.is_ok();
        // The call of `send` waits while the queue of lines is full. This back-pressure keeps the child process from filling the memory.
        if sender.send(line).is_err() || !is_line {
            return;
        }
    }
}

/// Writes lines to a child process until the sender is dropped or a write fails.
fn write_lines(mut stdin: ChildStdin, messages: &Receiver<String>) {
    for mut line in messages {
        line.push('\n');
        if stdin.write_all(line.as_bytes()).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

/// Reads the standard error of a child process to its end. The text is appended to the log, and the last `ERROR_TAIL`
/// bytes are kept in memory.
fn read_errors(mut stderr: ChildStderr, kept: &Mutex<Vec<u8>>, log: Option<&LogFile>) {
    let mut chunk = [0; 1024];
    while let Ok(read @ 1..) = stderr.read(&mut chunk) {
        if let Some(log) = log {
            log.append(&chunk[..read]);
        }
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend_from_slice(&chunk[..read]);
        let too_many = kept.len().saturating_sub(ERROR_TAIL);
        kept.drain(..too_many);
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::cell::Cell;
    use std::path::Path;

    use super::*;

    #[test]
    fn a_process_ends_if_one_of_its_threads_cannot_be_started() {
        for started in 0..3 {
            let folder = tempfile::tempdir().expect("a folder");
            let file = folder.path().join("process");
            let script =
                format!("echo $$ > '{0}.new'; mv '{0}.new' '{0}'; exec sleep 1000", file.display());
            let words = ["/bin/sh", "-c", &script].map(str::to_owned);
            let left = Cell::new(started);
            let process = Process::start_with(&words, &[], ProcessLogs::default(), |work| {
                if left.get() > 0 {
                    left.set(left.get() - 1);
                    std::thread::spawn(work);
                    return Ok(());
                }
                // The test waits until the child process runs, and then simulates a failure to start one of the threads for its pipes.
                while !file.exists() {
                    std::thread::sleep(POLL);
                }
                Err(std::io::ErrorKind::WouldBlock.into())
            });
            let error = process.expect_err("the start fails");
            assert_eq!(error.kind(), std::io::ErrorKind::WouldBlock);
            let id = std::fs::read_to_string(&file).expect("a process id");
            // A process that has ended but has not been waited for (a zombie) would still have a folder in `/proc`.
            assert!(!Path::new("/proc").join(id.trim()).exists(), "{started} threads");
        }
    }
}
