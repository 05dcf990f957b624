//! Defines a TCP stream with a write timeout and a counter of the bytes read.

use std::future::poll_fn;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Instant, Sleep, sleep};
use tokio_util::sync::{CancellationToken, WaitForCancellationFutureOwned};

/// TCP stream with a write timeout: a write fails if the client reads nothing for a set time. When the server stops, a shorter time
/// applies.
pub(crate) struct TimedStream {
    stream: TcpStream,
    write_time: Duration,
    stop_time: Duration,
    /// Timer of the pending write to the TCP stream, or `None` if no write is pending.
    waiting: Option<Pin<Box<Sleep>>>,
    /// Future that resolves when the server begins to stop; `None` after the future has resolved.
    stop: Option<Pin<Box<WaitForCancellationFutureOwned>>>,
    read: ReadBytes,
}

/// Counter of the bytes read from a TCP stream since the last call of [`clear`](Self::clear).
///
/// The counter is needed because the `WebSocket` library does not report frames that complete no
/// message. Only the stream below the library sees their bytes.
#[derive(Clone, Default)]
pub(crate) struct ReadBytes(Arc<AtomicUsize>);

impl ReadBytes {
    /// Resets the counter of read bytes to zero.
    pub(crate) fn clear(&self) {
        self.0.store(0, Ordering::Relaxed);
    }

    /// Waits until the TCP stream has read more than `most` bytes since the last reset of the counter. The task that reads the
    /// stream must also poll this future, because each read wakes this task.
    pub(crate) async fn exceed(&self, most: usize) {
        poll_fn(|_| {
            if self.0.load(Ordering::Relaxed) > most { Poll::Ready(()) } else { Poll::Pending }
        })
        .await;
    }
}

impl TimedStream {
    pub(crate) fn new(
        stream: TcpStream,
        write_time: Duration,
        stop_time: Duration,
        stop: CancellationToken,
    ) -> Self {
        let stop = Some(Box::pin(stop.cancelled_owned()));
        let read = ReadBytes::default();
        Self { stream, write_time, stop_time, waiting: None, stop, read }
    }

    /// Returns the counter of the bytes read from the TCP stream.
    pub(crate) fn read_bytes(&self) -> ReadBytes {
        self.read.clone()
    }

    /// Returns the poll result of a write to the TCP stream, or a timeout error if the write has been pending for too long.
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
        let error =
            io::Error::new(io::ErrorKind::TimedOut, "the client does not read the response");
        Poll::Ready(Err(error))
    }
}

impl AsyncRead for TimedStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let result = Pin::new(&mut self.stream).poll_read(context, buffer);
        self.read.0.fetch_add(buffer.filled().len() - before, Ordering::Relaxed);
        result
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
