//! What Explore shows besides its search: what lies over the board and what is open beside it.

use std::fmt;

use queens_core::{Register, Square};

/// What can be laid over the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layer {
    /// The squares that have their bits set in a register.
    Register(Register),
    /// Row BOUND1.
    Bound1,
    /// Row BOUND2.
    Bound2,
}

impl Layer {
    /// How many there are.
    pub const COUNT: usize = Register::ALL.len() + 2;

    /// All layers, in the order of the registers on the page.
    pub fn all() -> impl Iterator<Item = Layer> {
        let registers = Register::ALL.into_iter().map(Layer::Register);
        registers.chain([Layer::Bound1, Layer::Bound2])
    }

    /// Its number in that order.
    pub fn number(self) -> usize {
        match self {
            Layer::Register(register) => register as usize,
            Layer::Bound1 => Register::ALL.len(),
            Layer::Bound2 => Register::ALL.len() + 1,
        }
    }

    /// Its bit in a set of layers.
    pub fn bit(self) -> u16 {
        1 << self.number()
    }

    /// Its class in style sheets, which gives it its colour.
    pub fn class(self) -> String {
        format!("layer-{}", self.name().to_ascii_lowercase())
    }

    /// Its name in the seeds and on the page.
    pub fn name(self) -> &'static str {
        match self {
            Layer::Register(register) => register.name(),
            Layer::Bound1 => "BOUND1",
            Layer::Bound2 => "BOUND2",
        }
    }
}

/// A set of layers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Layers(u16);

impl Layers {
    /// Whether a layer is among them.
    pub fn contains(self, layer: Layer) -> bool {
        self.0 & layer.bit() != 0
    }

    /// The same set with a layer more, or without it if it was there.
    pub fn toggled(self, layer: Layer) -> Layers {
        Layers(self.0 ^ layer.bit())
    }

    /// The set that an address names: layers in any case, with commas between them.
    pub fn parse(names: &str) -> Option<Layers> {
        names.split(',').try_fold(Layers::default(), |set, name| {
            let layer = Layer::all().find(|layer| layer.name().eq_ignore_ascii_case(name))?;
            Some(Layers(set.0 | layer.bit()))
        })
    }
}

/// The names in an address.
impl fmt::Display for Layers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let here = Layer::all().filter(|&layer| self.contains(layer));
        let names: Vec<_> = here.map(|layer| layer.name().to_ascii_lowercase()).collect();
        f.write_str(&names.join(","))
    }
}

/// What Explore shows besides its search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shown {
    /// What lies over the board.
    pub layers: Layers,
    /// Whether the registers are shown in hexadecimal, too.
    pub hex: bool,
    /// The square that is asked about.
    pub asked: Option<Square>,
    /// Whether the search tree is open; where nobody has said so, it is where there is room.
    pub tree: Option<bool>,
    /// Whether the open tree has the window to itself.
    pub large: bool,
    /// How often the tree has been enlarged, or made smaller if negative.
    pub zoom: i8,
    /// The solution in common at which a comparison stands, from 1; at its start if 0, and
    /// [`u64::MAX`] is its end. Without one it follows the board.
    pub common: Option<u64>,
    /// Whether it is laid out to be presented to many.
    pub presenting: bool,
    /// Whether the work of all methods is counted beside it.
    pub work: bool,
}

impl Shown {
    /// How often the tree can be made smaller and enlarged.
    pub const ZOOMS: [i8; 2] = [-13, 6];

    /// What stays with another board or method.
    pub fn elsewhere(self) -> Shown {
        Shown { asked: None, common: None, ..self }
    }
}
