//! Serves the pictures for link previews.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderName, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;

use super::extract::Options;
use crate::error::ApiError;
use crate::http::client::Client;
use crate::limits::{Dear, Limiter};
use crate::picture::MEDIA_TYPE;
use crate::services::{PictureService, deal_of};
use crate::wire::checks::{Checked, text_fault};

/// Query parameters of a request for a picture. Without a deal, the response is the picture of the whole site.
#[derive(Debug, Deserialize)]
pub(super) struct PictureQuery {
    /// Name of the deal's rule set. The default is the rule set of the analysis page.
    rules: Option<String>,
    /// Number of the deal whose board the picture shows. Without this number, the picture is that of the whole site.
    deal: Option<String>,
}

/// Default rule set of an analysis or a picture whose URL names no rule set.
pub(super) const USUAL_RULES: &str = "bga";

impl Checked for PictureQuery {
    fn fault(&self) -> Option<String> {
        text_fault("rules", self.rules.as_ref(), 200)
            .or_else(|| text_fault("deal", self.deal.as_ref(), 20))
    }
}

/// Serves an image of a deal's board, in PNG unless the server is built without PNG images.
pub(super) async fn picture(
    State(pictures): State<Arc<PictureService>>,
    State(limiter): State<Arc<Limiter>>,
    client: Client,
    Options(query): Options<PictureQuery>,
) -> Result<Response, ApiError> {
    let rules = query.rules.as_deref().unwrap_or(USUAL_RULES);
    let deal = query.deal.map(|number| deal_of(rules, &number)).transpose()?;
    limiter.count_dear(client, Dear::Analysis).await?;
    let image = pictures.image(deal, client).await?;
    let headers = [
        (header::CONTENT_TYPE, MEDIA_TYPE),
        // Caches keep a picture for only one week, because a newer version of the server may draw the board differently.
        (header::CACHE_CONTROL, "public, max-age=604800"),
        // The header `Cross-Origin-Resource-Policy` allows pages of other sites to show the picture in a link preview.
        (HeaderName::from_static("cross-origin-resource-policy"), "cross-origin"),
    ];
    Ok((headers, Body::from(image.to_vec())).into_response())
}
