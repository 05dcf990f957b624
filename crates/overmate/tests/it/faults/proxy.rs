//! Forwards the connections in a cluster through proxies that can inject network faults. A test can
//! delay, stall or cut the connections.

use std::future::pending;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream, UnixListener, UnixStream};
use tokio::runtime::Runtime;
use tokio::sync::watch;
use tokio::time::sleep;

/// State of the network link through a proxy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Link {
    /// The network link forwards data without delay.
    Open,
    /// The network link delays each chunk of data by the given time.
    Slow(Duration),
    /// The network link keeps connections open, but forwards no data until its state changes. The bytes then arrive late, as after lost
    /// packets.
    Stalled,
    /// The network link forwards data to the target, and loses all data from the target. It also hides that the target has closed a
    /// connection. A connection that has lost data is closed when the link changes to any other state, because a later byte must not follow
    /// a lost byte.
    HalfOpen,
    /// The network link closes all present and new connections.
    Cut,
}

/// Proxy that forwards connections to one target address. The tasks of the proxy end with the asynchronous
/// runtime.
pub(crate) struct Proxy {
    link: watch::Sender<Link>,
    target: Arc<Mutex<Target>>,
}

/// Direction of the data in a forwarded connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Direction {
    ToTarget,
    FromTarget,
}

/// Address to which a proxy forwards connections.
#[derive(Clone)]
pub(crate) enum Target {
    Tcp(String),
    Unix(PathBuf),
}

impl Proxy {
    /// Starts a proxy on a free TCP port, and returns the proxy with its address.
    pub(crate) fn on_port(runtime: &Runtime, target: Target) -> (Self, SocketAddr) {
        let listener = runtime.block_on(TcpListener::bind((Ipv4Addr::LOCALHOST, 0))).unwrap();
        let address = listener.local_addr().unwrap();
        let (proxy, tunnels) = Self::new(target);
        runtime.spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tunnels.open(stream);
            }
        });
        (proxy, address)
    }

    /// Starts a proxy on a new Unix socket at the given path.
    pub(crate) fn on_socket(runtime: &Runtime, path: &Path, target: Target) -> Self {
        let _context = runtime.enter();
        let listener = UnixListener::bind(path).unwrap();
        let (proxy, tunnels) = Self::new(target);
        runtime.spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tunnels.open(stream);
            }
        });
        proxy
    }

    fn new(target: Target) -> (Self, Tunnels) {
        let (link, state) = watch::channel(Link::Open);
        let target = Arc::new(Mutex::new(target));
        (Self { link, target: Arc::clone(&target) }, Tunnels { link: state, target })
    }

    /// Changes the state of the network link for all connections of the proxy.
    pub(crate) fn set(&self, link: Link) {
        self.link.send_replace(link);
    }

    /// Changes the address to which the proxy forwards new connections.
    pub(crate) fn forward_to(&self, target: Target) {
        *self.target.lock().unwrap_or_else(PoisonError::into_inner) = target;
    }
}

/// Data of the task that accepts connections to a proxy: the state of the network link, and the
/// target address.
struct Tunnels {
    link: watch::Receiver<Link>,
    target: Arc<Mutex<Target>>,
}

impl Tunnels {
    /// Starts a task that forwards data between an accepted connection and the proxy's target until the connection ends
    /// or the network link is cut.
    fn open(&self, stream: impl AsyncRead + AsyncWrite + Send + 'static) {
        let target = self.target.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let link = self.link.clone();
        let mut cut = link.clone();
        tokio::spawn(async move {
            tokio::select! {
                // An error of a forwarded connection is ignored, because the end of the task closes both sides of the connection.
                _ = tunnel(stream, target, link) => {}
                _ = cut.wait_for(|link| *link == Link::Cut) => {}
            }
        });
    }
}

async fn tunnel(
    stream: impl AsyncRead + AsyncWrite,
    target: Target,
    link: watch::Receiver<Link>,
) -> io::Result<()> {
    let (read, write) = tokio::io::split(stream);
    match target {
        Target::Tcp(address) => {
            let (from, to) = TcpStream::connect(address).await?.into_split();
            let there = pump(Direction::ToTarget, read, to, link.clone());
            tokio::try_join!(there, pump(Direction::FromTarget, from, write, link))?;
        }
        Target::Unix(path) => {
            let (from, to) = UnixStream::connect(path).await?.into_split();
            let there = pump(Direction::ToTarget, read, to, link.clone());
            tokio::try_join!(there, pump(Direction::FromTarget, from, write, link))?;
        }
    }
    Ok(())
}

/// Forwards the data of one direction of a connection, chunk by chunk, as the state of the network link permits.
async fn pump(
    direction: Direction,
    mut from: impl AsyncRead + Unpin,
    mut to: impl AsyncWrite + Unpin,
    mut link: watch::Receiver<Link>,
) -> io::Result<()> {
    let mut piece = vec![0; 16 * 1024];
    loop {
        let length = from.read(&mut piece).await?;
        let state = link.wait_for(|link| *link != Link::Stalled).await.map(|link| *link);
        match state {
            Ok(Link::Slow(time)) => sleep(time).await,
            Ok(Link::HalfOpen) if direction == Direction::FromTarget => {
                return lose(from, link).await;
            }
            _ => {}
        }
        if length == 0 {
            return to.shutdown().await;
        }
        to.write_all(piece.get(..length).unwrap_or_default()).await?;
    }
}

/// Reads and discards the data of one direction of a connection until the network link leaves the state [`Link::HalfOpen`]. Then ends the
/// connection.
async fn lose(mut from: impl AsyncRead + Unpin, mut link: watch::Receiver<Link>) -> io::Result<()> {
    let read_on = async {
        let mut piece = vec![0; 16 * 1024];
        // While the link is half-open, the proxy forwards neither the data nor the end of the connection.
        while from.read(&mut piece).await.is_ok_and(|length| length > 0) {}
        pending::<()>().await;
    };
    tokio::select! {
        () = read_on => {}
        _ = link.wait_for(|link| *link != Link::HalfOpen) => {}
    }
    Err(io::ErrorKind::ConnectionReset.into())
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Write as _};
    use std::net::{Shutdown, TcpListener, TcpStream};
    use std::sync::mpsc::channel;
    use std::time::{Duration, Instant};

    use super::*;

    /// Starts an echo server, and returns its address.
    fn echo() -> SocketAddr {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                std::thread::spawn(move || {
                    let mut bytes = [0; 4];
                    while stream.read_exact(&mut bytes).is_ok() {
                        stream.write_all(&bytes).unwrap();
                    }
                });
            }
        });
        address
    }

    #[test]
    fn each_state_of_the_link_does_what_it_says() {
        let runtime = Runtime::new().unwrap();
        let (proxy, address) = Proxy::on_port(&runtime, Target::Tcp(echo().to_string()));
        let mut stream = TcpStream::connect(address).unwrap();
        let mut answer = [0; 4];
        stream.write_all(b"open").unwrap();
        stream.read_exact(&mut answer).unwrap();
        assert_eq!(&answer, b"open");

        proxy.set(Link::Slow(Duration::from_millis(50)));
        let begin = Instant::now();
        stream.write_all(b"slow").unwrap();
        stream.read_exact(&mut answer).unwrap();
        assert!(&answer == b"slow" && begin.elapsed() >= Duration::from_millis(100));

        proxy.set(Link::Stalled);
        stream.write_all(b"late").unwrap();
        stream.set_read_timeout(Some(Duration::from_millis(100))).unwrap();
        stream.read_exact(&mut answer).unwrap_err();
        stream.set_read_timeout(None).unwrap();
        proxy.set(Link::Open);
        stream.read_exact(&mut answer).unwrap();
        assert_eq!(&answer, b"late");

        proxy.set(Link::Cut);
        assert_eq!(stream.read(&mut answer).unwrap_or_default(), 0, "the connection is closed");
        let mut stream = TcpStream::connect(address).unwrap();
        assert_eq!(stream.read(&mut answer).unwrap_or_default(), 0, "a new one is closed");
        proxy.set(Link::Open);
        proxy.forward_to(Target::Tcp(echo().to_string()));
        let mut stream = TcpStream::connect(address).unwrap();
        stream.write_all(b"anew").unwrap();
        stream.read_exact(&mut answer).unwrap();
        assert_eq!(&answer, b"anew");
    }

    #[test]
    fn a_half_open_link_delivers_requests_and_loses_answers() {
        let runtime = Runtime::new().unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let target = Target::Tcp(listener.local_addr().unwrap().to_string());
        let (heard, hears) = channel();
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                let mut bytes = [0; 4];
                stream.read_exact(&mut bytes).unwrap();
                stream.write_all(&bytes).unwrap();
                // The network link loses all data from the echo server: the client must see neither the echoed bytes nor the closing of the
                // connection.
                stream.shutdown(Shutdown::Both).unwrap();
                heard.send(bytes).unwrap();
            }
        });
        let (proxy, address) = Proxy::on_port(&runtime, target);
        proxy.set(Link::HalfOpen);
        let mut stream = TcpStream::connect(address).unwrap();
        stream.write_all(b"lost").unwrap();
        assert_eq!(&hears.recv().unwrap(), b"lost", "the target gets the request");
        let mut answer = [0; 4];
        stream.set_read_timeout(Some(Duration::from_millis(100))).unwrap();
        let silence = stream.read(&mut answer).unwrap_err();
        assert!(matches!(silence.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut));
        // When the network link works again, the proxy closes the connection, because later bytes must not follow lost bytes.
        proxy.set(Link::Open);
        stream.set_read_timeout(None).unwrap();
        assert_eq!(stream.read(&mut answer).unwrap_or_default(), 0, "the connection is closed");
        let mut stream = TcpStream::connect(address).unwrap();
        stream.write_all(b"anew").unwrap();
        stream.read_exact(&mut answer).unwrap();
        assert_eq!(&answer, b"anew");
    }
}
