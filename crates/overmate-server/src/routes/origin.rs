//! Refuses cross-site request forgery, and requests for foreign host names (DNS rebinding).

use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, Method, header};
use axum::middleware::Next;
use axum::response::Response;

use crate::error::ApiError;
use crate::http::forwarded;
use crate::settings::Settings;

/// Endings of host names that only the local network resolves (RFC 6761, 6762, 8375, and the ICANN
/// reservation of `internal`).
const LOCAL_ENDINGS: [&str; 4] = [".localhost", ".local", ".home.arpa", ".internal"];

/// Refuses requests for foreign host names, and cross-site requests that write data or open a WebSocket.
pub(super) async fn refuse_foreign(
    State(settings): State<Arc<Settings>>,
    request: Request,
    next: Next,
) -> Result<Response, ApiError> {
    let headers = request.headers();
    if !is_own_host(text(headers, &header::HOST), &settings) {
        return Err(ApiError::ForeignHost);
    }
    let is_upgrade = headers.contains_key(header::UPGRADE);
    let only_reads = matches!(*request.method(), Method::GET | Method::HEAD) && !is_upgrade;
    if !only_reads && !is_own_page(headers, &settings) {
        return Err(ApiError::ForeignOrigin);
    }
    Ok(next.run(request).await)
}

/// Returns whether the server accepts requests for the host in the header `Host`.
///
/// A page of another site can point its own host name to this server (DNS rebinding). Browsers then
/// treat both as one site. The attack needs a name in the public DNS, so that IP addresses and
/// local names are safe.
fn is_own_host(host: Option<&str>, settings: &Settings) -> bool {
    // A request without the header `Host` does not come from a browser, and is accepted.
    let Some(host) = host else { return true };
    let name = host_name(host);
    let is_listed = settings.hosts.iter().any(|known| known.eq_ignore_ascii_case(name));
    let origins = settings.origins.iter().filter_map(|origin| origin.split_once("://"));
    let is_of_origin =
        origins.into_iter().any(|(_, host)| host_name(host).eq_ignore_ascii_case(name));
    let lower = name.to_ascii_lowercase();
    is_listed
        || is_of_origin
        || (settings.behind_proxy && settings.hosts.is_empty())
        || name.parse::<IpAddr>().is_ok()
        || lower.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c))
        || LOCAL_ENDINGS.iter().any(|ending| lower.ends_with(ending))
}

/// Returns the name or IP address in the header `Host`. The port, the brackets of an IPv6 address and the final point of a name
/// are removed.
fn host_name(host: &str) -> &str {
    if let Some((address, _)) = host.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        return address;
    }
    let name = host.rsplit_once(':').map_or(host, |(name, _)| name);
    name.strip_suffix('.').unwrap_or(name)
}

/// Returns whether a request comes from a page of this server or of an allowed origin, or from no web page.
///
/// Browsers always send the header `Origin` with a request that may change data. Other programs have no cookies of a user. Therefore a
/// request without this header is accepted, unless the header `Sec-Fetch-Site` reports another origin.
fn is_own_page(headers: &HeaderMap, settings: &Settings) -> bool {
    let Some(origin) = text(headers, &header::ORIGIN) else {
        return !matches!(text(headers, &HeaderName::from_static("sec-fetch-site")),
            Some(site) if site != "same-origin" && site != "none");
    };
    if settings.origins.iter().any(|known| known == origin) {
        return true;
    }
    let own = origin.split_once("://");
    own.is_some_and(|(scheme, host)| {
        Some(host) == text(headers, &header::HOST) && scheme == own_scheme(headers, settings)
    })
}

/// Returns the URL scheme by which browsers reach the server. Behind a reverse proxy, a header of the proxy gives the scheme; without this
/// header, the scheme is `https`. Without a proxy, the scheme is `http`.
fn own_scheme<'a>(headers: &'a HeaderMap, settings: &Settings) -> &'a str {
    if !settings.behind_proxy {
        return "http";
    }
    let reported = text(headers, &HeaderName::from_static("x-forwarded-proto"));
    let reported = reported.map(forwarded::last_element);
    let forwarded = || {
        let element = forwarded::last_element(text(headers, &header::FORWARDED)?);
        forwarded::parameter(element, "proto")
    };
    reported.or_else(forwarded).unwrap_or("https")
}

/// Returns the web origin by which a client reaches the server, such as `https://mate.example`.
/// Returns `None` if the client named no host.
pub(super) fn own_origin(headers: &HeaderMap, settings: &Settings) -> Option<String> {
    let host = text(headers, &header::HOST)?;
    let is_host = |c: char| c.is_ascii_alphanumeric() || "-_.:[]".contains(c);
    host.chars().all(is_host).then(|| format!("{}://{host}", own_scheme(headers, settings)))
}

/// Returns the value of a header as text, of several header lines the last one, which the nearest proxy has added. For bytes that are not
/// text, the result is a question mark, which no browser sends. Returns `None` if the request lacks the header.
fn text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    let last = headers.get_all(name).iter().next_back();
    last.map(|value| value.to_str().unwrap_or("?"))
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    fn settings(behind_proxy: bool, origins: &[&str], hosts: &[&str]) -> Settings {
        let all = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect();
        let new = Settings::new(std::path::PathBuf::from("unused"));
        Settings { behind_proxy, origins: all(origins), hosts: all(hosts), ..new }
    }

    fn is_own(settings: &Settings, pairs: &[(&'static str, &'static str)]) -> bool {
        let mut headers = HeaderMap::new();
        for (name, value) in pairs {
            headers.append(*name, HeaderValue::from_static(value));
        }
        is_own_page(&headers, settings)
    }

    #[test]
    fn pages_of_the_server_and_of_allowed_origins_may_send_changes() {
        let direct = settings(false, &["https://mate.example"], &[]);
        for pairs in [
            &[("host", "127.0.0.1:2420"), ("origin", "http://127.0.0.1:2420")][..],
            &[("host", "inside:1"), ("origin", "https://mate.example")],
            &[("host", "127.0.0.1:2420")],
            &[("host", "a"), ("sec-fetch-site", "same-origin")],
        ] {
            assert!(is_own(&direct, pairs), "{pairs:?}");
        }
    }

    #[test]
    fn a_page_of_another_site_may_change_nothing() {
        let direct = settings(false, &["https://mate.example"], &[]);
        for pairs in [
            &[("host", "127.0.0.1:2420"), ("origin", "https://evil.example")][..],
            &[("host", "127.0.0.1:2420"), ("origin", "http://127.0.0.1:2421")],
            &[("host", "127.0.0.1:2420"), ("origin", "https://127.0.0.1:2420")],
            &[("host", "a"), ("origin", "null")],
            &[("host", "mate.example"), ("origin", "https://mate.example.evil.example")],
            &[("host", "a"), ("sec-fetch-site", "cross-site")],
        ] {
            assert!(!is_own(&direct, pairs), "{pairs:?}");
        }
    }

    #[test]
    fn the_scheme_of_a_page_behind_a_proxy_is_the_scheme_that_the_proxy_reports() {
        let proxied = settings(true, &[], &[]);
        let (host, https, http) = (
            ("host", "mate.example"),
            ("origin", "https://mate.example"),
            ("origin", "http://mate.example"),
        );
        assert!(is_own(&proxied, &[host, https]) && !is_own(&proxied, &[host, http]));
        for (name, is_https, is_http) in [
            ("x-forwarded-proto", "https", "http"),
            ("x-forwarded-proto", "http, https", "https, http"),
            ("forwarded", "for=192.0.2.1;proto=https", "for=192.0.2.1; Proto=\"http\""),
            ("forwarded", "proto=https;host=\"a,proto=http\"", "proto=http;host=\"a;proto=https\""),
        ] {
            for (told, page, own) in [
                (is_https, https, true),
                (is_https, http, false),
                (is_http, http, true),
                (is_http, https, false),
            ] {
                assert_eq!(is_own(&proxied, &[host, page, (name, told)]), own, "{told} {page:?}");
            }
        }
        // Of several header lines the last one counts, which the nearest proxy has added.
        for name in ["x-forwarded-proto", "forwarded"] {
            let [told_http, told_https] = if name == "forwarded" {
                [(name, "proto=http"), (name, "proto=https")]
            } else {
                [(name, "http"), (name, "https")]
            };
            assert!(is_own(&proxied, &[host, https, told_http, told_https]));
            assert!(!is_own(&proxied, &[host, https, told_https, told_http]));
        }
        // A server without a proxy ignores the header `X-Forwarded-Proto`, because clients can forge this header.
        let direct = settings(false, &[], &[]);
        assert!(!is_own(&direct, &[host, https, ("x-forwarded-proto", "https")]));
    }

    #[test]
    fn the_own_origin_has_the_scheme_of_the_proxy_and_the_host_of_the_client() {
        let origin = |host: &'static str, settings: &Settings| {
            own_origin(
                &HeaderMap::from_iter([(header::HOST, HeaderValue::from_static(host))]),
                settings,
            )
        };
        let (direct, proxied) = (settings(false, &[], &[]), settings(true, &[], &[]));
        assert_eq!(origin("127.0.0.1:2420", &direct).as_deref(), Some("http://127.0.0.1:2420"));
        assert_eq!(origin("mate.example", &proxied).as_deref(), Some("https://mate.example"));
        assert_eq!(origin("a\"><script>", &proxied), None);
        assert_eq!(own_origin(&HeaderMap::new(), &direct), None);
    }

    #[test]
    fn the_server_answers_for_addresses_and_local_names_and_for_listed_names_only() {
        let direct = settings(false, &["https://mate.example"], &["table.example"]);
        for host in [
            "127.0.0.1:2420",
            "192.0.2.1",
            "[::1]:2420",
            "localhost:2420",
            "LOCALHOST",
            "cellar",
            "cellar.local:80",
            "mate.home.arpa",
            "mate.localhost",
            "mate.example",
            "Mate.Example.:443",
            "table.example:8080",
        ] {
            assert!(is_own_host(Some(host), &direct), "{host}");
        }
        let foreign = [
            "evil.example",
            "evil.example:2420",
            "127.0.0.1.evil.example",
            "mate.example.evil.example",
            "local.evil",
            "?",
        ];
        for host in foreign {
            assert!(!is_own_host(Some(host), &direct), "{host}");
            assert!(is_own_host(Some(host), &settings(true, &[], &[])), "{host}");
            assert!(!is_own_host(Some(host), &settings(true, &[], &["mate.example"])), "{host}");
        }
        assert!(is_own_host(None, &direct));
    }
}
