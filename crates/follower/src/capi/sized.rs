//! Structs that state their own size, so that later versions can have more fields.
//!
//! A program that was compiled with an older header passes a smaller struct: what is missing has its
//! default, and of a result only what fits is written. A larger one is from a newer header than this
//! library and is rejected, since its further fields would be ignored.

use super::calls::{Fault, Outcome, RacelineStatus, checked};

/// A struct that begins with its size in bytes.
///
/// # Safety
/// The type is `repr(C)`, begins with a `u32`, has no padding, and any bits are a value of it.
pub(super) unsafe trait Sized: Copy + Default {
    /// Where fields begin: a struct of an older header ends there, so that no field is half there.
    fn is_field_start(offset: usize) -> bool;

    /// The size that the caller's struct states.
    fn struct_size(&self) -> u32;
}

/// Declares a struct of the interface with the defaults of its fields. Its size comes first.
macro_rules! sized {
    ($(#[$about:meta])* $name:ident { $($(#[$doc:meta])* $field:ident: $type:ty = $default:expr,)* }) => {
        $(#[$about])*
        #[repr(C)]
        #[derive(Clone, Copy, Debug)]
        pub struct $name {
            /// Size of the struct in bytes, as the caller's header has it.
            pub struct_size: u32,
            $($(#[$doc])* pub $field: $type,)*
        }

        impl Default for $name {
            fn default() -> Self {
                Self { struct_size: size_of::<Self>() as u32, $($field: $default,)* }
            }
        }

        impl $name {
            /// Name and offset of each field, which a test compares with the header.
            #[doc(hidden)]
            pub const FIELDS: &[(&str, usize)] = &[
                ("struct_size", std::mem::offset_of!($name, struct_size)),
                $((stringify!($field), std::mem::offset_of!($name, $field)),)*
            ];
        }

        // There is no padding: the fields fill the struct.
        const _: () = assert!(size_of::<u32>() $(+ size_of::<$type>())* == size_of::<$name>());

        // SAFETY: repr(C), a u32 first, no padding, numbers and pointers only.
        unsafe impl $crate::capi::sized::Sized for $name {
            fn is_field_start(offset: usize) -> bool {
                $name::FIELDS.iter().skip(1).any(|&(_, start)| start == offset)
            }

            fn struct_size(&self) -> u32 {
                self.struct_size
            }
        }
    };
}
pub(super) use sized;

/// The size of the caller's struct.
///
/// # Safety
/// A pointer that is neither null nor misaligned must refer to the number of bytes that its first
/// four state.
unsafe fn size_at<T: Sized>(pointer: *const T, name: &str) -> Result<usize, Fault> {
    checked(pointer, name)?;
    // SAFETY: every such struct begins with its size.
    let size = unsafe { pointer.cast::<u32>().read() } as usize;
    let known = size_of::<T>();
    // Half a pointer would be one that leads anywhere.
    if size != known && !T::is_field_start(size) {
        let message = format!(
            "{name}: struct_size is {size}, but must be the size of the struct, at most {known} bytes in this version \
             of the library"
        );
        return Err(Fault(RacelineStatus::Value, message));
    }
    Ok(size)
}

/// The value at `pointer`; fields that the caller's struct does not have are the default's.
///
/// # Safety
/// As for [`size_at`].
pub(super) unsafe fn read<T: Sized>(pointer: *const T, name: &str) -> Result<T, Fault> {
    // SAFETY: the function's own condition, and any bits are a value.
    unsafe {
        let size = size_at(pointer, name)?;
        let mut value = T::default();
        std::ptr::copy_nonoverlapping(pointer.cast::<u8>(), (&raw mut value).cast::<u8>(), size);
        Ok(value)
    }
}

/// [`read`] of a pointer that may be null: then the default.
///
/// # Safety
/// As for [`size_at`].
pub(super) unsafe fn read_or_default<T: Sized>(pointer: *const T, name: &str) -> Result<T, Fault> {
    // SAFETY: the function's own condition.
    if pointer.is_null() { Ok(T::default()) } else { unsafe { read(pointer, name) } }
}

/// Writes what the caller's struct has of `value`, but for its size.
///
/// # Safety
/// As for [`size_at`], writable.
pub(super) unsafe fn write<T: Sized>(pointer: *mut T, value: &T, name: &str) -> Outcome {
    const FIRST: usize = size_of::<u32>();
    // SAFETY: the function's own condition; a value has no padding.
    unsafe {
        let size = size_at(pointer, name)?;
        let (from, to) = ((&raw const *value).cast::<u8>(), pointer.cast::<u8>());
        std::ptr::copy_nonoverlapping(from.add(FIRST), to.add(FIRST), size - FIRST);
    }
    Ok(())
}

/// Calls `take` with each of the first `max_count` of `count` values; the first one's size is that of all.
///
/// # Safety
/// A pointer that is neither null nor misaligned must refer to `count` structs of one size, which
/// begin with it.
pub(super) unsafe fn each<T: Sized>(
    pointer: *const T,
    count: usize,
    max_count: usize,
    name: &str,
    mut take: impl FnMut(T),
) -> Outcome {
    if count == 0 {
        return Ok(());
    }
    // SAFETY: the function's own condition.
    unsafe {
        let stride = size_at(pointer, name)?;
        for index in 0..count.min(max_count) {
            let value = read(pointer.byte_add(index * stride), name)?;
            if value.struct_size() as usize != stride {
                let message = format!("{name}: the sizes of entries 0 and {index} differ");
                return Err(Fault(RacelineStatus::Value, message));
            }
            take(value);
        }
    }
    Ok(())
}

/// Replaces each of `count` values by what `make` returns for its number and value; the first one's size
/// is that of all.
///
/// # Safety
/// As for [`each`], writable.
pub(super) unsafe fn replace_each<T: Sized>(
    pointer: *mut T,
    count: usize,
    name: &str,
    mut make: impl FnMut(usize, T) -> T,
) -> Outcome {
    if count == 0 {
        return Ok(());
    }
    // SAFETY: the function's own condition.
    unsafe {
        let stride = size_at(pointer, name)?;
        for index in 0..count {
            let place = pointer.byte_add(index * stride);
            write(place, &make(index, read(place, name)?), name)?;
        }
    }
    Ok(())
}
