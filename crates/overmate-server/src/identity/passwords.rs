//! Checks, hashes and verifies the passwords of accounts.

use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{Error, PasswordHasher as _, PasswordVerifier as _};
use argon2::{Algorithm, Argon2, Params, Version};
use unicode_normalization::UnicodeNormalization as _;

/// Minimum number of characters in a password.
pub(crate) const SHORTEST: usize = 10;

/// Maximum number of characters in a password.
pub(crate) const LONGEST: usize = 256;

/// Minimum number of distinct characters in a password.
const DIFFERENT: usize = 5;

/// Denylist of common passwords that satisfy all other password rules. Each of them has at least [`SHORTEST`] characters, and no capital
/// letters, because the check compares the password in lower case.
const COMMON: [&str; 20] = [
    "0123456789",
    "0987654321",
    "1234567890",
    "12345678910",
    "123456789a",
    "1q2w3e4r5t",
    "1q2w3e4r5t6y",
    "1qaz2wsx3edc",
    "9876543210",
    "a123456789",
    "abcdefghij",
    "asdfghjkl;",
    "iloveyou123",
    "letmein123",
    "password12",
    "password123",
    "password1234",
    "q1w2e3r4t5",
    "qwertyuiop",
    "qwertz1234",
];

/// Argon2 costs: memory in units of 1,024 bytes, number of passes, and number of lanes. OWASP's Password Storage Cheat Sheet
/// lists several equal choices. This is the second choice, which needs little memory and only two passes.
const COSTS: (u32, u32, u32) = (19 * 1_024, 2, 1);

/// Reason why a password is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum PasswordFault {
    #[error("the password is too short or too long: choose {SHORTEST} to {LONGEST} characters")]
    Length,
    #[error(
        "the password is easy to guess: choose an uncommon password with at least {DIFFERENT} different characters and without the handle"
    )]
    Weak,
}

/// Checks that a password has an allowed length and is not easy to guess. A password is easy to guess if it is common, contains the handle,
/// or has fewer than [`DIFFERENT`] distinct characters.
pub(crate) fn check(password: &str, handle: &str) -> Result<(), PasswordFault> {
    let password = normalised(password);
    if !(SHORTEST..=LONGEST).contains(&password.chars().count()) {
        return Err(PasswordFault::Length);
    }
    let mut characters: Vec<char> = password.chars().collect();
    characters.sort_unstable();
    characters.dedup();
    let lower = password.to_lowercase();
    if characters.len() < DIFFERENT
        || lower.contains(&handle.to_lowercase())
        || COMMON.contains(&&*lower)
    {
        return Err(PasswordFault::Weak);
    }
    Ok(())
}

/// Hashes a password with a random salt. The resulting text also holds the salt and the parameters.
pub(crate) fn hash(password: &str) -> Result<String, Error> {
    Ok(hasher()?.hash_password(normalised(password).as_bytes())?.to_string())
}

/// Verifies a password against a stored hash. Without a stored hash, the result is `false` after
/// the same work.
pub(crate) fn is_right(password: &str, stored: Option<&str>) -> bool {
    let Ok(hasher) = hasher() else { return false };
    let password = normalised(password);
    if let Some(stored) = stored {
        return PasswordHash::new(stored)
            .is_ok_and(|stored| hasher.verify_password(password.as_bytes(), &stored).is_ok());
    }
    let hash = hasher.hash_password_with_salt(password.as_bytes(), &[0; 16]);
    // If no hash is stored, the password is still hashed, so that the check takes as long as the verification of a stored hash. The result
    // is not used, and `black_box` keeps the compiler from removing the work.
    std::hint::black_box(hash.is_ok());
    false
}

fn hasher() -> Result<Argon2<'static>, Error> {
    let (memory, passes, lanes) = COSTS;
    let params = Params::new(memory, passes, lanes, None).map_err(|_| Error::ParamsInvalid)?;
    Ok(Argon2::new(Algorithm::Argon2id, Version::V0x13, params))
}

/// Normalises a password to Unicode form KC. Keyboards that compose characters in different ways
/// then give the same password.
fn normalised(password: &str) -> String {
    password.nfkc().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_verified_by_its_hash_alone() {
        let stored = hash("correct horse battery").expect("a hash");
        assert!(stored.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{stored}");
        assert!(is_right("correct horse battery", Some(&stored)));
        for (password, stored) in [
            ("correct horse batter", Some(&*stored)),
            ("", Some(&stored)),
            ("correct horse battery", None),
            ("correct horse battery", Some("")),
            ("correct horse battery", Some("$argon2id$v=19$m=19456,t=2,p=1$")),
        ] {
            assert!(!is_right(password, stored), "{password} {stored:?}");
        }
        assert_ne!(hash("correct horse battery").expect("a hash"), stored, "a salt is random");
    }

    #[test]
    fn a_password_is_the_same_in_every_unicode_form() {
        let stored = hash("stra\u{df}e mit \u{fc}ber").expect("a hash");
        assert!(is_right("stra\u{df}e mit u\u{308}ber", Some(&stored)));
    }

    #[test]
    fn a_password_that_is_easy_to_guess_is_refused() {
        for password in ["", "123456789", "ü".repeat(9).as_str(), "x".repeat(257).as_str()] {
            assert_eq!(check(password, "anna"), Err(PasswordFault::Length), "{password}");
        }
        for password in ["aaaaaaaaaaaa", "abcdabcdabcd", "I am ANNA of old"] {
            assert_eq!(check(password, "anna"), Err(PasswordFault::Weak), "{password}");
        }
        for password in COMMON {
            assert_eq!(check(password, "anna"), Err(PasswordFault::Weak), "{password}");
        }
        assert_eq!(check("QwertyUIOP", "anna"), Err(PasswordFault::Weak));
        assert_eq!(check("correct horse battery", "anna"), Ok(()));
        assert_eq!(check(&"abcdefghij".repeat(25), "anna"), Ok(()));
    }
}
