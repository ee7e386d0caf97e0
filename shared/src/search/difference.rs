//! Where two searches first differ.

use crate::{Event, Size, Stepped, Tracer};

/// Returns the steps at which two searches of a board first differ. It compares placements, rules,
/// comparisons and solutions first. Only if these are all the same does it compare all events.
/// `None` if the searches are identical.
///
/// ```
/// use queens_core::{Size, Stepped, first_difference};
/// let size = Size::new(6)?;
/// // Flags are another way to find attacked squares.
/// assert_eq!(first_difference([Stepped::Backtracking, Stepped::Flags], size), None);
/// // `flags` tries each square, `bitmap` takes the first free square.
/// let steps = first_difference([Stepped::Flags, Stepped::Bitmap], size);
/// assert_eq!(steps, Some([2, 2]));
/// # Ok::<(), queens_core::SizeError>(())
/// ```
pub fn first_difference(methods: [Stepped; 2], size: Size) -> Option<[u64; 2]> {
    let is_detail = |event| {
        matches!(
            event,
            Event::Descend { .. } | Event::Try { .. } | Event::Reject { .. } | Event::Back { .. }
        )
    };
    first_differing_steps(methods, size, |event| !is_detail(event))
        .or_else(|| first_differing_steps(methods, size, |_| true))
}

/// The steps of the first pair of differing events among those selected by `is_compared`.
fn first_differing_steps(
    methods: [Stepped; 2],
    size: Size,
    is_compared: impl Fn(Event) -> bool,
) -> Option<[u64; 2]> {
    let mut searches = methods.map(|method| Tracer::new(method, size));
    loop {
        let events = searches.each_mut().map(|search| {
            let mut event = search.forward()?;
            while !is_compared(event) {
                event = search.forward()?;
            }
            Some(event)
        });
        match events {
            [None, None] => return None,
            [first, second] if first != second => {
                return Some(searches.map(|search| search.steps()));
            }
            _ => {}
        }
    }
}
