//! Creates the certificates of encrypted PostgreSQL servers with OpenSSL.

use std::fs;
use std::path::Path;

use crate::process::{PATIENCE, command};

/// File names of a PostgreSQL server's certificate and private key.
pub(crate) const OF_SERVER: [&str; 2] = ["server.pem", "server.key"];

/// OpenSSL configuration with the certificate extensions.
const SETTINGS: &str = "\
[req]
distinguished_name = name
[name]
[authority]
basicConstraints = critical, CA:TRUE
keyUsage = critical, keyCertSign
[server]
basicConstraints = critical, CA:FALSE
subjectAltName = DNS:localhost
";

/// Certificate authority for the TLS certificates of test servers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Authority {
    /// Certificate authority that issued the test server's certificate.
    OfServer,
    /// Certificate authority that did not issue the test server's certificate.
    Other,
}

impl Authority {
    /// Returns the file name of a certificate authority's root certificate.
    pub(crate) fn file(self) -> &'static str {
        match self {
            Self::OfServer => "root.pem",
            Self::Other => "other.pem",
        }
    }
}

/// Creates, in a folder, the certificates of two certificate authorities and of a PostgreSQL server. The certificates are valid for two
/// days.
pub(crate) fn create(folder: &Path) {
    fs::write(folder.join("tls.cnf"), SETTINGS).expect("the folder is writable");
    for authority in [Authority::OfServer, Authority::Other] {
        let file = authority.file();
        let key = format!("{file}.key");
        let subject = format!("/CN={file} of a test");
        certify(folder, [file, &key], &["-extensions", "authority", "-subj", &subject]);
    }
    let root = Authority::OfServer.file();
    let key = format!("{root}.key");
    let own = ["-extensions", "server", "-subj", "/CN=localhost", "-CA", root, "-CAkey", &key];
    certify(folder, OF_SERVER, &own);
}

/// Creates a private key and its certificate in a folder. `own` holds further arguments for OpenSSL.
fn certify(folder: &Path, [certificate, key]: [&str; 2], own: &[&str]) {
    let made = command(folder, PATIENCE, Path::new("openssl"))
        .args(["req", "-x509", "-config", "tls.cnf", "-days", "2", "-nodes"])
        .args(["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"])
        .args(["-keyout", key, "-out", certificate])
        .args(own)
        .output()
        .expect("the program `timeout` exists");
    let told = String::from_utf8_lossy(&made.stderr);
    assert!(made.status.success(), "OpenSSL 3 is installed: `apt-get install openssl`: {told}");
}
