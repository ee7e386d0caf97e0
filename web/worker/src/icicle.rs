//! The whole search as one picture: a band for each row of the board, in which every queen is a
//! block from the step that places it to the step that lifts it. Such a picture of a tree is called
//! an icicle.

use queens_core::{Beat, Event, Rule, Size, Tracer};
use serde::{Deserialize, Serialize};

/// What a block shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum BlockKind {
    /// A queen, by its column from the left.
    Queen(u8),
    /// The last queen of a solution that is kept.
    Solution(u8),
    /// The last queen of a full board that is not kept: two of its queens attack each other, or an
    /// image represents its class.
    Discarded(u8),
    /// A row in which every square is closed before a queen stands in it.
    DeadEnd,
    /// The squares of a row that a rule closes, at one step.
    Cut(Rule),
    /// Several blocks, each too short to be drawn.
    Several,
}

/// Consecutive steps at which a row of the board does not change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Block {
    /// The first step.
    pub from: u64,
    /// The step after the last one.
    pub to: u64,
    /// What the row contains at these steps.
    pub kind: BlockKind,
    /// The number of solutions kept during these steps.
    pub solutions: u32,
}

impl Block {
    /// The number of steps.
    pub fn steps(&self) -> u64 {
        self.to - self.from
    }

    /// Whether the block includes a step.
    pub fn contains(&self, step: u64) -> bool {
        (self.from..self.to).contains(&step)
    }

    /// The step that shows what the block is: that of a cut, and the last step of a dead end or a full
    /// board, when its kind is known. `None` for a queen, which looks the same at each of its steps, and for
    /// several blocks.
    pub fn main_step(&self) -> Option<u64> {
        match self.kind {
            BlockKind::Cut(_) => Some(self.from),
            BlockKind::Solution(_) | BlockKind::Discarded(_) | BlockKind::DeadEnd => {
                Some(self.to - 1)
            }
            BlockKind::Queen(_) | BlockKind::Several => None,
        }
    }
}

/// A row of the board during the whole search. Both lists ascend.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Band {
    /// The queens and dead ends, which never overlap.
    pub blocks: Vec<Block>,
    /// The squares that rules close.
    pub cuts: Vec<Block>,
}

impl Band {
    /// The block that contains a step.
    pub fn at(&self, step: u64) -> Option<&Block> {
        let next = self.blocks.partition_point(|block| block.from <= step);
        self.blocks.get(next.checked_sub(1)?).filter(|block| block.contains(step))
    }

    /// Adds a block after all others, and joins it to the last one if both together span at most
    /// `resolution` steps. A cut is dropped if it begins fewer than `resolution` − 1 steps after the
    /// last one of the same rule.
    fn add(&mut self, block: Block, resolution: u64) {
        if let BlockKind::Cut(_) = block.kind {
            let hides = |last: &Block| {
                last.kind == block.kind && block.from - last.from < resolution.saturating_sub(1)
            };
            if !self.cuts.last().is_some_and(hides) {
                self.cuts.push(block);
            }
            return;
        }
        if let Some(last) = self.blocks.last_mut()
            && block.to - last.from <= resolution
        {
            let solutions = last.solutions.saturating_add(block.solutions);
            *last = Block { to: block.to, kind: BlockKind::Several, solutions, ..*last };
        } else {
            self.blocks.push(block);
        }
    }

    fn len(&self) -> usize {
        self.blocks.len() + self.cuts.len()
    }
}

/// The whole search, or its beginning as far as it is known: a band for each row from the top.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Icicle {
    /// The rows.
    pub bands: Vec<Band>,
    /// The number of steps that are drawn.
    pub steps: u64,
    /// Whether the search ends there.
    pub is_whole: bool,
}

impl Icicle {
    /// Whether the blocks at a step are known.
    pub fn covers(&self, step: u64) -> bool {
        self.is_whole || step < self.steps
    }

    /// The blocks that contain a step, from the top: the queens on the board and, if the search is
    /// stuck, the dead end.
    pub fn path(&self, step: u64) -> impl Iterator<Item = (usize, &Block)> {
        self.bands.iter().enumerate().filter_map(move |(row, band)| Some((row, band.at(step)?)))
    }

    /// What is drawn in a row, at most `reach` steps away from a step: the nearest block, or the
    /// nearest cut of the row or a row above. The branches that a rule prunes are drawn down to the
    /// last row.
    pub fn near(&self, row: usize, step: u64, reach: u64) -> Option<(usize, &Block)> {
        let bands = self.bands.get(..=row)?;
        let cuts = bands
            .iter()
            .enumerate()
            .flat_map(|(row, band)| around(&band.cuts, step).map(move |cut| (row, cut)));
        let blocks = bands.last().into_iter().flat_map(|band| around(&band.blocks, step));
        // Cuts are drawn above blocks.
        let all = cuts.chain(blocks.map(|block| (row, block)));
        let distance = |block: &Block| {
            block.from.saturating_sub(step).max(step.saturating_sub(block.to.saturating_sub(1)))
        };
        let near = all.filter(|(_, block)| distance(block) <= reach);
        near.min_by_key(|(_, block)| distance(block))
    }
}

/// The last block that begins at or before a step, and the next one.
fn around(blocks: &[Block], step: u64) -> impl Iterator<Item = &Block> {
    let next = blocks.partition_point(|block| block.from <= step);
    blocks.get(next.saturating_sub(1)..).unwrap_or_default().iter().take(2)
}

/// A block that has no end yet: a queen on the board, or a dead end.
#[derive(Clone, Copy, Debug)]
struct Open {
    from: u64,
    kind: BlockKind,
    /// The number of solutions kept before the block.
    solutions: u64,
}

/// Draws the picture while a search runs.
#[derive(Clone, Debug)]
pub struct IcicleBuilder {
    size: Size,
    icicle: Icicle,
    /// The queens on the board, from the top, and the dead end in the next row, if there is one.
    open: Vec<Open>,
    /// The step at which the search entered the current row.
    entered: u64,
    /// The largest number of steps that joined blocks span. It doubles when there are too many blocks.
    resolution: u64,
    /// The largest number of blocks and cuts.
    limit: usize,
    /// The number of blocks and cuts.
    count: usize,
}

impl IcicleBuilder {
    /// The limit that the page uses. It is enough for all blocks of N = 8 with most methods. Longer
    /// searches have far more blocks than a screen has points.
    pub const LIMIT: usize = 8192;

    /// Returns the picture of an empty board.
    pub fn new(size: Size, limit: usize) -> IcicleBuilder {
        IcicleBuilder {
            size,
            icicle: Icicle { bands: vec![Band::default(); size.rows()], ..Icicle::default() },
            open: vec![],
            entered: 0,
            resolution: 1,
            limit,
            count: 0,
        }
    }

    /// Adds the last step of the search to the picture.
    pub fn see(&mut self, search: &Tracer) {
        let Some(event) = search.last() else { return };
        let (now, found) = (search.steps(), search.work().tally.met());
        match event {
            Event::Descend { .. } => self.entered = now,
            Event::Place { row, square } => {
                self.close(row as usize, now, found);
                let column = self.size.last().saturating_sub(square.column()) as u8;
                let kind = BlockKind::Queen(column);
                self.open.push(Open { from: now, kind, solutions: found });
            }
            Event::Back { row } => self.close(row as usize, now, found),
            Event::Done => self.close(0, now, found),
            Event::Cut { row, rule, .. } => {
                let block =
                    Block { from: now, to: now + 1, kind: BlockKind::Cut(rule), solutions: 0 };
                self.add(row as usize, block);
            }
            Event::Try { .. } | Event::Reject { .. } | Event::Compare { .. } => {}
            Event::Solution { .. } => {}
        }
        match search.beat() {
            Some(Beat::DeadEnd) => {
                let (from, kind) = (self.entered, BlockKind::DeadEnd);
                self.open.push(Open { from, kind, solutions: found });
            }
            Some(Beat::Solution) => self.judge(BlockKind::Solution),
            Some(Beat::Conflict | Beat::Discard) => self.judge(BlockKind::Discarded),
            _ => {}
        }
    }

    /// Returns the picture up to the last step of the search. The blocks of the queens that are still
    /// on the board end there.
    pub fn picture(&self, search: &Tracer) -> Icicle {
        let mut copy = self.clone();
        copy.close(0, search.steps(), search.work().tally.met());
        Icicle { steps: search.steps(), is_whole: search.is_done(), ..copy.icicle }
    }

    /// Changes the kind of the last queen.
    fn judge(&mut self, judged: fn(u8) -> BlockKind) {
        if let Some(last) = self.open.last_mut()
            && let BlockKind::Queen(column) = last.kind
        {
            last.kind = judged(column);
        }
    }

    /// Ends the blocks from `row` down.
    fn close(&mut self, row: usize, now: u64, found: u64) {
        while self.open.len() > row
            && let Some(Open { from, kind, solutions }) = self.open.pop()
        {
            // `picture` may close a block at the step that begins it. Such a block is empty.
            if from == now {
                continue;
            }
            let solutions = u32::try_from(found - solutions).unwrap_or(u32::MAX);
            self.add(self.open.len(), Block { from, to: now, kind, solutions });
        }
    }

    fn add(&mut self, row: usize, block: Block) {
        let Some(band) = self.icicle.bands.get_mut(row) else { return };
        let before = band.len();
        band.add(block, self.resolution);
        self.count += band.len() - before;
        while self.count > self.limit {
            self.coarsen();
        }
    }

    /// Doubles the resolution and joins the blocks again.
    fn coarsen(&mut self) {
        self.resolution *= 2;
        self.count = 0;
        for band in &mut self.icicle.bands {
            let Band { blocks, cuts } = std::mem::take(band);
            for block in blocks.into_iter().chain(cuts) {
                band.add(block, self.resolution);
            }
            self.count += band.len();
        }
    }
}

#[cfg(test)]
mod tests;
