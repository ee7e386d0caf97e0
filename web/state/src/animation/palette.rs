//! The colours of a picture: those of a theme of the page, and the blends of antialiased edges.

use queens_core::Rule;

/// A colour: red, green and blue.
pub type Rgb = [u8; 3];

/// The colours of a theme, as in web/style.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Colours {
    pub paper: Rgb,
    pub ink: Rgb,
    pub soft: Rgb,
    pub light: Rgb,
    pub dark: Rgb,
    pub accent: Rgb,
    pub good: Rgb,
    pub bad: Rgb,
    pub hatch: Rgb,
    /// The colours of the rules, in the order of [`Rule::ALL`].
    pub rules: [Rgb; 5],
}

impl Colours {
    /// The light theme.
    pub const LIGHT: Colours = Colours {
        paper: [0xfa, 0xf8, 0xf3],
        ink: [0x1c, 0x20, 0x26],
        soft: [0x57, 0x5b, 0x61],
        light: [0xff, 0xfd, 0xf8],
        dark: [0xd6, 0xc8, 0xa9],
        accent: [0x23, 0x48, 0xc9],
        good: [0x1d, 0x6b, 0x3a],
        bad: [0xa3, 0x15, 0x1f],
        hatch: [0x6d, 0x69, 0x58],
        rules: [
            [0x1d, 0x5f, 0xa8],
            [0x1e, 0x6b, 0x52],
            [0x7a, 0x3f, 0xa3],
            [0x93, 0x50, 0x0f],
            [0x5b, 0x60, 0x68],
        ],
    };

    /// The dark theme.
    pub const DARK: Colours = Colours {
        paper: [0x14, 0x17, 0x1b],
        ink: [0xf1, 0xed, 0xe3],
        soft: [0xa9, 0xab, 0xae],
        light: [0x3d, 0x46, 0x52],
        dark: [0x20, 0x25, 0x2c],
        accent: [0x8f, 0xb2, 0xff],
        good: [0x7f, 0xd6, 0x9d],
        bad: [0xff, 0x9a, 0x94],
        hatch: [0x8b, 0x92, 0x9c],
        rules: [
            [0x86, 0xb8, 0xf0],
            [0x6f, 0xd0, 0xab],
            [0xcd, 0xa2, 0xee],
            [0xee, 0xb0, 0x72],
            [0xa9, 0xb0, 0xba],
        ],
    };

    /// Returns the colour of a rule.
    pub fn rule(&self, rule: Rule) -> Rgb {
        let mut rules = Rule::ALL.into_iter().zip(self.rules);
        rules.find_map(|(each, colour)| (each == rule).then_some(colour)).unwrap_or(self.soft)
    }
}

/// Blends two colours. A `share` of 0 is `below` alone, and 255 is `above` alone.
pub fn mixed(below: Rgb, above: Rgb, share: u8) -> Rgb {
    let share = u32::from(share);
    let channel = |below: u8, above: u8| {
        ((u32::from(below) * (255 - share) + u32::from(above) * share + 127) / 255) as u8
    };
    [channel(below[0], above[0]), channel(below[1], above[1]), channel(below[2], above[2])]
}

/// The share of the tint in the colour of a tinted square, from 0 to 255.
pub const TINT: u8 = 36;

/// The colours that a picture may have, at most 256. All frames of a GIF share them.
#[derive(Clone, Debug)]
pub struct Palette(Vec<Rgb>);

impl Palette {
    /// Returns the colours of a theme, and the blends that tints and antialiased edges need.
    pub fn new(colours: &Colours) -> Palette {
        let Colours { paper, ink, soft, light, dark, accent, good, bad, hatch, rules } = *colours;
        let mut all = vec![paper, ink, soft, light, dark, accent, good, bad, hatch];
        all.extend(rules);
        // The antialiased edges of the caption's letters.
        all.extend([64, 128, 192].map(|share| mixed(paper, ink, share)));
        let grounds = [light, dark];
        let grounds = grounds.into_iter().flat_map(|each| [each, mixed(each, accent, TINT)]);
        let grounds: Vec<Rgb> = grounds.collect();
        for &ground in &grounds {
            for above in [ink, soft, accent, good, bad, hatch].into_iter().chain(rules) {
                all.extend([85, 170].map(|share| mixed(ground, above, share)));
            }
            for tint in [accent, good, bad] {
                let ground = mixed(ground, tint, TINT);
                all.push(ground);
                for above in [ink, hatch, tint] {
                    all.extend([85, 170].map(|share| mixed(ground, above, share)));
                }
            }
            all.push(ground);
        }
        all.sort_unstable();
        all.dedup();
        debug_assert!(all.len() <= 256, "a GIF has at most 256 colours");
        all.truncate(256);
        Palette(all)
    }

    /// Returns the index of the colour nearest to this one.
    pub fn nearest(&self, colour: Rgb) -> u8 {
        let distance = |&(_, each): &(usize, &Rgb)| {
            let channels = each.iter().zip(colour).map(|(&a, b)| i32::from(a) - i32::from(b));
            channels.map(|difference| difference * difference).sum::<i32>()
        };
        self.0.iter().enumerate().min_by_key(distance).map_or(0, |(number, _)| number as u8)
    }

    /// Returns the colour at an index, or black if the palette is shorter.
    pub fn colour(&self, number: u8) -> Rgb {
        self.0.get(usize::from(number)).copied().unwrap_or_default()
    }

    /// Returns the colours as a GIF stores them: red, green and blue of each, in the order of their
    /// indices.
    pub fn bytes(&self) -> Vec<u8> {
        self.0.as_flattened().to_vec()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_colour_of_a_theme_is_in_its_palette() {
        for colours in [Colours::LIGHT, Colours::DARK] {
            let palette = Palette::new(&colours);
            assert!(palette.0.len() <= 256, "{}", palette.0.len());
            let Colours { paper, ink, soft, light, dark, accent, good, bad, hatch, rules } =
                colours;
            let all = [paper, ink, soft, light, dark, accent, good, bad, hatch];
            for colour in all.into_iter().chain(rules) {
                assert_eq!(palette.colour(palette.nearest(colour)), colour);
            }
            assert_eq!(palette.bytes().len(), 3 * palette.0.len());
        }
    }

    #[test]
    fn mixes_by_share() {
        let (black, white) = ([0; 3], [255; 3]);
        assert_eq!(mixed(black, white, 0), black);
        assert_eq!(mixed(black, white, 255), white);
        assert_eq!(mixed(black, white, 85), [85; 3]);
    }
}
