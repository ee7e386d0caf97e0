//! Serialization of the core's types with serde.
//!
//! If a type has a checking constructor, deserialization uses it, so that every deserialized value
//! is valid.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};
use core::{convert::Infallible, fmt};

use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{Error, SeqAccess, Visitor, value::SeqAccessDeserializer},
};

#[cfg(feature = "document")]
use crate::document::{BackendKind, RunState};
use crate::{
    Check, Checks, Class, Form, Method, Numbers, Placement, Queens, Rule, Size, Square, Stepped,
    Transform,
};

/// Implements serde for a type that is serialized as a value of another type and deserialized from it
/// by a constructor.
macro_rules! written_as {
    ($type:ty, $other:ty, $write:expr, $read:expr) => {
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                let write: fn(&$type) -> $other = $write;
                write(self).serialize(to)
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(from: D) -> Result<$type, D::Error> {
                $read(<$other>::deserialize(from)?).map_err(D::Error::custom)
            }
        }
    };
}

written_as!(Size, u32, |size| size.get(), Size::new);
written_as!(Class, u64, |class| class.members(), class);
written_as!(Square, (Size, (u32, u32)), |square| (square.size(), square.to_right()), |(
    size,
    (row, column),
)| {
    Square::from_right(size, row, column)
});
written_as!(
    Queens,
    (Size, Vec<(u32, u32)>),
    |queens| (queens.size(), queens.squares().map(Square::to_right).collect()),
    queens
);
written_as!(Numbers, [u64; 4], |numbers| Class::ALL.map(|class| numbers.class(class)), numbers);
written_as!(Checks, Vec<Check>, |checks| checks.iter().collect(), checks);

/// Serializes the columns as a list of numbers in text formats, and as bytes in binary formats: the
/// page receives tens of thousands of solutions, and bytes are read in one piece.
impl Serialize for Placement {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let columns = self.columns_from_right();
        if to.is_human_readable() { columns.serialize(to) } else { to.serialize_bytes(columns) }
    }
}

impl<'de> Deserialize<'de> for Placement {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Placement, D::Error> {
        if from.is_human_readable() {
            // It is not always a list: serde's buffered values claim to be human-readable but can
            // hold bytes.
            from.deserialize_any(PlacementVisitor)
        } else {
            from.deserialize_bytes(PlacementVisitor)
        }
    }
}

/// Reads a solution from the columns of its queens, counted from the right, top row first.
struct PlacementVisitor;

impl<'de> Visitor<'de> for PlacementVisitor {
    type Value = Placement;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the columns of N queens, none of which attack each other")
    }

    fn visit_bytes<E: Error>(self, columns: &[u8]) -> Result<Placement, E> {
        let columns = columns.iter().map(|&column| column.into());
        Placement::checked(columns, Square::from_right).map_err(E::custom)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Placement, A::Error> {
        let columns = Vec::<u8>::deserialize(SeqAccessDeserializer::new(list))?;
        self.visit_bytes(&columns)
    }
}

fn class(members: u64) -> Result<Class, String> {
    Class::with_members(members).ok_or_else(|| format!("no class has {members} members"))
}

fn queens((size, squares): (Size, Vec<(u32, u32)>)) -> Result<Queens, String> {
    let square = |(row, column)| Square::from_right(size, row, column);
    let squares: Result<Vec<_>, _> = squares.into_iter().map(square).collect();
    let squares = squares.map_err(|error| error.to_string())?;
    Queens::new(size, squares).map_err(|error| error.to_string())
}

fn numbers(classes: [u64; 4]) -> Result<Numbers, &'static str> {
    Numbers::of_classes(classes).ok_or("the number of solutions does not fit in 64 bits")
}

fn checks(list: Vec<Check>) -> Result<Checks, Infallible> {
    Ok(list.into_iter().collect())
}

/// Implements serde for an enum that is serialized as its id.
macro_rules! by_name {
    ($($type:ty),+) => {$(
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.serialize_str(self.id())
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(from: D) -> Result<$type, D::Error> {
                String::deserialize(from)?.parse().map_err(D::Error::custom)
            }
        }
    )+};
}

by_name!(Check, Form, Method, Rule, Stepped, Transform);
#[cfg(feature = "document")]
by_name!(BackendKind, RunState);
