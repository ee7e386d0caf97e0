//! Enums whose variants have string ids.

use core::fmt;

/// Defines a string enum. Each variant has one id, which is the same on the command line, in
/// addresses, documents and messages.
///
/// The enum gets `ALL`, its variants in order; `id`, the string; and `FromStr`, which parses an id
/// or returns an error that lists the known ids.
///
/// ```
/// queens_core::words! {
///     /// What a queen can do.
///     pub enum Deed {
///         /// It closes a square.
///         Attack = "attack",
///         /// It leaves it open.
///         Rest = "rest",
///     }
/// }
/// assert_eq!(Deed::ALL.map(Deed::id), ["attack", "rest"]);
/// assert_eq!("rest".parse(), Ok(Deed::Rest));
/// assert_eq!("sleep".parse::<Deed>().unwrap_err().to_string(), "expected one of attack, rest");
/// ```
#[macro_export]
macro_rules! words {
    (
        $(#[$of_type:meta])*
        $vis:vis enum $name:ident {
            $($(#[$of_variant:meta])* $variant:ident = $id:literal,)+
        }
    ) => {
        $(#[$of_type])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        $vis enum $name {
            $($(#[$of_variant])* $variant,)+
        }

        impl $name {
            /// All variants in order.
            $vis const ALL: [$name; [$($id),+].len()] = [$($name::$variant),+];

            /// The id in documents, in addresses and on the command line.
            #[must_use]
            $vis const fn id(self) -> &'static str {
                match self {
                    $($name::$variant => $id,)+
                }
            }
        }

        impl ::core::str::FromStr for $name {
            type Err = $crate::UnknownWord;

            fn from_str(id: &str) -> Result<$name, $crate::UnknownWord> {
                let variant = $name::ALL.into_iter().find(|variant| variant.id() == id);
                variant.ok_or($crate::UnknownWord { known: &[$($id),+] })
            }
        }
    };
}

/// The error for a text that is not one of the expected ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownWord {
    /// The expected ids.
    pub known: &'static [&'static str],
}

impl core::error::Error for UnknownWord {}

impl fmt::Display for UnknownWord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected one of ")?;
        self.known.iter().enumerate().try_for_each(|(index, id)| match index {
            0 => f.write_str(id),
            _ => write!(f, ", {id}"),
        })
    }
}
