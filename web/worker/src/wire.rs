//! How the core's types travel between page and worker.
//!
//! Reading checks what it reads, so that a `Size` or a `Placement` is as good on the other side.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

/// A size as a number.
pub mod size {
    use super::*;
    use queens_core::Size;

    pub fn serialize<S: Serializer>(size: &Size, to: S) -> Result<S::Ok, S::Error> {
        size.get().serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Size, D::Error> {
        Size::new(u32::deserialize(from)?).map_err(Error::custom)
    }
}

/// A method by its name.
pub mod method {
    use super::*;
    use queens_core::Stepped;

    pub fn serialize<S: Serializer>(method: &Stepped, to: S) -> Result<S::Ok, S::Error> {
        method.id().serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Stepped, D::Error> {
        String::deserialize(from)?.parse().map_err(Error::custom)
    }
}

/// A placement as its columns from the right.
pub mod placement {
    use super::*;
    use queens_core::Placement;

    pub fn serialize<S: Serializer>(placement: &Placement, to: S) -> Result<S::Ok, S::Error> {
        placement.columns_from_right().serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Placement, D::Error> {
        read(Vec::deserialize(from)?)
    }

    pub(super) fn read<E: Error>(columns: Vec<u8>) -> Result<Placement, E> {
        let columns: Vec<u32> = columns.into_iter().map(u32::from).collect();
        Placement::from_right(&columns).map_err(E::custom)
    }
}

/// A placement or nothing, in the same way.
pub mod maybe_placement {
    use super::*;
    use queens_core::Placement;

    pub fn serialize<S: Serializer>(
        placement: &Option<Placement>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        placement.as_ref().map(Placement::columns_from_right).serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Placement>, D::Error> {
        Option::<Vec<u8>>::deserialize(from)?.map(placement::read).transpose()
    }
}

/// Queens as the board's side and their squares.
pub mod queens {
    use super::*;
    use queens_core::{Queens, Size, Square};

    pub fn serialize<S: Serializer>(queens: &Queens, to: S) -> Result<S::Ok, S::Error> {
        let squares: Vec<_> = queens.squares().map(Square::to_right).collect();
        (queens.size().get(), squares).serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Queens, D::Error> {
        let (n, squares) = <(u32, Vec<(u32, u32)>)>::deserialize(from)?;
        let size = Size::new(n).map_err(Error::custom)?;
        let square = |(row, column)| Square::from_right(size, row, column);
        let squares: Vec<_> =
            squares.into_iter().map(square).collect::<Result<_, _>>().map_err(Error::custom)?;
        Queens::new(size, squares).map_err(Error::custom)
    }
}

/// A class by the number of its members.
pub mod class {
    use super::*;
    use queens_core::Class;

    pub fn serialize<S: Serializer>(class: &Class, to: S) -> Result<S::Ok, S::Error> {
        (class.members() as u8).serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Class, D::Error> {
        let members = u8::deserialize(from)?;
        let class = Class::ALL.into_iter().find(|class| class.members() == u64::from(members));
        class.ok_or_else(|| Error::custom(format_args!("no class has {members} members")))
    }
}

/// The numbers of a board as its classes of 1, 2, 4 and 8.
pub mod numbers {
    use super::*;
    use queens_core::{Class, Numbers};

    pub fn serialize<S: Serializer>(numbers: &Numbers, to: S) -> Result<S::Ok, S::Error> {
        Class::ALL.map(|class| numbers.class(class)).serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Numbers, D::Error> {
        let numbers = Numbers::of_classes(Deserialize::deserialize(from)?);
        numbers.ok_or_else(|| Error::custom("more solutions than a 64-bit number can hold"))
    }
}

/// H and R.
pub mod turns {
    use super::*;
    use queens_core::Turns;

    pub fn serialize<S: Serializer>(turns: &Turns, to: S) -> Result<S::Ok, S::Error> {
        (turns.half, turns.quarter).serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Turns, D::Error> {
        let (half, quarter) = Deserialize::deserialize(from)?;
        Ok(Turns { half, quarter })
    }
}
