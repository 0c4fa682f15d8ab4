//! Compressed answers: a page takes a second less to reach a phone over a slow network.

use std::io::{self, Write};

use flate2::Compression;
use flate2::write::GzEncoder;
use http_body_util::Full;
use hyper::Response;
use hyper::body::Bytes;
use hyper::header::{ACCEPT_ENCODING, CONTENT_ENCODING, HeaderMap, HeaderValue, VARY};

/// Whether a browser takes gzip, by RFC 9110, section 12.5.3: it is named, and not with a weight of zero.
fn takes_gzip(headers: &HeaderMap) -> bool {
    let named = headers.get_all(ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    named.flat_map(|value| value.split(',')).any(|coding| {
        let mut parts = coding.split(';').map(str::trim);
        let is_gzip = parts.next().is_some_and(|name| name.eq_ignore_ascii_case("gzip"));
        let weight = parts.find_map(|part| part.strip_prefix("q=")).map_or(Ok(1.0), str::parse::<f64>);
        is_gzip && weight.is_ok_and(|weight| weight > 0.0)
    })
}

fn gzipped(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes)?;
    encoder.finish()
}

/// `response` with `body`, compressed where the browser that sent `headers` takes that.
pub fn with_body(mut response: Response<Full<Bytes>>, body: String, headers: &HeaderMap) -> Response<Full<Bytes>> {
    response.headers_mut().insert(VARY, HeaderValue::from_static("Accept-Encoding"));
    let compressed = takes_gzip(headers).then(|| gzipped(body.as_bytes()));
    *response.body_mut() = match compressed {
        Some(Ok(compressed)) => {
            response.headers_mut().insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
            Full::new(compressed.into())
        }
        Some(Err(_)) | None => Full::new(body.into()),
    };
    response
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use flate2::read::GzDecoder;
    use http_body_util::{BodyExt, Full};
    use hyper::Response;
    use hyper::body::Bytes;
    use hyper::header::{ACCEPT_ENCODING, CONTENT_ENCODING, HeaderMap};

    use super::with_body;

    /// The answer to a browser that accepts `codings`: whether it is named as compressed, and its bytes.
    fn answered(codings: Option<&str>) -> (bool, Bytes) {
        let mut headers = HeaderMap::new();
        if let Some(codings) = codings {
            headers.insert(ACCEPT_ENCODING, codings.parse().unwrap());
        }
        let response = with_body(Response::new(Full::default()), "a page ".repeat(1000), &headers);
        let is_compressed = response.headers().get(CONTENT_ENCODING).is_some_and(|coding| coding == "gzip");
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        (is_compressed, runtime.block_on(response.into_body().collect()).unwrap().to_bytes())
    }

    #[test]
    fn a_page_is_compressed_for_who_takes_gzip() {
        for codings in ["gzip, deflate, br", "br;q=1.0, GZIP;q=0.5", "gzip"] {
            let (is_compressed, bytes) = answered(Some(codings));
            assert!(is_compressed && bytes.len() < 200, "{codings}: {} bytes", bytes.len());
            let mut page = String::new();
            GzDecoder::new(&bytes[..]).read_to_string(&mut page).unwrap();
            assert_eq!(page, "a page ".repeat(1000));
        }
        for codings in [None, Some("br"), Some("gzip;q=0"), Some("gzip;q=none"), Some("xgzip")] {
            assert_eq!(answered(codings), (false, "a page ".repeat(1000).into()), "{codings:?}");
        }
    }
}
