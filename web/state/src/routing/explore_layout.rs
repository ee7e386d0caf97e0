//! The layout of Explore: overlays of the board and open panels.

use std::fmt;

use queens_core::{Register, Square};

/// An overlay of the board.
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
    /// The number of layers.
    pub const COUNT: usize = Register::ALL.len() + 2;

    /// All layers, in the order of the registers on the page.
    pub fn all() -> impl Iterator<Item = Layer> {
        let registers = Register::ALL.into_iter().map(Layer::Register);
        registers.chain([Layer::Bound1, Layer::Bound2])
    }

    /// The number of the layer in the order of [`all`](Layer::all).
    pub fn number(self) -> usize {
        match self {
            Layer::Register(register) => register as usize,
            Layer::Bound1 => Register::ALL.len(),
            Layer::Bound2 => Register::ALL.len() + 1,
        }
    }

    /// The bit of the layer in a set of layers.
    pub fn bit(self) -> u16 {
        1 << self.number()
    }

    /// The class in style sheets, which gives the layer its colour.
    pub fn class(self) -> String {
        format!("layer-{}", self.name().to_ascii_lowercase())
    }

    /// The name in the seeds and on the page.
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
    /// Whether a layer is in the set.
    pub fn contains(self, layer: Layer) -> bool {
        self.0 & layer.bit() != 0
    }

    /// Returns the set with the layer added, or removed if the set contains it.
    pub fn toggled(self, layer: Layer) -> Layers {
        Layers(self.0 ^ layer.bit())
    }

    /// Parses the form in addresses: names in upper or lower case, separated by commas.
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
        let layers = Layer::all().filter(|&layer| self.contains(layer));
        let names: Vec<_> = layers.map(|layer| layer.name().to_ascii_lowercase()).collect();
        f.write_str(&names.join(","))
    }
}

/// Everything that Explore shows in addition to its search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ExploreLayout {
    /// The overlays of the board.
    pub layers: Layers,
    /// Whether the registers are shown in hexadecimal, too.
    pub hex: bool,
    /// The square whose explanation is open.
    pub selected_square: Option<Square>,
    /// Whether the search tree is open. `None`: the tree is open where the window has room.
    pub tree: Option<bool>,
    /// Whether the open tree fills the window.
    pub large: bool,
    /// The zoom level of the tree: how many times it was enlarged, negative if it was reduced.
    pub zoom: i8,
    /// Whether the picture of the whole search is large.
    pub whole: bool,
    /// The common solution that the comparison of two methods shows, counted from 1; 0 is the start
    /// and [`u64::MAX`] the end. `None`: the comparison follows the board.
    pub common: Option<u64>,
    /// Whether the presentation layout is on.
    pub presenting: bool,
    /// Whether the table of the work of all methods is open.
    pub work: bool,
}

impl ExploreLayout {
    /// The smallest and the largest zoom level of the tree.
    pub const ZOOM_LIMITS: [i8; 2] = [-13, 6];

    /// Returns the layout for a search on another board or with another method.
    pub fn for_other_search(self) -> ExploreLayout {
        ExploreLayout { selected_square: None, common: None, ..self }
    }
}
