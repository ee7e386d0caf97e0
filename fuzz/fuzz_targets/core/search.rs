//! Checks of masks, views, comparisons and the tree of a search.

use libfuzzer_sys::arbitrary::{self, Arbitrary};
use queens_core::{
    Attacks, Branching, Cell, Cells, Comparison, Event, FirstQueen, Found, FullComparison, Masks,
    Node, Observer, Outcome, Register, RowBits, Rule, Size, Square, Stepped, SymmetryOps, Tracer,
    Transform, Verdict, View, Work, branches, representative,
};
use queens_fuzz::small;

#[derive(Arbitrary, Debug)]
pub enum Call {
    /// Masks of a branch, or masks that belong to no branch.
    Masks {
        masks: Masks,
        row: u32,
        down: RowBits,
        square: Square,
    },
    Branches {
        size: Size,
        branching: Branching,
    },
    View {
        method: Stepped,
        size: Size,
        queens: Vec<RowBits>,
        row: u32,
        words: [RowBits; 4],
        masks: Option<Masks>,
        square: Square,
    },
    Compare {
        queens: Vec<RowBits>,
        size: Size,
        turn: Transform,
    },
    Learn {
        size: Size,
        outcomes: Vec<(Transform, u8)>,
        cells: Vec<(u8, u8)>,
        masks: Masks,
    },
    Node {
        method: Stepped,
        size: Size,
        columns: Vec<u32>,
    },
    Work(Vec<(u8, u32, RowBits)>),
}

const OUTCOMES: [Outcome; 3] = [Outcome::ImageSmaller, Outcome::Same, Outcome::ImageLarger];

impl Call {
    pub fn check(self) {
        match self {
            Call::Masks { masks, row, down, square } => {
                check_masks(masks, row, down, square);
            }
            Call::Branches { size, branching } => {
                all_branches(branching, size);
            }
            Call::View { method, size, queens, row, words, masks, square } => {
                let [left, down, right, free] = words;
                let view = View {
                    method: method.facts(),
                    size,
                    row,
                    queens: array(queens),
                    attacks: Attacks { left, down, right },
                    free,
                    masks,
                };
                check_view(&view, square, row);
            }
            Call::Compare { queens, size, turn } => {
                let mut comparison = Comparison::new(&queens, size, turn);
                let rows = comparison.by_ref().collect::<Vec<_>>();
                let decided = rows.last().is_some_and(|row| row.own != row.image);
                assert_eq!(comparison.outcome() == Outcome::Same, !decided);
                assert!(rows.iter().rev().skip(1).all(|row| row.own == row.image));
            }
            Call::Learn { size, outcomes, cells, masks } => learn(size, &outcomes, &cells, masks),
            Call::Node { method, size, columns } => node(method, size, &columns),
            Call::Work(events) => work(&events),
        }
    }
}

fn array(queens: Vec<RowBits>) -> [RowBits; 32] {
    let mut rows = [RowBits::EMPTY; 32];
    rows.iter_mut().zip(queens).for_each(|(row, queen)| *row = queen);
    rows
}

fn check_masks(masks: Masks, row: u32, down: RowBits, square: Square) {
    assert_eq!(masks.to_string().lines().count(), masks.size.rows());
    let closing: Vec<(Rule, RowBits)> = masks.closing(row, down).collect();
    assert!(
        closing.len() <= 2
            && masks
                .closed(row)
                .into_iter()
                .eq(closing.iter().copied().take(usize::from(masks.closed(row).is_some())))
    );
    assert!(masks.closed_at_bound2(down).is_subset(masks.mask));
    assert!(masks.first_queen().len() <= 1);
    if let Some(cell) = masks.cell_at(square) {
        assert_eq!(masks.cell(cell), Some((square.row(), square.bit())));
    }
    // The loops of first queens end, whatever their limits.
    assert!(
        core::iter::successors(Some(masks), |masks| masks.next()).take(100).count() < 100
            || masks.bound2 > 90
    );
}

fn all_branches(branching: Branching, size: Size) {
    let mut last = None;
    for masks in Masks::branches_of(branching, size) {
        let here = (masks.first == FirstQueen::Inner, masks.bound1);
        assert!(last < Some(here));
        last = Some(here);
        assert_eq!(masks.mask, size.mask());
        let words = [masks.topbit, masks.endbit, masks.sidemask, masks.lastmask];
        assert!(words.iter().all(|word| word.is_subset(size.mask())));
        for cell in Cell::ALL {
            if let Some((row, bit)) = masks.cell(cell) {
                let square = Square::of_bits(size, row, bit).expect("cells are on the board");
                assert_eq!(cell.transform().square(square).to_right(), (0, masks.bound1));
            }
        }
    }
}

fn check_view(view: &View, square: Square, row: u32) {
    if let Some(placement) = view.placement() {
        assert!(placement.rows().eq(view.rows().iter().copied()));
    }
    let shown = view.square(square);
    assert_eq!((shown.square, shown.rule), (square, view.rule(square)));
    assert_eq!(shown.attacker.is_some(), view.attacker(square).is_some());
    assert!(view.rules(row).count() <= 2);
    assert!(view.governed(row).is_none_or(|governed| view.rules(row).next() == Some(governed)));
    let _ = (view.chosen_by_a_loop(row), view.smaller_image(square));
    assert!(
        view.placed().len() <= view.size.get() && view.branch(square).len() <= square.row() + 1
    );
    for register in Register::ALL {
        assert!(view.register(register).is_none() || view.method.keeps(register));
    }
    assert!(Node::of(view).depth() <= view.size.get());
}

fn learn(size: Size, outcomes: &[(Transform, u8)], cells: &[(u8, u8)], masks: Masks) {
    let outcome = |number: u8| OUTCOMES[usize::from(number) % 3];
    let mut comparison = FullComparison::new(size);
    let mut ops = SymmetryOps::new(&[masks.topbit; 32], &masks);
    assert!(Cells::held(&[masks.endbit; 32], &masks).iter().count() <= 3);
    for &(turn, number) in outcomes {
        comparison.learn(turn, outcome(number));
        let drops = outcome(number) == Outcome::ImageSmaller;
        assert!(!drops || comparison.next().is_none() && comparison.verdict() == Verdict::Drop);
    }
    for &(cell, number) in cells {
        ops.learn(Cell::ALL[usize::from(cell) % 3], outcome(number));
        let drops = outcome(number) == Outcome::ImageSmaller;
        assert!(!drops || ops.next().is_none() && ops.verdict() == Verdict::Drop);
    }
}

fn node(method: Stepped, size: Size, columns: &[u32]) {
    let root = Node::root(size);
    let any = columns.iter().fold(root, |node, &column| node.below(column));
    let on_board = columns.iter().filter(|&&column| column < size.get());
    assert_eq!(any.depth() as usize, on_board.count().min(size.rows()));
    assert!(
        root.leads_to(&any)
            && any.parent().is_none_or(|parent| parent < any && parent.leads_to(&any))
    );
    let size = small(size, 6);
    let near = columns.iter().fold(Node::root(size), |node, &column| node.below(column % 8));
    let rows = branches(method, &near).count() as u32;
    assert!(rows <= (near.depth() + 1).min(size.get()));
    if let Some(placement) = Tracer::new(method, size).view().placement() {
        let _ = representative(&placement);
    }
}

fn work(events: &[(u8, u32, RowBits)]) {
    let mut work = Work::default();
    for &(kind, row, squares) in events {
        let rule = Rule::ALL[row as usize % Rule::ALL.len()];
        work.see(match kind % 6 {
            0 => Event::Try { row, square: squares },
            1 => Event::Place { row, square: squares },
            2 => Event::Reject { row, squares },
            3 => Event::Cut { row, rule, squares },
            4 => Event::Solution { found: Found::MirrorPair },
            _ => Event::Back { row },
        });
    }
    assert!(work.tried() <= events.len() as u64);
    assert_eq!(work.tally.total(), Some(2 * work.tally.met()));
}
