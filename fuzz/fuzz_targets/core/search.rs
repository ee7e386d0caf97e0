//! Masks, views, comparisons and the tree of a search.

use libfuzzer_sys::arbitrary::{self, Arbitrary};
use queens_core::{
    Attacks, Branching, Cell, Cells, Comparison, Event, FirstQueen, Found, FullComparison, Masks,
    Node, Observer, Outcome, Register, RowBits, Rule, Size, Square, Stepped, SymmetryOps, Tracer,
    Verdict, View, Work, branches, representative,
};
use queens_fuzz::{Bits, Board, Spot, Steps, Turn, small};

#[derive(Arbitrary, Debug)]
pub enum Call {
    /// The masks of a branch, and those of nothing.
    Masks {
        masks: Words,
        row: u32,
        down: Bits,
        square: Spot,
    },
    Branches {
        board: Board,
        branching: u8,
    },
    View {
        method: Steps,
        board: Board,
        queens: Vec<Bits>,
        row: u32,
        words: [Bits; 4],
        masks: Option<Words>,
        square: Spot,
    },
    Compare {
        queens: Vec<Bits>,
        board: Board,
        turn: Turn,
    },
    Learn {
        board: Board,
        outcomes: Vec<(Turn, u8)>,
        cells: Vec<(u8, u8)>,
        masks: Words,
    },
    Node {
        method: Steps,
        board: Board,
        columns: Vec<u32>,
    },
    Work(Vec<(u8, u32, Bits)>),
}

/// The fields of [`Masks`], whatever they are.
#[derive(Arbitrary, Debug)]
pub struct Words {
    branching: u8,
    is_corner: bool,
    board: Board,
    words: [Bits; 5],
    bounds: [u32; 2],
}

const BRANCHINGS: [Branching; 4] =
    [Branching::Bound1, Branching::Bound2, Branching::SideCuts, Branching::Symmetry];
const OUTCOMES: [Outcome; 3] = [Outcome::ImageSmaller, Outcome::Same, Outcome::ImageLarger];

impl Words {
    fn masks(&self) -> Masks {
        let [mask, topbit, endbit, sidemask, lastmask] = self.words.map(|Bits(word)| word);
        let [bound1, bound2] = self.bounds;
        Masks {
            branching: BRANCHINGS[usize::from(self.branching) % 4],
            first: if self.is_corner { FirstQueen::Corner } else { FirstQueen::Inner },
            size: self.board.0,
            mask,
            topbit,
            endbit,
            sidemask,
            lastmask,
            bound1,
            bound2,
        }
    }
}

impl Call {
    pub fn check(self) {
        match self {
            Call::Masks { masks, row, down: Bits(down), square: Spot(square) } => {
                masks_of_anything(masks.masks(), row, down, square);
            }
            Call::Branches { board: Board(size), branching } => {
                all_branches(BRANCHINGS[usize::from(branching) % 4], size);
            }
            Call::View {
                method: Steps(method),
                board: Board(size),
                queens,
                row,
                words,
                masks,
                square: Spot(square),
            } => {
                let [left, down, right, free] = words.map(|Bits(word)| word);
                let view = View {
                    method: method.facts(),
                    size,
                    row,
                    queens: array(queens),
                    attacks: Attacks { left, down, right },
                    free,
                    masks: masks.map(|masks| masks.masks()),
                };
                view_of_anything(&view, square, row);
            }
            Call::Compare { queens, board: Board(size), turn: Turn(turn) } => {
                let queens: Vec<RowBits> = queens.into_iter().map(|Bits(queen)| queen).collect();
                let mut comparison = Comparison::new(&queens, size, turn);
                let rows = comparison.by_ref().collect::<Vec<_>>();
                let decided = rows.last().is_some_and(|row| row.own != row.image);
                assert_eq!(comparison.outcome() == Outcome::Same, !decided);
                assert!(rows.iter().rev().skip(1).all(|row| row.own == row.image));
            }
            Call::Learn { board: Board(size), outcomes, cells, masks } => {
                learn(size, &outcomes, &cells, masks.masks())
            }
            Call::Node { method: Steps(method), board, columns } => node(method, board, &columns),
            Call::Work(events) => work(&events),
        }
    }
}

fn array(queens: Vec<Bits>) -> [RowBits; 32] {
    let mut rows = [RowBits::EMPTY; 32];
    rows.iter_mut().zip(queens).for_each(|(row, Bits(queen))| *row = queen);
    rows
}

fn masks_of_anything(masks: Masks, row: u32, down: RowBits, square: Square) {
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
    for register in Register::ALL {
        assert_ne!(register.in_branch(&masks), Some(RowBits::EMPTY));
    }
    // However far: the loops of first queens end.
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

fn view_of_anything(view: &View, square: Square, row: u32) {
    if let Some(placement) = view.placement() {
        assert!(placement.rows().eq(view.rows().iter().copied()));
    }
    let seen = view.square(square);
    assert_eq!((seen.square, seen.rule), (square, view.rule(square)));
    assert_eq!(seen.attacker.is_some(), view.attacker(square).is_some());
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

fn learn(size: Size, outcomes: &[(Turn, u8)], cells: &[(u8, u8)], masks: Masks) {
    let outcome = |number: u8| OUTCOMES[usize::from(number) % 3];
    let mut comparison = FullComparison::new(size);
    let mut ops = SymmetryOps::new(&[masks.topbit; 32], &masks);
    assert!(Cells::held(&[masks.endbit; 32], &masks).iter().count() <= 3);
    for &(Turn(turn), number) in outcomes {
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

fn node(method: Stepped, board: Board, columns: &[u32]) {
    let root = Node::root(board.0);
    let any = columns.iter().fold(root, |node, &column| node.below(column));
    let on_board = columns.iter().filter(|&&column| column < board.0.get());
    assert_eq!(any.depth() as usize, on_board.count().min(board.0.rows()));
    assert!(
        root.leads_to(&any)
            && any.parent().is_none_or(|parent| parent < any && parent.leads_to(&any))
    );
    let size = small(board, 6);
    let near = columns.iter().fold(Node::root(size), |node, &column| node.below(column % 8));
    let rows = branches(method, &near).count() as u32;
    assert!(rows <= (near.depth() + 1).min(size.get()));
    if let Some(placement) = Tracer::new(method, size).view().placement() {
        let _ = representative(&placement);
    }
}

fn work(events: &[(u8, u32, Bits)]) {
    let mut work = Work::default();
    for &(kind, row, Bits(squares)) in events {
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
