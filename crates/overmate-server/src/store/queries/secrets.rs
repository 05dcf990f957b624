//! Generates and stores the secrets that all servers of a database share.

use sqlx::Error;

use crate::random::random_bytes;
use crate::store::connection::sql::{Connection, statement};

/// Returns the random secret of 32 bytes that all servers of a database share under a given name. If the secret does not exist
/// yet, generates and stores it.
pub(crate) async fn secret(
    connection: &mut Connection,
    name: &'static str,
) -> Result<[u8; 32], Error> {
    statement("INSERT INTO secrets (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING")
        .bind(name)
        .bind(&drawn::<32>()?[..])
        .execute(&mut *connection)
        .await?;
    let stored: Vec<u8> = statement("SELECT value FROM secrets WHERE name = $1")
        .bind(name)
        .scalar(connection)
        .await?;
    stored.try_into().map_err(|_| {
        Error::Decode(format!("the secret `{name}` in the database does not have 32 bytes").into())
    })
}

/// Returns random bytes from the operating system.
pub(crate) fn drawn<const N: usize>() -> Result<[u8; N], Error> {
    random_bytes().map_err(|error| Error::Configuration(error.into()))
}
