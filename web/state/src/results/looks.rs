//! The looks of a chart's lines. A line keeps its look, whatever other lines are shown.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use queens_core::Method;

/// The number of colours of lines.
pub const COLOURS: usize = 8;

/// The number of the look of each line that a chart has shown, by the line's key. Looks with the same remainder on
/// division by [`COLOURS`] have the same colour and different marks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Looks(BTreeMap<String, usize>);

impl Looks {
    /// Gives a look to each new line: the colour of its method or, if another line has it, the next free one. Each
    /// line is given by its key and its method, which published figures lack.
    pub fn add<'a>(&mut self, lines: impl IntoIterator<Item = (&'a str, Option<Method>)>) {
        let is_new = |&(key, _): &(&str, _)| !self.0.contains_key(key);
        let mut new: Vec<_> = lines.into_iter().filter(is_new).collect();
        // The last methods are used most, so they get their own colours.
        new.sort_by_key(|&(key, method)| (Reverse(method.map(Method::number)), key));
        new.dedup();
        for (key, method) in new {
            let look = self.free(colour(method));
            self.0.insert(key.to_owned(), look);
        }
    }

    /// Returns the number of a line's look.
    pub fn get(&self, key: &str) -> usize {
        self.0.get(key).copied().unwrap_or_default()
    }

    /// Returns the first look that no line has, of the colours from `first` on that the fewest lines have.
    fn free(&self, first: usize) -> usize {
        let uses = |colour: usize| self.0.values().filter(|look| *look % COLOURS == colour).count();
        let colours = (first..first + COLOURS).map(|colour| colour % COLOURS);
        let least = colours.map(|colour| (uses(colour), colour)).min_by_key(|&(uses, _)| uses);
        least.map_or(first, |(uses, colour)| colour + uses * COLOURS)
    }
}

/// Returns the preferred colour of a method.
fn colour(method: Option<Method>) -> usize {
    let last = Method::ALL.len();
    method.map_or(0, |method| last.saturating_sub(method.number() as usize) % COLOURS)
}

#[cfg(test)]
mod tests {
    use super::*;

    const JOIN: (&str, Option<Method>) = ("colours", Some(Method::Colours));
    const SYMMETRY: (&str, Option<Method>) = ("symmetry", Some(Method::Symmetry));

    #[test]
    fn lines_keep_their_looks_when_others_are_added() {
        let mut looks = Looks::default();
        looks.add([SYMMETRY]);
        let alone = looks.get("symmetry");
        looks.add([("another", Some(Method::Symmetry)), JOIN, SYMMETRY]);
        assert_eq!(looks.get("symmetry"), alone);
        // The colour does not depend on the order in which the lines arrive.
        let mut others = Looks::default();
        others.add([JOIN, SYMMETRY, ("bitmap", Some(Method::Bitmap)), ("published", None)]);
        assert_eq!([others.get("colours"), others.get("symmetry")], [looks.get("colours"), alone]);
        let all = ["colours", "symmetry", "another"].map(|key| looks.get(key));
        assert!(all[0] != all[1] && all[1] != all[2] && all[0] != all[2], "{all:?}");
    }

    #[test]
    fn colours_repeat_only_if_each_is_used() {
        let keys: Vec<String> = (0..20).map(|key| format!("{key:02}")).collect();
        let mut looks = Looks::default();
        for key in &keys {
            looks.add([(key.as_str(), Method::ALL.last().copied())]);
        }
        let found: Vec<_> = keys.iter().map(|key| looks.get(key)).collect();
        assert_eq!(found, (0..20).collect::<Vec<_>>());
        // The other methods have the remaining colours.
        let mut looks = Looks::default();
        let methods: Vec<_> =
            Method::ALL.iter().map(|method| (method.id(), Some(*method))).collect();
        looks.add(methods.iter().copied());
        let mut found: Vec<_> = methods.iter().map(|(key, _)| looks.get(key)).collect();
        found.sort_unstable();
        assert_eq!(found, (0..Method::ALL.len()).collect::<Vec<_>>());
    }
}
