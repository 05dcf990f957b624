//! A program at the other end of two pipes: lines out, lines in, and never more of either than was asked for.

use std::io::{BufRead as _, BufReader, Read, Write as _};
use std::process::{ChildStderr, ChildStdin, ChildStdout, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TryRecvError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use process_wrap::std::{ChildWrapper, CommandWrap};

/// The most bytes of a line that is read: far more than any answer needs.
pub(super) const MAX_LINE: usize = 64 << 10;

/// So many lines may wait on either side.
const WAITING: usize = 16;

/// So many bytes of the standard error are kept, the last ones.
const KEPT_ERRORS: usize = 2048;

/// How long a program that has closed its output may take to end.
const ENDING: Duration = Duration::from_secs(1);

/// How often a wait looks whether it is to be stopped.
const LOOK: Duration = Duration::from_millis(20);

/// Why there is no line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Silence {
    /// The time is over.
    Late,
    /// The caller's flag is set.
    Stopped,
    /// The program ended, or closed its output.
    Ended,
    /// It sent a line that is too long.
    TooLong,
    /// It sent other bytes than UTF-8.
    NotUtf8,
    /// It leaves what it is sent unread.
    Deaf,
}

/// A running program. It and all that it has started end with this.
#[derive(Debug)]
pub(super) struct Process {
    child: Box<dyn ChildWrapper>,
    lines: Receiver<Result<String, Silence>>,
    /// Gone when the program is told to end.
    input: Option<SyncSender<String>>,
    errors: Arc<Mutex<Vec<u8>>>,
    /// Closed when all of the standard error has been read.
    errors_end: Receiver<()>,
    status: Option<ExitStatus>,
}

impl Process {
    /// Starts a program.
    pub(super) fn start(words: &[String]) -> std::io::Result<Self> {
        let (program, args) = words.split_first().ok_or(std::io::ErrorKind::InvalidInput)?;
        let mut command = CommandWrap::with_new(program, |command| {
            command.args(args);
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        });
        // A group of its own: Ctrl-C in the terminal is for the arena, and what the program starts ends with it.
        #[cfg(unix)]
        command.wrap(process_wrap::std::ProcessGroup::leader());
        let mut child = command.spawn()?;
        let (sender, lines) = sync_channel(WAITING);
        let (input, messages) = sync_channel(WAITING);
        let (errors_open, errors_end) = sync_channel(0);
        let errors = Arc::new(Mutex::new(Vec::new()));
        if let Some(output) = child.stdout().take() {
            std::thread::spawn(move || read_lines(output, &sender));
        }
        if let Some(stdin) = child.stdin().take() {
            std::thread::spawn(move || write_lines(stdin, &messages));
        }
        if let Some(stderr) = child.stderr().take() {
            let kept = Arc::clone(&errors);
            std::thread::spawn(move || {
                keep_last(stderr, &kept);
                drop(errors_open);
            });
        }
        Ok(Self { child, lines, input: Some(input), errors, errors_end, status: None })
    }

    /// Sends a line. It is on its way then; whether it arrives is seen by the answer.
    pub(super) fn send(&self, line: String) -> Result<(), Silence> {
        match self.input.as_ref().map(|input| input.try_send(line)) {
            Some(Err(std::sync::mpsc::TrySendError::Full(_))) => Err(Silence::Deaf),
            // If it is gone, its silence will tell.
            _ => Ok(()),
        }
    }

    /// The next line, if it comes in time.
    pub(super) fn receive(&mut self, time: Duration, stop: &AtomicBool) -> Result<String, Silence> {
        // A time beyond the clock's range is no limit.
        let deadline = Instant::now().checked_add(time);
        loop {
            if stop.load(Ordering::Relaxed) {
                return Err(Silence::Stopped);
            }
            let left = deadline.map_or(LOOK, |end| end.saturating_duration_since(Instant::now()));
            match self.lines.recv_timeout(left.min(LOOK)) {
                Ok(Ok(line)) if line.trim().is_empty() => {}
                Ok(line) => return line,
                Err(RecvTimeoutError::Disconnected) => return Err(Silence::Ended),
                Err(RecvTimeoutError::Timeout) if left.is_zero() => return Err(Silence::Late),
                // What it has started may hold the output open.
                Err(RecvTimeoutError::Timeout) if self.status.is_some() => {
                    return Err(Silence::Ended);
                }
                // Its last words may be on their way: they are waited for once more.
                Err(RecvTimeoutError::Timeout) => self.look(),
            }
        }
    }

    /// A line that nobody has asked for, if there is one already.
    pub(super) fn unasked(&self) -> Result<Option<String>, Silence> {
        loop {
            match self.lines.try_recv() {
                Ok(Ok(line)) if line.trim().is_empty() => {}
                Ok(line) => return line.map(Some),
                Err(TryRecvError::Empty) => return Ok(None),
                Err(TryRecvError::Disconnected) => return Err(Silence::Ended),
            }
        }
    }

    /// How a program that has closed its output ended, once it has.
    pub(super) fn end(&mut self) -> Option<ExitStatus> {
        let deadline = Instant::now() + ENDING;
        while self.status.is_none() && Instant::now() < deadline {
            self.look();
            if self.status.is_none() {
                std::thread::sleep(LOOK / 4);
            }
        }
        self.status
    }

    /// Looks whether it has ended.
    fn look(&mut self) {
        if self.status.is_none() {
            self.status = self.child.try_wait().ok().flatten();
        }
    }

    /// The last line that it wrote to its standard error, if it wrote one.
    pub(super) fn last_error(&self) -> Option<String> {
        // What it wrote before it ended may not have been read yet.
        let _ = self.errors_end.recv_timeout(ENDING / 4);
        let kept = self.errors.lock().unwrap_or_else(PoisonError::into_inner);
        let text = String::from_utf8_lossy(&kept);
        let last = text.lines().rev().find(|line| !line.trim().is_empty())?;
        Some(shortened(last.trim()))
    }

    /// Tells it to end, and leaves it a moment for that.
    pub(super) fn quit(mut self, farewell: String) {
        let _ = self.send(farewell);
        self.input = None;
        self.end();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Its children may be there when it is not.
        let _ = self.child.start_kill();
        if self.status.is_none() {
            let _ = self.child.wait();
        }
    }
}

/// A text of a stranger, short and safe to print.
pub(super) fn shortened(text: &str) -> String {
    const LONGEST: usize = 160;
    let plain = |c: char| if c.is_control() { '\u{fffd}' } else { c };
    let mut short: String = text.chars().take(LONGEST).map(plain).collect();
    if text.chars().nth(LONGEST).is_some() {
        short.push('…');
    }
    short
}

/// Reads lines until the output ends, somebody stops listening, or a line is none.
fn read_lines(output: ChildStdout, sender: &SyncSender<Result<String, Silence>>) {
    let mut output = BufReader::new(output);
    loop {
        let mut line = Vec::new();
        let most = MAX_LINE as u64 + 1;
        let read = output.by_ref().take(most).read_until(b'\n', &mut line);
        if !matches!(read, Ok(1..)) {
            return;
        }
        let line = if line.len() > MAX_LINE {
            Err(Silence::TooLong)
        } else {
            String::from_utf8(line).map_err(|_| Silence::NotUtf8)
        };
        let is_line = line.is_ok();
        // A full channel waits here, and so does the program: it cannot fill the memory.
        if sender.send(line).is_err() || !is_line {
            return;
        }
    }
}

/// Writes lines until nobody sends any more, or nobody reads.
fn write_lines(mut stdin: ChildStdin, messages: &Receiver<String>) {
    for mut line in messages {
        line.push('\n');
        if stdin.write_all(line.as_bytes()).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

fn keep_last(mut stderr: ChildStderr, kept: &Mutex<Vec<u8>>) {
    let mut chunk = [0; 1024];
    while let Ok(read @ 1..) = stderr.read(&mut chunk) {
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend_from_slice(&chunk[..read]);
        let too_many = kept.len().saturating_sub(KEPT_ERRORS);
        kept.drain(..too_many);
    }
}
