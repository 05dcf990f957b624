//! Words the messages in English and German.

use crate::store::{MailKind, PushLanguage};

/// Subject and body of a message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct MailText {
    pub(crate) subject: &'static str,
    pub(crate) body: String,
}

/// Returns the text of a message about the account with a handle, on the server at an origin.
pub(crate) fn text_of(
    kind: MailKind,
    language: PushLanguage,
    (handle, origin): (&str, &str),
    token: &str,
) -> MailText {
    // The part after the sign # stays in the browser, so that no log holds the token.
    let (subject, says, link, otherwise) = match (kind, language) {
        (MailKind::Confirm, PushLanguage::English) => (
            "Overmate: confirm your e-mail address",
            format!(
                "This address was entered for the account {handle} at {origin}. Open this link within 24 hours to confirm the address:"
            ),
            "confirm-address",
            "If you did not ask for this, do nothing. The address is then not used.",
        ),
        (MailKind::Confirm, PushLanguage::German) => (
            "Overmate: bestätige deine E-Mail-Adresse",
            format!(
                "Diese Adresse wurde für das Konto {handle} auf {origin} eingetragen. Öffne diesen Link innerhalb von 24 Stunden, um die Adresse zu bestätigen:"
            ),
            "confirm-address",
            "Wenn du das nicht verlangt hast, tu nichts. Die Adresse wird dann nicht verwendet.",
        ),
        (MailKind::Recover, PushLanguage::English) => (
            "Overmate: set a new password",
            format!(
                "Somebody has asked for a new password for the account {handle} at {origin}. Open this link within one hour to set it. All browsers of the account are then signed out."
            ),
            "recover",
            "If you did not ask for this, do nothing. The password stays as it is.",
        ),
        (MailKind::Recover, PushLanguage::German) => (
            "Overmate: setze ein neues Passwort",
            format!(
                "Jemand hat für das Konto {handle} auf {origin} ein neues Passwort verlangt. Öffne diesen Link innerhalb einer Stunde, um es zu setzen. Alle Browser des Kontos werden dann abgemeldet."
            ),
            "recover",
            "Wenn du das nicht verlangt hast, tu nichts. Das Passwort bleibt, wie es ist.",
        ),
    };
    MailText { subject, body: format!("{says}\n\n{origin}/{link}#{token}\n\n{otherwise}\n") }
}
