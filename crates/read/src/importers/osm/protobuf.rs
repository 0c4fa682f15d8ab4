//! The wire format of protocol buffers (<https://protobuf.dev/programming-guides/encoding/>), as far as maps
//! use it. Everything that is out of its bytes is `None`.

/// The fields of a message, each with its number. An item is `None` where the message is damaged, and is then
/// the last one.
pub(super) struct Fields<'a>(pub &'a [u8]);

/// The value of a field.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Value<'a> {
    /// A number of variable length.
    Number(u64),
    /// Bytes, a text, a message or packed numbers.
    Bytes(&'a [u8]),
    /// A number of fixed length, which no map has.
    Fixed,
}

impl<'a> Iterator for Fields<'a> {
    type Item = Option<(u64, Value<'a>)>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.0.is_empty() {
            return None;
        }
        let field = self.field();
        if field.is_none() {
            self.0 = &[];
        }
        Some(field)
    }
}

impl<'a> Fields<'a> {
    fn field(&mut self) -> Option<(u64, Value<'a>)> {
        let key = number(&mut self.0)?;
        let value = match key & 7 {
            0 => Value::Number(number(&mut self.0)?),
            1 => {
                self.take(8)?;
                Value::Fixed
            }
            2 => {
                let length = usize::try_from(number(&mut self.0)?).ok()?;
                Value::Bytes(self.take(length)?)
            }
            5 => {
                self.take(4)?;
                Value::Fixed
            }
            _ => return None,
        };
        Some((key >> 3, value))
    }

    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(taken)
    }
}

/// The number at the start of `bytes`, which is removed from them.
fn number(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0_u64;
    for shift in (0..64).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        let part = u64::from(byte & 0x7f);
        // Of the tenth byte one bit is left.
        if shift == 63 && part > 1 {
            return None;
        }
        number |= part << shift;
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
}

/// Adds the numbers of a repeated field, packed or one by one.
pub(super) fn packed(value: Value<'_>, numbers: &mut Vec<u64>) -> Option<()> {
    match value {
        Value::Number(number) => numbers.push(number),
        Value::Bytes(mut bytes) => {
            while !bytes.is_empty() {
                numbers.push(number(&mut bytes)?);
            }
        }
        Value::Fixed => return None,
    }
    Some(())
}

/// Likewise for numbers with a sign.
pub(super) fn packed_signed(value: Value<'_>, numbers: &mut Vec<i64>) -> Option<()> {
    let mut unsigned = Vec::new();
    packed(value, &mut unsigned)?;
    numbers.extend(unsigned.into_iter().map(unzigzag));
    Some(())
}

/// The number with a sign that is written as one without: 0, -1, 1, -2, … for 0, 1, 2, 3, …
pub(super) fn unzigzag(number: u64) -> i64 {
    (number >> 1).cast_signed() ^ -(number & 1).cast_signed()
}

#[cfg(test)]
mod tests {
    use super::{Fields, Value, packed_signed, unzigzag};

    #[test]
    fn fields_of_the_guide() {
        // Field 1 is 150, field 2 is the text "testing": the examples of the format's guide.
        let bytes = b"\x08\x96\x01\x12\x07testing";
        let fields: Vec<_> = Fields(bytes).collect();
        assert_eq!(fields, [Some((1, Value::Number(150))), Some((2, Value::Bytes(b"testing")))]);
        assert_eq!([0, 1, 2, 3, u64::MAX, u64::MAX - 1].map(unzigzag), [0, -1, 1, -2, i64::MIN, i64::MAX]);
        let mut numbers = Vec::new();
        packed_signed(Value::Bytes(&[0x03, 0x8e, 0x02, 0x9e, 0xa7, 0x05]), &mut numbers);
        assert_eq!(numbers, [-2, 135, 43_471]);
    }

    #[test]
    fn damage_ends_a_message() {
        for bytes in
            [&b"\x08"[..], b"\x12\x09testing", b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", b"\x0b", b"\x09a"]
        {
            assert_eq!(Fields(bytes).last(), Some(None), "{bytes:?}");
        }
    }
}
