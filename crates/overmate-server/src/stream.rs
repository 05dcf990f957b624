//! Defines a TCP stream that limits the time of each write.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Instant, Sleep, sleep};
use tokio_util::sync::{CancellationToken, WaitForCancellationFutureOwned};

/// TCP stream whose writes fail if the client reads nothing for a given time. The time is shorter after a stop of the server.
pub(crate) struct TimedStream {
    stream: TcpStream,
    write_time: Duration,
    stop_time: Duration,
    /// Timer for the time limit of the write that is waiting for the client, or `None` while no write waits.
    waiting: Option<Pin<Box<Sleep>>>,
    /// Future that resolves when the server stops, or `None` after the stop was seen.
    stop: Option<Pin<Box<WaitForCancellationFutureOwned>>>,
}

impl TimedStream {
    pub(crate) fn new(
        stream: TcpStream,
        write_time: Duration,
        stop_time: Duration,
        stop: CancellationToken,
    ) -> Self {
        let stop = Some(Box::pin(stop.cancelled_owned()));
        Self { stream, write_time, stop_time, waiting: None, stop }
    }

    /// Returns the result of a write, or a timeout error if the client has read nothing for the time limit.
    fn limit<T>(
        &mut self,
        result: Poll<io::Result<T>>,
        context: &mut Context<'_>,
    ) -> Poll<io::Result<T>> {
        if result.is_ready() {
            self.waiting = None;
            return result;
        }
        let waiting = self.waiting.get_or_insert_with(|| Box::pin(sleep(self.write_time)));
        if self.stop.as_mut().is_none_or(|stop| stop.as_mut().poll(context).is_ready()) {
            self.stop = None;
            let deadline = Instant::now() + self.stop_time;
            if deadline < waiting.deadline() {
                waiting.as_mut().reset(deadline);
            }
        }
        ready!(waiting.as_mut().poll(context));
        let error = io::Error::new(io::ErrorKind::TimedOut, "the client does not read");
        Poll::Ready(Err(error))
    }
}

impl AsyncRead for TimedStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for TimedStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let result = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.limit(result, context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let result = Pin::new(&mut self.stream).poll_write_vectored(context, slices);
        self.limit(result, context)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
