//! Tests that connections to PostgreSQL are encrypted, with the certificate check that the database
//! address demands.

use overmate_server::{Database, OpenError, Server, Settings};
use test_postgres::{Authority, Postgres};

use crate::support::run;

async fn open(address: &str, options: &str) -> Result<Server, OpenError> {
    let database: Database = format!("{address}?{options}").parse().unwrap();
    Server::open(Settings::new(database)).await
}

/// Asserts that a server cannot connect to a PostgreSQL database with given connection options, and returns the error message.
async fn refused(address: &str, options: &str) -> String {
    match open(address, options).await {
        Err(OpenError::Postgres { source, .. }) => source.to_string(),
        Err(other) => panic!("{options}: {other}"),
        Ok(_) => panic!("{options}: the database was opened"),
    }
}

#[test]
fn a_server_encrypts_its_connections_and_checks_the_certificate_of_postgres() {
    let postgres = Postgres::start_encrypted();
    let address = postgres.database();
    let [root, other] = [Authority::OfServer, Authority::Other]
        .map(|authority| postgres.certificate(authority).display().to_string());
    let full = format!("sslmode=verify-full&sslrootcert={root}");
    run(async {
        let mut opened = 0;
        for options in ["sslmode=require", &full] {
            let server = open(&address, options).await.unwrap();
            let sessions = postgres.rows(
                &address,
                "SELECT DISTINCT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE application_name = 'overmate'",
            );
            assert_eq!(sessions, [["t"]], "{options}");
            server.close().await;
            opened += 1;
        }
        assert_eq!(opened, 2);
        let unknown = refused(&address, &full.replace(&root, &other)).await;
        assert!(unknown.contains("invalid peer certificate: UnknownIssuer"), "{unknown}");
        // The system does not know the test's certificate authority.
        let unknown = refused(&address, "sslmode=verify-full").await;
        assert!(unknown.contains("invalid peer certificate: UnknownIssuer"), "{unknown}");
        // The database has a certificate for the host `localhost`, and the server connects to `127.0.0.1`.
        let elsewhere = address.replace("localhost", "127.0.0.1");
        let name = refused(&elsewhere, &full).await;
        assert!(name.contains("certificate not valid for name"), "{name}");
        let open = open(&elsewhere, &full.replace("full", "ca")).await.unwrap();
        open.close().await;
        let plain = refused(&address, "sslmode=disable").await;
        assert!(plain.contains("no encryption"), "{plain}");
    });
}
