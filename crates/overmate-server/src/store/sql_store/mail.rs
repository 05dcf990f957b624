//! Implements the database store of e-mail addresses and e-mail messages.

use futures_util::{FutureExt as _, TryFutureExt as _};

use super::SqlStore;
use crate::store::connection::fault::store_error;
use crate::store::interface::holder::Holder;
use crate::store::interface::mail::{MailAddress, MailKind, MailMessage, Mails};
use crate::store::interface::outcome::StoreFuture;
use crate::store::interface::turn_mail::TurnMail;
use crate::store::queries::{mail, turn_mails};

impl Mails for SqlStore {
    fn mail_address(&self, person: Holder) -> StoreFuture<'_, Option<MailAddress>> {
        mail::address(&self.readers, person).map_err(store_error).boxed()
    }

    fn mail_addresses_of(&self, address: String) -> StoreFuture<'_, Vec<MailAddress>> {
        async move { mail::with_address(&self.readers, &address).await.map_err(store_error) }
            .boxed()
    }

    fn mail_messages(&self, person: Holder) -> StoreFuture<'_, Vec<MailMessage>> {
        mail::of_person(&self.readers, person).map_err(store_error).boxed()
    }

    fn mail_of_token(
        &self,
        kind: MailKind,
        hash: [u8; 32],
        at: i64,
    ) -> StoreFuture<'_, Option<MailMessage>> {
        mail::of_token(&self.readers, (kind, hash), at).map_err(store_error).boxed()
    }

    fn due_mail(&self, at: i64, limit: u32) -> StoreFuture<'_, Vec<MailMessage>> {
        mail::due(&self.readers, at, limit).map_err(store_error).boxed()
    }

    fn turn_mails(&self, person: Holder) -> StoreFuture<'_, Vec<TurnMail>> {
        turn_mails::of_person(&self.readers, person).map_err(store_error).boxed()
    }

    fn turn_mail<'a>(
        &'a self,
        person: Holder,
        id: &'a str,
        turn: u64,
    ) -> StoreFuture<'a, Option<TurnMail>> {
        turn_mails::of_turn(&self.readers, person, (id, turn)).map_err(store_error).boxed()
    }

    fn turn_mail_of_token(&self, hash: [u8; 32], at: i64) -> StoreFuture<'_, Option<Holder>> {
        turn_mails::of_token(&self.readers, hash, at).map_err(store_error).boxed()
    }
}
