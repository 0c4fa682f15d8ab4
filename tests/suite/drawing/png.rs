//! PNGs that `image` doesn't write: with a palette, and with a header that lies.

const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";

/// A picture of two colours, square, one index (0 or 1) a pixel.
pub fn with_palette(size: u32, colours: [[u8; 3]; 2], indices: &[u8]) -> Vec<u8> {
    const PALETTE: u8 = 3;
    let mut raw = Vec::new();
    for row in indices.chunks(size as usize) {
        raw.push(0);
        raw.extend(row);
    }
    [
        SIGNATURE.to_vec(),
        header(size, size, PALETTE),
        chunk(b"PLTE", colours.as_flattened()),
        chunk(b"IDAT", &stored(&raw)),
        chunk(b"IEND", &[]),
    ]
    .concat()
}

/// A grey picture that ends where its pixels should begin.
pub fn header_only(width: u32, height: u32) -> Vec<u8> {
    [SIGNATURE.to_vec(), header(width, height, 0), vec![0, 0, 0, 8], b"IDAT\x78\x01".to_vec()].concat()
}

/// 8 bits a channel, not interlaced.
fn header(width: u32, height: u32, colour_type: u8) -> Vec<u8> {
    chunk(b"IHDR", &[&width.to_be_bytes(), &height.to_be_bytes(), &[8, colour_type, 0, 0, 0][..]].concat())
}

fn chunk(kind: &[u8; 4], data: &[u8]) -> Vec<u8> {
    let checked = [kind.as_slice(), data].concat();
    let crc = checked.iter().fold(u32::MAX, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |c, _| if c & 1 == 1 { 0xEDB8_8320 ^ (c >> 1) } else { c >> 1 })
    });
    [&(data.len() as u32).to_be_bytes(), checked.as_slice(), &(!crc).to_be_bytes()].concat()
}

/// A zlib stream of stored blocks (RFC 1950, RFC 1951 section 3.2.4).
fn stored(raw: &[u8]) -> Vec<u8> {
    let mut stream = vec![0x78, 0x01];
    let mut blocks = raw.chunks(65535).peekable();
    while let Some(block) = blocks.next() {
        let length = block.len() as u16;
        stream.push(u8::from(blocks.peek().is_none()));
        stream.extend(length.to_le_bytes());
        stream.extend((!length).to_le_bytes());
        stream.extend(block);
    }
    let (a, b) = raw.iter().fold((1_u32, 0_u32), |(a, b), &byte| {
        let a = (a + u32::from(byte)) % 65521;
        (a, (b + a) % 65521)
    });
    stream.extend((b << 16 | a).to_be_bytes());
    stream
}
