//! What the map of a search says about its blocks.

use queens_core::Rule;
use queens_worker::{Block, BlockKind, Icicle};

use crate::words::{Language, grouped, tr};

/// Says what a block of a row of the picture is.
pub fn sentence(language: Language, icicle: &Icicle, row: usize, block: &Block) -> String {
    let found = grouped(block.solutions.into());
    // The picture may end before the queen is removed.
    let is_open = !icicle.is_whole && block.to == icicle.steps;
    match block.kind {
        BlockKind::Queen(column) => {
            let key = if is_open { "map.open" } else { "map.queen" };
            tr!(language, key, row = row, column = column, found = found)
        }
        BlockKind::Solution(column) => tr!(language, "map.kept", row = row, column = column),
        BlockKind::Discarded(column) => {
            tr!(language, "map.discarded", row = row, column = column)
        }
        BlockKind::DeadEnd => tr!(language, "map.stuck", row = row),
        BlockKind::Cut(Rule::Half) => tr!(language, "map.cut-half", row = row),
        BlockKind::Cut(rule) => tr!(language, "map.cut", row = row, sign = rule.sign()),
        BlockKind::Several => tr!(language, "map.several", row = row, found = found),
    }
}
