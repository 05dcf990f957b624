//! Validates push endpoints, the URLs at which push services accept messages. Browsers send these URLs, and the server must not trust them.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use axum::http::Uri;

/// Maximum length of a push endpoint's URL, in bytes.
const MOST_BYTES: usize = 1_024;

/// Push endpoint: the URL of a push service for messages to one browser. The scheme is HTTPS, the port is 443, and the URL contains no user
/// name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Endpoint {
    uri: Uri,
    host: String,
}

impl Endpoint {
    /// Parses a push endpoint, or returns `None` if the URL is not allowed. An IP address must be public. The addresses of a host name are
    /// checked at each connection.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let uri: Uri = text.parse().ok().filter(|_| text.len() <= MOST_BYTES)?;
        let authority = uri.authority()?;
        let is_plain = !authority.as_str().contains('@')
            && matches!(authority.port_u16(), None | Some(443))
            && !authority.as_str().ends_with(':');
        if uri.scheme_str() != Some("https") || !is_plain {
            return None;
        }
        let host = authority.host().trim_matches(['[', ']']).to_ascii_lowercase();
        let is_allowed = match host.parse::<IpAddr>() {
            Ok(address) => is_public(address),
            // A host name without a dot is refused, because it belongs to the local network of the server.
            Err(_) => host.contains('.') && !host.ends_with('.') && !host.ends_with(".localhost"),
        };
        is_allowed.then_some(Self { uri, host })
    }

    /// Returns the host name or the IP address of the push endpoint, without brackets.
    pub(crate) fn host(&self) -> &str {
        &self.host
    }

    /// Returns the value of the header `Host` for requests to the push endpoint.
    pub(crate) fn authority(&self) -> &str {
        self.uri.authority().map_or("", |authority| authority.as_str())
    }

    /// Returns the path and the query of the push endpoint's URL.
    pub(crate) fn path(&self) -> &str {
        self.uri.path_and_query().map_or("/", |path| path.as_str())
    }

    /// Returns the origin of the push endpoint. The server signs its requests for this origin.
    pub(crate) fn origin(&self) -> String {
        format!("https://{}", self.authority())
    }
}

/// Returns whether an IP address belongs to the public Internet. All special-purpose addresses (RFC 6890) are refused, and so
/// are IPv6 addresses that stand for an IPv4 address.
pub(crate) fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    let is_special = address.is_private()
        || address.is_loopback()
        || address.is_link_local()
        || address.is_documentation()
        // Addresses for multicast and broadcast, and reserved addresses.
        || a >= 224
        || a == 0
        // Addresses for carrier-grade NAT (RFC 6598).
        || (a == 100 && (64..128).contains(&b))
        // Addresses for protocol assignments (RFC 6890), and for relays of 6to4 (RFC 7526).
        || (a == 192 && b == 0 && c == 0)
        || (a == 192 && b == 88 && c == 99)
        // Addresses for benchmarks (RFC 2544).
        || (a == 198 && (18..20).contains(&b));
    !is_special
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    let [a, b, ..] = address.segments();
    // Global unicast addresses (RFC 4291). Loopback, unspecified, unique local, link-local, multicast and IPv4-mapped addresses,
    // and the translation prefixes 64:ff9b::/96 and 64:ff9b:1::/48, lie outside.
    let is_global = (0x2000..0x4000).contains(&a);
    // IPv6 addresses for protocol assignments with Teredo (2001::/23), for documentation (2001:db8::/32, 3fff::/20), and for 6to4
    // (2002::/16).
    let is_special =
        (a == 0x2001 && (b < 0x200 || b == 0xdb8)) || a == 0x2002 || (a == 0x3fff && b < 0x1000);
    is_global && !is_special
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_public_addresses_are_reached() {
        let mut tried = 0;
        for (text, expected) in [
            ("1.1.1.1", true),
            ("142.250.185.74", true),
            ("192.0.1.1", true),
            ("2a00:1450:4001:82b::200a", true),
            ("2606:4700::1111", true),
            ("0.0.0.0", false),
            ("0.1.2.3", false),
            ("10.1.2.3", false),
            ("100.64.0.1", false),
            ("100.127.255.255", false),
            ("127.0.0.1", false),
            ("127.9.9.9", false),
            ("169.254.169.254", false),
            ("172.16.0.1", false),
            ("172.31.255.255", false),
            ("192.0.0.8", false),
            ("192.0.2.1", false),
            ("192.88.99.1", false),
            ("192.168.0.1", false),
            ("198.18.0.1", false),
            ("198.19.255.255", false),
            ("198.51.100.1", false),
            ("203.0.113.1", false),
            ("224.0.0.1", false),
            ("240.0.0.1", false),
            ("255.255.255.255", false),
            ("::", false),
            ("::1", false),
            ("::ffff:127.0.0.1", false),
            ("::ffff:1.1.1.1", false),
            ("::7f00:1", false),
            ("64:ff9b::7f00:1", false),
            ("64:ff9b:1::1", false),
            ("100::1", false),
            ("2001::1", false),
            ("2001:db8::1", false),
            ("2002:7f00:1::", false),
            ("3fff::1", false),
            ("fc00::1", false),
            ("fd12:3456::1", false),
            ("fe80::1", false),
            ("fec0::1", false),
            ("ff02::1", false),
        ] {
            assert_eq!(is_public(text.parse().expect("an address")), expected, "{text}");
            tried += 1;
        }
        assert_eq!(tried, 43);
    }

    #[test]
    fn an_endpoint_is_an_https_address_of_a_public_host() {
        let long = format!("https://push.example/{}", "a".repeat(1_024));
        let mut tried = 0;
        for (text, is_accepted) in [
            ("https://push.example/wpush/v2/abc?d=e", true),
            ("https://PUSH.example:443/abc", true),
            ("https://1.1.1.1/abc", true),
            ("https://[2606:4700::1111]/abc", true),
            ("http://push.example/abc", false),
            ("https://push.example:8443/abc", false),
            ("https://push.example:/abc", false),
            ("https://user@push.example/abc", false),
            ("https://127.0.0.1/abc", false),
            ("https://[::1]/abc", false),
            ("https://[::ffff:10.0.0.1]/abc", false),
            ("https://localhost/abc", false),
            ("https://a.localhost/abc", false),
            ("https://database/abc", false),
            ("https://push.example./abc", false),
            ("ftp://push.example/abc", false),
            ("/abc", false),
            ("push.example", false),
            ("", false),
            (&long, false),
        ] {
            assert_eq!(Endpoint::read(text).is_some(), is_accepted, "{text}");
            tried += 1;
        }
        assert_eq!(tried, 20);
        let endpoint = Endpoint::read("https://push.example/a?b").expect("an endpoint");
        assert_eq!((endpoint.path(), endpoint.host()), ("/a?b", "push.example"));
        assert_eq!(endpoint.origin(), "https://push.example");
    }
}
