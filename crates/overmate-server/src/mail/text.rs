//! Writes the texts of e-mails in English and German.

use crate::store::{MailKind, PushLanguage};

/// Subject and body of an e-mail.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct MailText {
    pub(crate) subject: &'static str,
    pub(crate) body: String,
    /// URL at which the recipient unsubscribes from this kind of e-mail, or `None` for e-mails that are sent only once.
    pub(crate) unsubscribe: Option<String>,
}

/// Returns the subject and the body of an e-mail about an account. `account` holds the handle of the account and the address of
/// the server. E-mails of the kinds `Changed` and `Removed` contain no token.
pub(crate) fn text_of(
    kind: MailKind,
    language: PushLanguage,
    account: (&str, &str),
    token: &str,
) -> MailText {
    let (subject, body) = match kind {
        MailKind::Confirm => confirmation(language, account, token),
        MailKind::Recover => recovery(language, account, token),
        MailKind::Changed => changed(language, account),
        MailKind::Removed => removed(language, account),
    };
    MailText { subject, body, unsubscribe: None }
}

// The token stands after the sign # in the link of a message about an account. A browser does not send this part of a URL, so
// that no log of a server holds the token.

fn confirmation(
    language: PushLanguage,
    (handle, origin): (&str, &str),
    token: &str,
) -> (&'static str, String) {
    let link = format!("{origin}/confirm-address#{token}");
    match language {
        PushLanguage::English => (
            "Overmate: confirm your e-mail address",
            format!(
                "This address was entered for the account {handle} at {origin}. Open this link within 24 hours to confirm the address:\n\n{link}\n\nIf you did not ask for this, do nothing. The address is then not used.\n"
            ),
        ),
        PushLanguage::German => (
            "Overmate: bestätige deine E-Mail-Adresse",
            format!(
                "Diese Adresse wurde für das Konto {handle} auf {origin} eingetragen. Öffne diesen Link innerhalb von 24 Stunden, um die Adresse zu bestätigen:\n\n{link}\n\nWenn du das nicht verlangt hast, tu nichts. Die Adresse wird dann nicht verwendet.\n"
            ),
        ),
    }
}

fn recovery(
    language: PushLanguage,
    (handle, origin): (&str, &str),
    token: &str,
) -> (&'static str, String) {
    let link = format!("{origin}/recover#{token}");
    match language {
        PushLanguage::English => (
            "Overmate: set a new password",
            format!(
                "Somebody has asked for a new password for the account {handle} at {origin}. Open this link within one hour to set it. All browsers of the account are then signed out.\n\n{link}\n\nIf you did not ask for this, do nothing. The password stays as it is.\n"
            ),
        ),
        PushLanguage::German => (
            "Overmate: setze ein neues Passwort",
            format!(
                "Jemand hat für das Konto {handle} auf {origin} ein neues Passwort verlangt. Öffne diesen Link innerhalb einer Stunde, um es zu setzen. Alle Browser des Kontos werden dann abgemeldet.\n\n{link}\n\nWenn du das nicht verlangt hast, tu nichts. Das Passwort bleibt, wie es ist.\n"
            ),
        ),
    }
}

fn changed(language: PushLanguage, (handle, origin): (&str, &str)) -> (&'static str, String) {
    let otherwise = otherwise(language, origin);
    match language {
        PushLanguage::English => (
            "Overmate: your e-mail address was changed",
            format!(
                "The account {handle} at {origin} has another e-mail address now. Further e-mails go there, and this address does not serve for the account any more.\n\n{otherwise}\n"
            ),
        ),
        PushLanguage::German => (
            "Overmate: deine E-Mail-Adresse wurde geändert",
            format!(
                "Das Konto {handle} auf {origin} hat jetzt eine andere E-Mail-Adresse. Weitere E-Mails gehen dorthin, und diese Adresse dient nicht mehr für das Konto.\n\n{otherwise}\n"
            ),
        ),
    }
}

fn removed(language: PushLanguage, (handle, origin): (&str, &str)) -> (&'static str, String) {
    let otherwise = otherwise(language, origin);
    match language {
        PushLanguage::English => (
            "Overmate: your e-mail address was removed",
            format!(
                "This address was removed from the account {handle} at {origin}. It does not serve for the account any more, and gets no further e-mails.\n\n{otherwise}\n"
            ),
        ),
        PushLanguage::German => (
            "Overmate: deine E-Mail-Adresse wurde entfernt",
            format!(
                "Diese Adresse wurde vom Konto {handle} auf {origin} entfernt. Sie dient nicht mehr für das Konto und bekommt keine weiteren E-Mails.\n\n{otherwise}\n"
            ),
        ),
    }
}

/// Returns the security advice in an e-mail about a change of the recipient's account.
fn otherwise(language: PushLanguage, origin: &str) -> String {
    match language {
        PushLanguage::English => format!(
            "If you did this, you need not do anything. If not, somebody else uses your account: open {origin}/me, set a new password, which signs out all other browsers, and enter your address again. If you cannot sign in any more, write to the operator of the server."
        ),
        PushLanguage::German => format!(
            "Wenn du das warst, brauchst du nichts zu tun. Wenn nicht, benutzt jemand anders dein Konto: Öffne {origin}/me, setze ein neues Passwort, was alle anderen Browser abmeldet, und trage deine Adresse wieder ein. Wenn du dich nicht mehr anmelden kannst, schreibe dem Betreiber des Servers."
        ),
    }
}
