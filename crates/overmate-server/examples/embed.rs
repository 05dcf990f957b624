//! Serves matches from a temporary folder, checks the health of the server, and stops the server.

use overmate_server::{Server, Settings, serve};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let server = Server::open(Settings::new(folder.path().join("data"))).await?;
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    let (stop, stopped) = oneshot::channel::<()>();
    let serving = tokio::spawn(serve(listener, server, async {
        // The server stops when the sender `stop` sends a message or is dropped.
        let _ = stopped.await;
    }));

    let mut connection = TcpStream::connect(address).await?;
    let request = format!("GET /healthz HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    connection.write_all(request.as_bytes()).await?;
    let mut answer = String::new();
    connection.read_to_string(&mut answer).await?;
    println!("{}", answer.lines().next().unwrap_or_default());

    drop(stop);
    serving.await?;
    Ok(())
}
