//! The filters and the order of the view Classes.

use std::fmt;

use queens_core::{Class, Placement};

/// The classes that are shown, and their order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClassFilter {
    /// The filter by the size of the class.
    pub kind: Kind,
    /// The filter by the first queen of the representative.
    pub first: First,
    /// Whether the largest judgement value comes first, rather than the smallest.
    pub largest_first: bool,
}

impl ClassFilter {
    /// Returns this filter with the order that has this id in addresses, or `None` if no order has it.
    pub fn ordered(self, id: &str) -> Option<ClassFilter> {
        let largest_first = match id {
            "largest" => true,
            "smallest" => false,
            _ => return None,
        };
        Some(ClassFilter { largest_first, ..self })
    }

    /// Whether every class is shown.
    pub fn is_all(self) -> bool {
        self.kind == Kind::All && self.first == First::Any
    }
}

/// A filter by the size of the class.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// Classes of all sizes.
    #[default]
    All,
    /// Classes of one size.
    Of(Class),
    /// Classes of 1, 2 and 4: their solutions equal their half turn.
    HalfTurn,
}

impl Kind {
    /// The filters for boards with more than one solution.
    pub const ALL: [Kind; 5] = [
        Kind::All,
        Kind::Of(Class::Two),
        Kind::Of(Class::Four),
        Kind::Of(Class::Eight),
        Kind::HalfTurn,
    ];

    /// The name in addresses.
    pub const fn id(self) -> &'static str {
        match self {
            Kind::All => "all",
            Kind::Of(Class::One) => "1",
            Kind::Of(Class::Two) => "2",
            Kind::Of(Class::Four) => "4",
            Kind::Of(Class::Eight) => "8",
            Kind::HalfTurn => "turned",
        }
    }

    /// Parses the name in addresses.
    pub fn parse(id: &str) -> Option<Kind> {
        let all = Kind::ALL.into_iter().chain([Kind::Of(Class::One)]);
        all.into_iter().find(|kind| kind.id() == id)
    }

    /// Whether classes of a size are shown.
    pub fn has(self, class: Class) -> bool {
        match self {
            Kind::All => true,
            Kind::Of(only) => class == only,
            Kind::HalfTurn => class != Class::Eight,
        }
    }
}

/// A filter by the first queen of the representative.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum First {
    /// In any column.
    #[default]
    Any,
    /// In the right-hand corner.
    Corner,
    /// Anywhere else.
    Inner,
    /// In this column, from the left.
    Column(u32),
}

impl First {
    /// Parses the name in addresses.
    pub fn parse(id: &str) -> Option<First> {
        match id {
            "any" => Some(First::Any),
            "corner" => Some(First::Corner),
            "inner" => Some(First::Inner),
            column => column.parse().ok().map(First::Column),
        }
    }

    /// Whether a representative is shown.
    pub fn has(self, placement: &Placement) -> bool {
        let from_right = placement.columns_from_right().first().copied().unwrap_or(0);
        match self {
            First::Any => true,
            First::Corner => from_right == 0,
            First::Inner => from_right != 0,
            First::Column(column) => placement.columns_from_left().next() == Some(column),
        }
    }
}

/// The name in addresses.
impl fmt::Display for First {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            First::Any => f.write_str("any"),
            First::Corner => f.write_str("corner"),
            First::Inner => f.write_str("inner"),
            First::Column(column) => column.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filter_names_round_trip() {
        for kind in Kind::ALL {
            assert_eq!(Kind::parse(kind.id()), Some(kind));
        }
        for first in [First::Any, First::Corner, First::Inner, First::Column(11)] {
            assert_eq!(First::parse(&first.to_string()), Some(first));
        }
        assert_eq!((Kind::parse("3"), First::parse("-1")), (None, None));
    }

    #[test]
    fn filters_by_the_first_queen() {
        let board = |columns: &[u32]| Placement::from_left(columns).unwrap();
        let (corner, inner) = (board(&[4, 1, 3, 0, 2]), board(&[3, 0, 2, 4, 1]));
        let has = |first: First| (first.has(&corner), first.has(&inner));
        assert_eq!(has(First::Any), (true, true));
        assert_eq!(has(First::Corner), (true, false));
        assert_eq!(has(First::Inner), (false, true));
        assert_eq!(has(First::Column(4)), (true, false));
        assert_eq!(has(First::Column(3)), (false, true));
    }
}
