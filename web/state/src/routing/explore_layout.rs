//! The layout of Explore: overlays of the board and the open tab.

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

/// A tab next to the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tab {
    /// The method, the signs on the board, the other methods, and what can be saved.
    Guide,
    /// The work counters, and the work of all methods.
    Numbers,
    /// The published program, the code that runs, and the state it saves.
    Code,
    /// The race with another method.
    Race,
}

impl Tab {
    /// All tabs, in the order of the page.
    pub const ALL: [Tab; 4] = [Tab::Guide, Tab::Numbers, Tab::Code, Tab::Race];

    /// The name in addresses and of texts.
    pub const fn id(self) -> &'static str {
        match self {
            Tab::Guide => "guide",
            Tab::Numbers => "numbers",
            Tab::Code => "code",
            Tab::Race => "race",
        }
    }

    /// Parses the name in addresses.
    pub fn parse(id: &str) -> Option<Tab> {
        Tab::ALL.into_iter().find(|tab| tab.id() == id)
    }

    /// Returns the tab `by` places further on. After the last one follows the first.
    pub fn beside(self, by: usize) -> Tab {
        Tab::ALL.into_iter().cycle().nth(self as usize + by).unwrap_or(self)
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
    /// The open tab, if the user has chosen it.
    pub tab: Option<Tab>,
    /// Whether the presentation layout is on.
    pub presenting: bool,
    /// Whether the table of the work of all methods is open.
    pub work: bool,
}

impl ExploreLayout {
    /// Returns the open tab. An address without a tab opens the tab of the panel that it names: a method to
    /// compare, or the table of work.
    pub fn open_tab(&self, compares: bool) -> Tab {
        let named = [(compares, Tab::Race), (self.work, Tab::Numbers)];
        let named = named.into_iter().find_map(|(is_named, tab)| is_named.then_some(tab));
        self.tab.or(named).unwrap_or(Tab::Guide)
    }

    /// Returns the layout with another open tab. `compares` is whether the address names a method to compare.
    #[must_use]
    pub fn with_tab(self, tab: Tab, compares: bool) -> ExploreLayout {
        let layout = ExploreLayout { tab: None, ..self };
        let is_open = layout.open_tab(compares) == tab;
        ExploreLayout { tab: (!is_open).then_some(tab), ..layout }
    }

    /// Returns the layout for a search on another board or with another method.
    pub fn for_other_search(self) -> ExploreLayout {
        ExploreLayout { selected_square: None, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Addresses written before tabs existed open the tab of the panel that they name.
    #[test]
    fn an_address_without_a_tab_opens_that_of_what_it_names() {
        let layout = ExploreLayout::default();
        assert_eq!(layout.open_tab(false), Tab::Guide);
        assert_eq!(layout.open_tab(true), Tab::Race);
        let work = ExploreLayout { work: true, ..layout };
        assert_eq!(work.open_tab(false), Tab::Numbers);
        assert_eq!(work.open_tab(true), Tab::Race);
    }

    #[test]
    fn any_tab_can_be_chosen() {
        let work = ExploreLayout { work: true, ..ExploreLayout::default() };
        for layout in [ExploreLayout::default(), work] {
            for (tab, compares) in Tab::ALL.into_iter().flat_map(|tab| [(tab, false), (tab, true)])
            {
                assert_eq!(layout.with_tab(tab, compares).open_tab(compares), tab);
            }
        }
        let guide = work.with_tab(Tab::Guide, false);
        assert_eq!(guide.tab, Some(Tab::Guide));
        let back = ExploreLayout::default().with_tab(Tab::Guide, false);
        assert_eq!(back, ExploreLayout::default());
    }

    #[test]
    fn the_tabs_are_in_a_ring() {
        assert_eq!(Tab::Guide.beside(1), Tab::Numbers);
        assert_eq!(Tab::Race.beside(1), Tab::Guide);
        assert_eq!(Tab::Guide.beside(3), Tab::Race);
        for tab in Tab::ALL {
            assert_eq!(Tab::parse(tab.id()), Some(tab));
        }
    }
}
