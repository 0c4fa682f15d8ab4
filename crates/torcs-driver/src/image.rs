//! The bytes of a struct of TORCS, from which [`layout`](crate::layout) and [`pits`](crate::pits) read fields
//! by their offsets.

/// The bytes of a struct.
#[derive(Clone, Copy, Debug)]
pub struct Image<'a>(pub &'a [u8]);

impl Image<'_> {
    /// Bytes from an offset on, 0 outside the image.
    pub(crate) fn bytes<const N: usize>(&self, offset: usize) -> [u8; N] {
        let found = self.0.get(offset..offset + N).and_then(|bytes| bytes.try_into().ok());
        found.unwrap_or([0; N])
    }

    /// A float.
    #[must_use]
    pub fn float(&self, offset: usize) -> f64 {
        f64::from(f32::from_ne_bytes(self.bytes(offset)))
    }

    /// A double.
    #[must_use]
    pub fn double(&self, offset: usize) -> f64 {
        f64::from_ne_bytes(self.bytes(offset))
    }

    /// An int.
    #[must_use]
    pub fn int(&self, offset: usize) -> i32 {
        i32::from_ne_bytes(self.bytes(offset))
    }

    /// A pointer's address.
    #[must_use]
    pub fn address(&self, offset: usize) -> usize {
        usize::from_ne_bytes(self.bytes(offset))
    }

    /// Successive floats.
    #[must_use]
    pub fn floats<const N: usize>(&self, offset: usize) -> [f64; N] {
        std::array::from_fn(|i| self.float(offset + 4 * i))
    }

    /// A text of at most `max` bytes, up to the first 0.
    #[must_use]
    pub fn text(&self, offset: usize, max: usize) -> String {
        let bytes = self.0.get(offset..(offset + max).min(self.0.len())).unwrap_or_default();
        let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
        String::from_utf8_lossy(&bytes[..end]).into_owned()
    }
}
