//! What the first bytes or the text of a file show, for those who decide what it is.

use serde::Deserialize;

/// The first bytes of raster formats. Formats that cannot be decoded are included, because the
/// error message then names the supported formats.
const SIGNATURES: [&[u8]; 7] =
    [b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF87a", b"GIF89a", b"MM\0*", b"II*\0", b"\0\0\x01\0"];

/// Whether the bytes begin as a ZIP archive does, as a KMZ is.
pub(crate) fn is_archive(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK\x03\x04")
}

/// Whether the bytes begin as a raster format does.
pub(crate) fn is_picture(bytes: &[u8]) -> bool {
    let is_webp = bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP");
    // Two letters alone could begin a text. A bitmap's header has zeros in its length and its
    // offset.
    let is_bitmap = bytes.starts_with(b"BM") && bytes.iter().take(18).any(|&byte| byte == 0);
    SIGNATURES.iter().any(|signature| bytes.starts_with(signature)) || is_webp || is_bitmap || is_netpbm(bytes)
}

/// Whether it is a portable any-map: `P1` to `P6` and a number or a comment, or `P7` and a keyword
/// on its own line.
fn is_netpbm(bytes: &[u8]) -> bool {
    let [b'P', kind @ b'1'..=b'7', space, rest @ ..] = bytes else { return false };
    let next = rest.iter().find(|byte| !byte.is_ascii_whitespace());
    match kind {
        b'7' => *space == b'\n',
        _ => space.is_ascii_whitespace() && next.is_some_and(|byte| byte.is_ascii_digit() || *byte == b'#'),
    }
}

/// The name of the root element of this XML, without its prefix.
pub(crate) fn root_element(text: &str) -> Option<&str> {
    let mut rest = text;
    loop {
        let end = match rest {
            _ if rest.starts_with("<?") => "?>",
            _ if rest.starts_with("<!--") => "-->",
            // The internal declarations of a document type are in brackets.
            _ if rest.starts_with("<!") && rest.split('>').next().is_some_and(|head| head.contains('[')) => "]>",
            _ if rest.starts_with("<!") => ">",
            _ => break,
        };
        let (_, after) = rest.split_once(end)?;
        rest = after.trim_start();
    }
    let element = rest.strip_prefix('<')?;
    let name = element.split(|c: char| c.is_whitespace() || matches!(c, '>' | '/')).next().unwrap_or_default();
    name.rsplit(':').next()
}

/// Words in the rows of two edges.
const KINDS_OF_EDGES: [&str; 3] = ["line", "kerb", "wall"];

/// Whether the first line, or the second after a header, is a row of at least two numbers and kinds
/// of edges. Comments and empty lines are ignored.
pub(crate) fn has_rows_of_numbers(text: &str) -> bool {
    let is_row = |line: &str| {
        let separators: &[char] = if line.contains(';') { &[';'] } else { &[',', ' ', '\t'] };
        let mut fields = line.split(separators).map(str::trim).filter(|field| !field.is_empty());
        let count = fields.clone().count();
        count > 1 && fields.all(|field| field.parse::<f64>().is_ok() || KINDS_OF_EDGES.contains(&field))
    };
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.take(2).any(is_row)
}

/// Whether this JSON is a racing-line file, by its `format`.
pub(crate) fn is_racing_line(text: &str) -> bool {
    #[derive(Deserialize)]
    struct Tagged {
        format: String,
    }
    serde_json::from_str::<Tagged>(text).is_ok_and(|tagged| tagged.format == raceline_file::FORMAT)
}
