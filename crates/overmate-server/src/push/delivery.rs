//! Delivers encrypted messages to push services. Each message has a connection of its own.

use std::mem::{Discriminant, discriminant};
use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::http::{Request, StatusCode, header};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use http_body_util::Full;
use hyper::body::Bytes;
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use overmate_rules::error_with_causes;
use tokio::net::{TcpStream, lookup_host};
use tokio::sync::OnceCell;
use tokio::task::spawn_blocking;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, RootCertStore};
use web_push_native::p256::PublicKey;

use super::address::{Endpoint, is_public};
use super::contact::PushContact;
use super::key::PushKey;
use crate::computing::fair_semaphore::FairSemaphore;
use crate::http::client::Client;

/// Timeout for the delivery of a push message, from the resolution of the host name to the status code of the response.
const PATIENCE: Duration = Duration::from_secs(15);

/// Maximum number of push messages that this server sends at the same time. Slow push services cannot take more connections.
const MOST_AT_ONCE: usize = 64;

/// Maximum number of push messages that this server sends at the same time to the clients of one IP network. Endpoints that never answer
/// block at most this number of deliveries for [`PATIENCE`], and leave the rest to other networks.
const MOST_OF_NETWORK: usize = MOST_AT_ONCE / 8;

/// Maximum size of the status line and headers of a push service's response, in bytes. The body is not read.
const MOST_HEAD: usize = 16 * 1_024;

/// TCP port on which all push services accept connections.
const PORT: u16 = 443;

/// Push service that a test runs in place of all real push services. No option and no key of a configuration file sets this
/// value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PushTest {
    /// IP address and port at which the test's push service listens.
    pub address: SocketAddr,
    /// Root certificate of the test's push service in DER format. The server accepts no other root certificate.
    pub certificate: Vec<u8>,
}

/// Push message for one browser.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Delivery<'a> {
    /// IP network and browser identity of the recipient, by which the server shares out deliveries of push messages fairly. The limits on
    /// simultaneous deliveries count by client and not by host, because hosts of endpoints are easy to invent.
    pub(crate) client: Client,
    pub(crate) endpoint: &'a Endpoint,
    /// Public key of the browser, 65 bytes long.
    pub(crate) key: &'a [u8],
    /// Authentication secret of the browser, 16 bytes long.
    pub(crate) secret: &'a [u8],
    pub(crate) text: &'a str,
    /// Time to live (TTL) of the push message at the push service, in seconds.
    pub(crate) lifetime: u32,
    /// Topic of the push message, by which the push service replaces an earlier message with the same topic. The topic has at most 32
    /// characters of Base64.
    pub(crate) topic: &'a str,
    /// Whether the push message may wake a device that saves energy.
    pub(crate) is_urgent: bool,
}

/// Result of the delivery of a push message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Outcome {
    /// The push service accepted the message.
    Accepted,
    /// The browser's push subscription has ended.
    Gone,
    /// The push service failed, refused the message or was not reached.
    Failed,
}

/// Client that delivers messages to push services.
pub(crate) struct PushClient {
    key: PushKey,
    contact: PushContact,
    test: Option<PushTest>,
    tls: OnceCell<TlsConnector>,
    places: FairSemaphore,
    /// Rate limit on warnings in the log about each kind of failure.
    warnings: DefaultKeyedRateLimiter<(Discriminant<Fault>, Option<StatusCode>)>,
}

/// Reason why a push message was not delivered.
#[derive(Debug, thiserror::Error)]
enum Fault {
    #[error("the browser gave a push subscription whose key or secret is not valid")]
    Key,
    #[error("this machine has no root certificates: install the package ca-certificates")]
    Roots,
    #[error("the host name of the push service has no public IP address")]
    Address,
    #[error("the push service did not answer within {} seconds", PATIENCE.as_secs())]
    Slow,
    #[error("the push service answered with the status {0}")]
    Refused(StatusCode),
    #[error("the push service cannot be reached")]
    Io(#[from] std::io::Error),
    #[error("the push service did not answer with valid HTTP")]
    Http(#[from] hyper::Error),
    #[error("the HTTP request to the push service cannot be formed")]
    Request(#[from] axum::http::Error),
}

impl PushClient {
    pub(crate) fn new(key: PushKey, contact: PushContact, test: Option<PushTest>) -> Self {
        let places = FairSemaphore::new(MOST_AT_ONCE, MOST_OF_NETWORK);
        let warnings = RateLimiter::keyed(Quota::per_minute(NonZeroU32::MIN));
        Self { key, contact, test, tls: OnceCell::new(), places, warnings }
    }

    /// Returns the server's public key for push services in Base64.
    pub(crate) fn public_key(&self) -> &str {
        self.key.public()
    }

    /// Delivers a message to the push service of a browser. `now` is in seconds since 1970.
    pub(crate) async fn deliver(&self, delivery: Delivery<'_>, now: i64) -> Outcome {
        let Ok(_place) = self.places.acquire(delivery.client, None).await else {
            return Outcome::Failed;
        };
        let sent = timeout(PATIENCE, self.send(delivery, now)).await;
        let fault = match sent.unwrap_or(Err(Fault::Slow)) {
            Ok(status) if status.is_success() => return Outcome::Accepted,
            Ok(StatusCode::NOT_FOUND | StatusCode::GONE) => return Outcome::Gone,
            Ok(status) => Fault::Refused(status),
            Err(fault) => fault,
        };
        if self.is_to_warn(&fault) {
            let fault = error_with_causes(&fault);
            tracing::warn!(host = delivery.endpoint.host(), fault, "a push message failed");
        }
        Outcome::Failed
    }

    /// Returns whether the rate limit on warnings permits a warning in the log about an undelivered push message. Each kind of failure is
    /// logged at most once a minute, because a browser can choose a push service that always fails. The metrics count all failures.
    fn is_to_warn(&self, fault: &Fault) -> bool {
        let status = if let Fault::Refused(status) = fault { Some(*status) } else { None };
        self.warnings.check_key(&(discriminant(fault), status)).is_ok()
    }

    /// Sends a message to a push service, and returns the status code of the response. A redirection is not followed.
    async fn send(&self, delivery: Delivery<'_>, now: i64) -> Result<StatusCode, Fault> {
        let Delivery { endpoint, key, secret, text, lifetime, topic, is_urgent, .. } = delivery;
        let key = PublicKey::from_sec1_bytes(key).map_err(|_| Fault::Key)?;
        let secret: [u8; 16] = secret.try_into().map_err(|_| Fault::Key)?;
        let body = web_push_native::encrypt(text.as_bytes().to_vec(), &key, &secret.into())
            .map_err(|_| Fault::Key)?;
        let request = Request::post(endpoint.path())
            .header(header::HOST, endpoint.authority())
            .header(header::AUTHORIZATION, self.key.authorization(endpoint, &self.contact, now))
            .header(header::CONTENT_ENCODING, "aes128gcm")
            .header(header::CONTENT_TYPE, "application/octet-stream")
            .header("ttl", lifetime)
            .header("urgency", if is_urgent { "high" } else { "normal" })
            .header("topic", topic)
            .body(Full::new(Bytes::from(body)))?;
        let stream = self.connect(endpoint).await?;
        let name = ServerName::try_from(endpoint.host().to_owned()).map_err(|_| Fault::Address)?;
        let stream = self.tls().await?.connect(name, stream).await?;
        let mut client = http1::Builder::new();
        let client = client.max_buf_size(MOST_HEAD);
        let (mut sender, connection) = client.handshake(TokioIo::new(stream)).await?;
        let mut answer = pin!(sender.send_request(request));
        let answer = tokio::select! {
            biased;
            answer = &mut answer => answer,
            // The connection is polled, too, because the HTTP response arrives only while the connection is polled. The end or an error of
            // the connection does not matter if the response has already arrived.
            _ = connection => answer.await,
        };
        Ok(answer?.status())
    }

    /// Connects to the push service of an endpoint. The IP addresses of the host name are resolved and checked once, so that
    /// the name cannot lead to another address after the check.
    async fn connect(&self, endpoint: &Endpoint) -> Result<TcpStream, Fault> {
        let addresses = match &self.test {
            Some(test) => vec![test.address],
            None => public_addresses(endpoint.host()).await?,
        };
        Ok(TcpStream::connect(&*addresses).await?)
    }

    async fn tls(&self) -> Result<&TlsConnector, Fault> {
        self.tls
            .get_or_try_init(|| async {
                let mut roots = RootCertStore::empty();
                if let Some(test) = &self.test {
                    let certificate = CertificateDer::from(test.certificate.clone());
                    roots.add(certificate).map_err(|_| Fault::Roots)?;
                } else {
                    let loaded = spawn_blocking(rustls_native_certs::load_native_certs).await;
                    let loaded = loaded.map_err(|_| Fault::Roots)?;
                    roots.add_parsable_certificates(loaded.certs);
                }
                if roots.is_empty() {
                    return Err(Fault::Roots);
                }
                let config =
                    ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
                        .with_safe_default_protocol_versions()
                        .map_err(|_| Fault::Roots)?
                        .with_root_certificates(roots)
                        .with_no_client_auth();
                Ok(TlsConnector::from(Arc::new(config)))
            })
            .await
    }
}

/// Resolves the host name of a push service. A host name with any private address counts as an attempt to reach the network of
/// the server.
async fn public_addresses(host: &str) -> Result<Vec<SocketAddr>, Fault> {
    let addresses: Vec<SocketAddr> = lookup_host((host, PORT)).await?.collect();
    let are_public = addresses.iter().all(|found| is_public(found.ip()));
    if addresses.is_empty() || !are_public {
        return Err(Fault::Address);
    }
    Ok(addresses)
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use tokio::io::AsyncReadExt as _;
    use tokio::net::TcpListener;
    use web_push_native::p256::SecretKey;
    use web_push_native::p256::elliptic_curve::sec1::ToEncodedPoint as _;

    use super::*;

    /// Sends, in a test, a message to the push service at a host. The client of the recipient has the given IP address.
    async fn deliver(client: &PushClient, address: [u8; 4], host: &str) -> Outcome {
        let endpoint = Endpoint::read(&format!("https://{host}/box")).expect("an endpoint");
        let key =
            SecretKey::from_slice(&[1; 32]).expect("a key").public_key().to_encoded_point(false);
        let delivery = Delivery {
            client: Client::at(IpAddr::from(address)),
            endpoint: &endpoint,
            key: key.as_bytes(),
            secret: &[2; 16],
            text: "{}",
            lifetime: 60,
            topic: "topic",
            is_urgent: false,
        };
        client.deliver(delivery, 0).await
    }

    #[tokio::test]
    async fn host_names_of_private_addresses_are_refused_without_a_connection() {
        let contact = "mailto:admin@mate.example".parse().expect("a contact");
        let client = PushClient::new(PushKey::of_secret([3; 32]), contact, None);
        let mut tried = 0;
        // The tested host names are IPv4 addresses in the unusual notations of the C function `inet_aton`. The system's resolver reads them
        // without a request to a name server.
        for (host, address) in [
            ("127.1", [127, 0, 0, 1]),
            ("0x7f.1", [127, 0, 0, 1]),
            ("0177.0.0.1", [127, 0, 0, 1]),
            ("127.0.257", [127, 0, 1, 1]),
            ("10.1", [10, 0, 0, 1]),
            ("0xc0.0xa8.1", [192, 168, 0, 1]),
            ("169.254.0xa9fe", [169, 254, 169, 254]),
        ] {
            let found = lookup_host((host, PORT)).await.expect("an address");
            let found: Vec<IpAddr> = found.map(|found| found.ip()).collect();
            assert!(
                !found.is_empty() && found.iter().all(|found| *found == IpAddr::from(address)),
                "{host}"
            );
            let endpoint = Endpoint::read(&format!("https://{host}/box")).expect("an endpoint");
            // The push client must refuse a private address before it tries to connect. An attempt to connect would give a stream or an
            // input/output error.
            let connected = client.connect(&endpoint).await;
            assert!(matches!(connected, Err(Fault::Address)), "{host}: {connected:?}");
            tried += 1;
        }
        assert_eq!(tried, 7);
    }

    #[test]
    fn each_kind_of_failure_is_logged_at_most_once_a_minute() {
        let contact = "mailto:admin@mate.example".parse().expect("a contact");
        let client = PushClient::new(PushKey::of_secret([3; 32]), contact, None);
        let refused = |status| client.is_to_warn(&Fault::Refused(status));
        assert!(refused(StatusCode::FORBIDDEN));
        assert!(!refused(StatusCode::FORBIDDEN) && refused(StatusCode::INTERNAL_SERVER_ERROR));
        assert!(client.is_to_warn(&Fault::Roots) && client.is_to_warn(&Fault::Slow));
        assert!(!client.is_to_warn(&Fault::Roots));
    }

    #[tokio::test]
    async fn endpoints_that_never_answer_leave_places_to_other_networks() {
        let made = rcgen::generate_simple_self_signed(vec!["push.example".to_owned()]);
        let certificate = made.expect("a certificate").cert.der().to_vec();
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let test = PushTest { address: listener.local_addr().expect("an address"), certificate };
        let contact = "mailto:admin@mate.example".parse().expect("a contact");
        let key = PushKey::of_secret([3; 32]);
        let client = Arc::new(PushClient::new(key, contact, Some(test)));
        let send = |address, host: &'static str| {
            let client = Arc::clone(&client);
            tokio::spawn(async move { deliver(&client, address, host).await })
        };
        let mut sent: Vec<_> =
            (0..2 * MOST_AT_ONCE).map(|_| send([192, 0, 2, 1], "silent.example")).collect();
        let (mut open, mut silent) = (Vec::new(), 0);
        loop {
            let (mut stream, _) = listener.accept().await.expect("a connection");
            // The first message of a TLS client contains the name of the host.
            let mut hello = [0; 2_048];
            let length = stream.read(&mut hello).await.expect("a message");
            let is_of = |host: &[u8]| hello[..length].windows(host.len()).any(|part| part == host);
            if is_of(b"other.example") {
                break;
            }
            assert!(is_of(b"silent.example"));
            open.push(stream);
            silent += 1;
            if silent == MOST_OF_NETWORK {
                sent.push(send([192, 0, 2, 2], "other.example"));
            }
        }
        assert!(silent < MOST_AT_ONCE, "{silent}");
        sent.iter().for_each(tokio::task::JoinHandle::abort);
    }
}
