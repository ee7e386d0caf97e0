use queens_core::{Event, Node, Observer, Seek, Stepped, Timeline};

use super::*;

fn size(n: u32) -> Size {
    Size::new(n).unwrap()
}

/// Runs a whole search and returns its picture with the number of its steps.
fn drawn(method: Stepped, n: u32, limit: usize) -> (Icicle, u64) {
    let mut search = Tracer::new(method, size(n));
    let mut builder = IcicleBuilder::new(size(n), limit);
    while search.forward().is_some() {
        builder.see(&search);
    }
    (builder.picture(&search), search.steps())
}

/// The queens on the board at a step, by row and column from the left.
fn queens(icicle: &Icicle, step: u64) -> Vec<(u32, u32)> {
    let queens = icicle.path(step).filter_map(|(row, block)| match block.kind {
        BlockKind::Queen(column) | BlockKind::Solution(column) | BlockKind::Discarded(column) => {
            Some((row as u32, column.into()))
        }
        BlockKind::DeadEnd | BlockKind::Cut(_) | BlockKind::Several => None,
    });
    queens.collect()
}

/// All methods, each with a board of `n` rows, or of fewer if the method's largest N is smaller.
fn methods(n: u32) -> impl Iterator<Item = (Stepped, u32)> {
    Stepped::ALL.iter().map(move |&method| (method, n.min(method.facts().largest)))
}

/// Counts queens, dead ends, solutions and cuts from the events of a method's recursive form, which
/// reports no beats.
#[derive(Debug, Default, PartialEq, Eq)]
struct Counted {
    queens: u64,
    dead_ends: u64,
    solutions: u64,
    cuts: u64,
    /// Whether the search has entered a row and not placed a queen since.
    has_entered: bool,
}

impl Observer for Counted {
    fn see(&mut self, event: Event) {
        match event {
            Event::Descend { .. } => self.has_entered = true,
            Event::Place { .. } => {
                self.queens += 1;
                self.has_entered = false;
            }
            Event::Solution { .. } => self.solutions += 1,
            Event::Cut { .. } => self.cuts += 1,
            Event::Back { .. } | Event::Done => {
                self.dead_ends += u64::from(std::mem::take(&mut self.has_entered));
            }
            _ => {}
        }
    }
}

#[test]
fn has_every_queen_dead_end_cut_and_solution() {
    for (method, n) in methods(5).chain(methods(6)) {
        let mut counted = Counted::default();
        method.search(size(n), &mut counted);
        let (icicle, _) = drawn(method, n, usize::MAX);
        let blocks = || icicle.bands.iter().flat_map(|band| &band.blocks);
        let count =
            |is: fn(&BlockKind) -> bool| blocks().filter(|block| is(&block.kind)).count() as u64;
        let drawn = Counted {
            queens: count(|kind| *kind != BlockKind::DeadEnd),
            dead_ends: count(|kind| *kind == BlockKind::DeadEnd),
            solutions: count(|kind| matches!(kind, BlockKind::Solution(_))),
            cuts: icicle.bands.iter().map(|band| band.cuts.len() as u64).sum(),
            has_entered: false,
        };
        assert_eq!(drawn, counted, "{method} N = {n}");
        assert_eq!(count(|kind| *kind == BlockKind::Several), 0);
    }
}

/// Counts the nodes of plain backtracking from `queens` on, and the dead ends among them: nodes whose
/// next row has no free square. The empty board does not count as a node.
fn plain_count(n: u32, queens: &mut Vec<u32>) -> [u64; 2] {
    if queens.len() as u32 == n {
        return [1, 0];
    }
    let mut sum = [u64::from(!queens.is_empty()), 0];
    let mut is_stuck = true;
    for column in 0..n {
        let attacks = |(row, &queen): (usize, &u32)| {
            queen == column || queen.abs_diff(column) as usize == queens.len() - row
        };
        if !queens.iter().enumerate().any(attacks) {
            is_stuck = false;
            queens.push(column);
            let below = plain_count(n, queens);
            sum = [sum[0] + below[0], sum[1] + below[1]];
            queens.pop();
        }
    }
    [sum[0], sum[1] + u64::from(is_stuck)]
}

#[test]
fn a_search_of_the_whole_board_has_the_nodes_of_a_plain_count() {
    for n in 1..=8 {
        let [queens, dead_ends] = plain_count(n, &mut vec![]);
        for method in [Stepped::Backtracking, Stepped::Flags, Stepped::Bitmap] {
            let (icicle, _) = drawn(method, n, usize::MAX);
            let blocks = icicle.bands.iter().flat_map(|band| &band.blocks);
            let (stuck, placed): (Vec<&Block>, Vec<_>) =
                blocks.partition(|block| block.kind == BlockKind::DeadEnd);
            let found = [placed.len() as u64, stuck.len() as u64];
            assert_eq!(found, [queens, dead_ends], "{method} N = {n}");
        }
    }
    assert_eq!(plain_count(8, &mut vec![])[0], 2056);
}

#[test]
fn the_blocks_at_a_step_are_the_queens_on_the_board() {
    for (method, n) in methods(5).chain(methods(6)) {
        let (icicle, end) = drawn(method, n, usize::MAX);
        let mut search = Tracer::new(method, size(n));
        let mut dead_end = false;
        while search.forward().is_some() {
            let node = search.node();
            let now = search.steps();
            dead_end = match search.last().unwrap() {
                Event::Back { .. } | Event::Done => false,
                _ => dead_end || search.beat() == Some(Beat::DeadEnd),
            };
            let mut expected: Vec<_> =
                node.columns_from_right().iter().map(|&column| n - 1 - u32::from(column)).collect();
            if search.is_done() {
                expected.clear();
            }
            let expected: Vec<_> = (0..).zip(expected).collect();
            assert_eq!(queens(&icicle, now), expected, "{method} N = {n} step {now} of {end}");
            let last = icicle.path(now).last();
            let has_dead_end = last.is_some_and(|(_, block)| block.kind == BlockKind::DeadEnd);
            // The block of a dead end starts at the step that enters the row, before the beat.
            assert!(has_dead_end || !dead_end, "{method} step {now}");
        }
    }
}

/// Returns the number of steps at which exactly the queens of a node are on the board, by the row of
/// the node's last queen and the step that placed it.
fn own_steps(method: Stepped, n: u32) -> std::collections::BTreeMap<(usize, u64), u64> {
    let mut own = std::collections::BTreeMap::new();
    let mut search = Tracer::new(method, size(n));
    let mut placed = vec![];
    while search.forward().is_some() {
        let depth = search.node().depth() as usize;
        placed.truncate(depth);
        if let Event::Place { row, .. } = search.last().unwrap() {
            placed.truncate(row as usize);
            placed.push(search.steps());
        }
        if let Some(&from) = placed.last() {
            *own.entry((placed.len() - 1, from)).or_default() += 1;
        }
    }
    own
}

#[test]
fn a_block_is_as_wide_as_the_queens_below_it_and_its_own_steps() {
    for (method, n) in methods(5).chain(methods(6)) {
        let (icicle, end) = drawn(method, n, usize::MAX);
        let own = own_steps(method, n);
        let mut all = 0;
        for (row, band) in icicle.bands.iter().enumerate() {
            let queens = band.blocks.iter().filter(|block| block.kind != BlockKind::DeadEnd);
            for block in queens {
                let below = icicle.bands.get(row + 1).map_or(&[][..], |band| &band.blocks);
                let inside = below.iter().filter(|child| block.contains(child.from));
                let queens = inside.filter(|child| child.kind != BlockKind::DeadEnd);
                let sum: u64 = queens.map(Block::steps).sum();
                assert_eq!(block.steps(), sum + own[&(row, block.from)], "{method} {block:?}");
                all += u64::from(row == 0) * block.steps();
            }
            let ordered = band.blocks.windows(2).all(|two| two[0].to <= two[1].from);
            assert!(ordered, "{method} row {row}");
        }
        assert!(all <= end);
    }
}

#[test]
fn counts_the_solutions_below_each_queen() {
    for (method, n) in methods(6).chain([(Stepped::Symmetry, 8)]) {
        let (icicle, _) = drawn(method, n, usize::MAX);
        let mut timeline = Timeline::new(method, size(n));
        let mut solutions = vec![];
        while timeline.seek_next(|search| search.work().tally.met(), u64::MAX) == Seek::Found {
            solutions.push(timeline.step());
        }
        for block in icicle.bands.iter().flat_map(|band| &band.blocks) {
            let inside = solutions.iter().filter(|&&step| block.contains(step)).count();
            assert_eq!(block.solutions as usize, inside, "{method} {block:?}");
            if let BlockKind::Solution(_) = block.kind {
                assert!(solutions.contains(&block.main_step().unwrap()), "{method} {block:?}");
            }
        }
    }
}

#[test]
fn the_main_step_of_a_block_shows_it() {
    for (method, n) in methods(5) {
        let (icicle, _) = drawn(method, n, usize::MAX);
        let mut timeline = Timeline::new(method, size(n));
        for (row, band) in icicle.bands.iter().enumerate() {
            for block in band.blocks.iter().chain(&band.cuts) {
                timeline.seek(block.main_step().unwrap_or(block.from), u64::MAX);
                let event = timeline.last().unwrap();
                match block.kind {
                    BlockKind::Queen(column) => {
                        let Event::Place { row: at, square } = event else { panic!("{event:?}") };
                        assert_eq!((at as usize, n - 1 - square.column()), (row, column.into()));
                    }
                    BlockKind::Solution(_) => assert!(matches!(event, Event::Solution { .. })),
                    BlockKind::Cut(rule) => {
                        let is_this = matches!(event, Event::Cut { rule: of, .. } if of == rule);
                        assert!(is_this, "{method} {event:?}");
                    }
                    BlockKind::Discarded(_) | BlockKind::DeadEnd => {
                        let depth = Node::of(&timeline.view()).depth() as usize;
                        let queens = row + usize::from(block.kind != BlockKind::DeadEnd);
                        assert_eq!(depth, queens, "{method} {block:?}");
                    }
                    BlockKind::Several => panic!("{block:?}"),
                }
            }
        }
    }
}

#[test]
fn stays_within_the_limit_and_keeps_all_solutions() {
    for (method, n, limit) in [
        (Stepped::Backtracking, 8, 500),
        (Stepped::Symmetry, 10, 300),
        (Stepped::BruteForce, 5, 64),
        (Stepped::Permutations, 7, 2000),
    ] {
        let (whole, end) = drawn(method, n, usize::MAX);
        let (icicle, _) = drawn(method, n, limit);
        let count: usize = icicle.bands.iter().map(Band::len).sum();
        assert!(count <= limit && count > limit / 8, "{method}: {count} blocks");
        for (exact, band) in whole.bands.iter().zip(&icicle.bands) {
            let solutions =
                |band: &Band| band.blocks.iter().map(|block| block.solutions).sum::<u32>();
            assert_eq!(solutions(exact), solutions(band), "{method}");
            assert!(band.blocks.windows(2).all(|two| two[0].to <= two[1].from), "{method}");
            assert!(band.blocks.iter().all(|block| block.from < block.to && block.to <= end));
            // The longest block is still drawn, alone or as part of a joined one.
            let longest = exact.blocks.iter().map(Block::steps).max().unwrap_or(0);
            let drawn = band.blocks.iter().map(Block::steps).max().unwrap_or(0);
            assert!(drawn >= longest, "{method}");
        }
    }
}

#[test]
fn blocks_of_an_unfinished_search_end_at_its_last_step() {
    let mut search = Tracer::new(Stepped::Backtracking, size(8));
    let mut builder = IcicleBuilder::new(size(8), IcicleBuilder::LIMIT);
    for _ in 0..500 {
        search.forward();
        builder.see(&search);
    }
    let icicle = builder.picture(&search);
    let ends: Vec<_> =
        icicle.bands.iter().map(|band| band.blocks.last().map(|last| last.to)).collect();
    assert_eq!(ends[..2], [Some(500); 2]);
    assert_eq!(icicle.bands[0].blocks.len(), 1);
}

#[test]
fn a_picture_at_any_step_has_no_empty_blocks() {
    let mut search = Tracer::new(Stepped::Symmetry, size(6));
    let mut builder = IcicleBuilder::new(size(6), IcicleBuilder::LIMIT);
    while search.forward().is_some() {
        builder.see(&search);
        let icicle = builder.picture(&search);
        assert_eq!((icicle.steps, icicle.is_whole), (search.steps(), search.is_done()));
        let blocks = icicle.bands.iter().flat_map(|band| &band.blocks);
        assert!(
            blocks.clone().all(|block| block.from < block.to && block.kind != BlockKind::Several)
        );
    }
}

#[test]
fn only_joined_blocks_lose_their_kind() {
    let block = |from, to, kind| Block { from, to, kind, solutions: 1 };
    let mut band = Band::default();
    band.add(block(10, 12, BlockKind::Solution(3)), 8);
    assert_eq!(band.blocks, [block(10, 12, BlockKind::Solution(3))]);
    band.add(block(15, 19, BlockKind::DeadEnd), 8);
    band.add(block(20, 28, BlockKind::Queen(4)), 8);
    band.add(block(28, 36, BlockKind::Queen(5)), 8);
    let first = [block(10, 12, BlockKind::Solution(3)), block(15, 19, BlockKind::DeadEnd)];
    assert_eq!(band.blocks[..2], first);
    assert_eq!(
        band.blocks[2..],
        [block(20, 28, BlockKind::Queen(4)), block(28, 36, BlockKind::Queen(5))]
    );
    band = Band::default();
    band.add(block(10, 12, BlockKind::Solution(3)), 8);
    band.add(block(15, 18, BlockKind::DeadEnd), 8);
    assert_eq!(band.blocks, [Block { solutions: 2, ..block(10, 18, BlockKind::Several) }]);
}

#[test]
fn finds_what_is_drawn_near_a_step() {
    let (icicle, end) = drawn(Stepped::Symmetry, 8, usize::MAX);
    let last = icicle.bands.len() - 1;
    for (row, band) in icicle.bands.iter().enumerate() {
        for block in &band.blocks {
            assert_eq!(icicle.near(row, block.from, 0), Some((row, block)));
        }
        for cut in &band.cuts {
            assert_eq!(icicle.near(row, cut.from, 0), Some((row, cut)));
            // Nothing else is drawn below a cut.
            assert_eq!(icicle.near(last, cut.from, 0), Some((row, cut)));
        }
    }
    let first = icicle.bands[0].blocks[0];
    assert_eq!(icicle.near(0, first.from - 1, 0), None);
    assert_eq!(icicle.near(0, first.from - 1, 1), Some((0, &first)));
    assert_eq!(icicle.near(0, end + 5, 4), None);
    assert_eq!(icicle.near(last + 1, 0, 9), None);
}
