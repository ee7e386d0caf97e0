//! Marked moments: steps of a search with a note each, which make a lecture.

use std::fmt;
use std::rc::Rc;

/// A marked step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moment {
    pub step: u64,
    /// A line of text; it may be empty.
    pub note: String,
}

/// Marked steps in ascending order, each at most once. They fit into a link.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Moments(Rc<[Moment]>);

impl Moments {
    /// The largest number of moments.
    pub const MOST: usize = 20;
    /// The largest number of letters in a note.
    pub const LONGEST_NOTE: usize = 100;
    /// The largest number of bytes in all notes together. A link has three characters for each byte
    /// that is not ASCII, and some chats cut long links.
    pub const MOST_BYTES: usize = 1500;

    /// Parses the form in addresses: `STEP:NOTE`, a line for each moment.
    pub fn parse(text: &str) -> Option<Moments> {
        text.split('\n').try_fold(Moments::default(), |moments, line| {
            let (step, note) = line.split_once(':')?;
            let step = step.parse().ok()?;
            // A step that is marked twice is invalid, and so is a note that `clean` would change.
            let is_new = moments.at(step).is_none();
            moments.with(step, note).filter(|_| is_new && clean(note) == note)
        })
    }

    /// Returns the moments with a note at a step, which replaces an earlier one there. `None` if they
    /// would exceed a limit.
    pub fn with(&self, step: u64, note: &str) -> Option<Moments> {
        let mut moments = self.without(step).0.to_vec();
        let index = moments.partition_point(|moment| moment.step < step);
        moments.insert(index, Moment { step, note: clean(note) });
        let bytes: usize = moments.iter().map(|moment| moment.note.len()).sum();
        let fits = moments.len() <= Moments::MOST && bytes <= Moments::MOST_BYTES;
        fits.then(|| Moments(moments.into()))
    }

    /// Returns the moments except the one at a step.
    #[must_use]
    pub fn without(&self, step: u64) -> Moments {
        Moments(self.iter().filter(|moment| moment.step != step).cloned().collect())
    }

    /// Returns the moment at a step.
    pub fn at(&self, step: u64) -> Option<&Moment> {
        self.iter().find(|moment| moment.step == step)
    }

    /// Returns the number, from 0, of the last moment that is not after a step.
    pub fn reached(&self, step: u64) -> Option<usize> {
        self.0.partition_point(|moment| moment.step <= step).checked_sub(1)
    }

    /// Returns the first moment after a step.
    pub fn after(&self, step: u64) -> Option<&Moment> {
        self.iter().find(|moment| moment.step > step)
    }

    /// Returns the last moment before a step.
    pub fn before(&self, step: u64) -> Option<&Moment> {
        self.iter().rfind(|moment| moment.step < step)
    }

    /// The moments in ascending order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Moment> + ExactSizeIterator {
        self.0.iter()
    }

    /// Returns the moment of a number, counted from 0.
    pub fn get(&self, number: usize) -> Option<&Moment> {
        self.0.get(number)
    }

    /// Whether no step is marked.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// The form that [`Moments::parse`] reads, with the encoding of a query string.
impl fmt::Display for Moments {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, Moment { step, note }) in self.iter().enumerate() {
            if index > 0 {
                f.write_str("%0A")?;
            }
            write!(f, "{step}:")?;
            form_urlencoded::byte_serialize(note.as_bytes())
                .try_for_each(|part| f.write_str(part))?;
        }
        Ok(())
    }
}

/// Returns a note as one trimmed line of at most [`Moments::LONGEST_NOTE`] characters.
fn clean(note: &str) -> String {
    let mut line = String::new();
    for letter in note.trim().chars().take(Moments::LONGEST_NOTE) {
        line.push(if letter.is_control() { ' ' } else { letter });
    }
    line.truncate(line.trim_end().len());
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(moments: &Moments) -> Vec<u64> {
        moments.iter().map(|moment| moment.step).collect()
    }

    #[test]
    fn a_step_has_one_note_and_the_steps_ascend() {
        let moments = Moments::default().with(52, " a dead\tend\n").unwrap();
        assert_eq!(moments.at(52).unwrap().note, "a dead end");
        let moments = moments.with(7, "").unwrap().with(52, "again").unwrap();
        assert_eq!(steps(&moments), [7, 52]);
        assert_eq!(moments.at(52).unwrap().note, "again");
        assert_eq!(steps(&moments.without(7)), [52]);
    }

    #[test]
    fn finds_the_moments_around_a_step() {
        let moments = Moments::parse("7:a\n52:b\n60:c").unwrap();
        let around = |step| {
            let step_of = |moment: Option<&Moment>| moment.map(|moment| moment.step);
            (step_of(moments.before(step)), moments.reached(step), step_of(moments.after(step)))
        };
        assert_eq!(around(0), (None, None, Some(7)));
        assert_eq!(around(7), (None, Some(0), Some(52)));
        assert_eq!(around(53), (Some(52), Some(1), Some(60)));
        assert_eq!(around(60), (Some(52), Some(2), None));
        assert_eq!(around(u64::MAX), (Some(60), Some(2), None));
    }

    #[test]
    fn rejects_what_a_link_cannot_hold() {
        let full = (0..20).fold(Moments::default(), |all, step| all.with(step, "x").unwrap());
        assert_eq!(full.with(20, ""), None);
        assert!(full.with(19, "another note").is_some(), "a note that replaces another one");
        let long = "効".repeat(Moments::LONGEST_NOTE + 5);
        let notes = (0..5).fold(Moments::default(), |all, step| all.with(step, &long).unwrap());
        assert_eq!(notes.at(4).unwrap().note.chars().count(), Moments::LONGEST_NOTE);
        assert_eq!(notes.with(5, "効"), None);
        // Even a full list stays below the length that servers accept.
        assert!(notes.to_string().len() < 5000, "{}", notes.to_string().len());
        for text in
            ["", "7", "x:a", "-1:a", "7:a\n7:b", "7: a", "7:a\tb", "7:a\n", &format!("1:{long}")]
        {
            assert_eq!(Moments::parse(text), None, "{text:?}");
        }
    }
}
