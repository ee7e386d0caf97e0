//! Half-board matching: lists made and their pairs counted, launch by launch.

use std::{ops::Range, sync::Arc, time::Duration};

use queens_core::{Tally, halves::Tables};
use wgpu::{Buffer, BufferUsages, CommandEncoder};

use super::{
    commands::{Bindings, bytes, launch, to_bytes},
    connection::{Connection, Kernel, Refusal, compile, read_kernels},
    sizes::Sizes,
};
use crate::{
    DeviceError, Pace,
    halves::{Choice, Guide, Half, Halves, Lengths, Tile, put_lists, tiles},
};

/// The kernels' source.
const SOURCE: &str = include_str!("../../halves.wgsl");

/// The most lanes of a workgroup: their tables are all that it has room for.
pub(super) const LANES: u32 = 32;

/// The placements of a lane in a tile, a bit each.
const PLACEMENTS: u32 = 32;

/// With more diagonals, groups of three would need more tables than a workgroup has room for.
const MOST_IN_THREES: u32 = 42;

/// Choices of columns whose lists are made at a time, as far as there is room for them.
const ROUND: usize = 256;

/// The first launch, in workgroups, and the most that any device takes at once.
const FIRST_LAUNCH: usize = 1 << 10;
const LARGEST_LAUNCH: usize = 65_535;

/// A launch that takes about this long shows progress, stops soon and lets a desktop breathe.
const LAUNCH: Duration = Duration::from_millis(50);

/// The words that describe a launch.
const LAUNCH_WORDS: usize = 12;

/// The numbers by which the kernels name their buffers.
mod binding {
    pub(super) const LAUNCH: u32 = 0;
    pub(super) const HALVES: u32 = 1;
    pub(super) const INDEX: u32 = 2;
    pub(super) const PLACEMENTS: u32 = 3;
    pub(super) const BINS: u32 = 4;
    pub(super) const ELEMENTS: u32 = 5;
    pub(super) const LISTED: u32 = 6;
    pub(super) const TILES: u32 = 7;
    pub(super) const SUMS: u32 = 8;
}

/// One user's commands to a device for counting by halves.
#[derive(Debug)]
pub struct Pairs {
    connection: Arc<Connection>,
    sizes: Sizes,
    /// What is there for the board of the last count.
    board: Option<Board>,
    /// How many workgroups join strips, and compare tiles, in a launch.
    paces: [Pace; 2],
}

/// Kernels and buffers for one board.
#[derive(Debug)]
struct Board {
    join: Kernel,
    add_up: Kernel,
    pairs: Kernel,
    /// The words of a launch that are always the same.
    shape: Shape,
    launch: Buffer,
    halves: Buffer,
    index: Buffer,
    placements: Buffer,
    bins: Buffer,
    elements: Buffer,
    tiles: Buffer,
    sums: Buffer,
    /// What is read back.
    answer: Buffer,
}

/// Where a board's index has what, and how lists are put in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Shape {
    size: u32,
    divisions: u32,
    starts: [u32; 2],
    outer_rows: u32,
    diagonals: u32,
    bin_bits: u32,
}

const STORAGE: BufferUsages = BufferUsages::STORAGE.union(BufferUsages::COPY_DST);
const READABLE: BufferUsages = STORAGE.union(BufferUsages::COPY_SRC);
const UNIFORM: BufferUsages = BufferUsages::UNIFORM.union(BufferUsages::COPY_DST);
const ANSWER: BufferUsages = BufferUsages::MAP_READ.union(BufferUsages::COPY_DST);

impl Shape {
    fn new(tables: &Tables) -> Shape {
        let n = tables.size.get();
        let ranks = tables.ranks.as_flattened().len() as u32;
        let divisions = tables.divisions.len() as u32;
        let outer = ranks + divisions;
        Shape {
            size: n,
            divisions,
            starts: [outer, outer + tables.starts[0].len() as u32],
            outer_rows: tables.rows[0],
            diagonals: tables.diagonals,
            // Lists are seven times as long for each two more columns; a bin is a tile or less.
            bin_bits: (n / 2 * 3).saturating_sub(24).clamp(2, 8),
        }
    }

    fn bins_of_half(self) -> usize {
        (1 << self.bin_bits) + 2
    }

    /// Where the bins of so many halves end and their lengths begin, in words.
    fn lengths_at(self, halves: usize) -> usize {
        halves * self.bins_of_half()
    }

    /// Where the number of placements without a place is, in words.
    fn lost_at(self, halves: usize) -> usize {
        self.lengths_at(halves) + 2 * halves
    }
}

impl Pairs {
    /// A queue without buffers, which it takes when it is told of a board. Several may share a
    /// connection.
    pub fn open(connection: impl Into<Arc<Connection>>) -> Pairs {
        let connection = connection.into();
        let pace = Pace::new(FIRST_LAUNCH, 1..=LARGEST_LAUNCH, LAUNCH);
        Pairs { sizes: connection.sizes, connection, board: None, paces: [pace.clone(), pace] }
    }

    /// Takes no more elements of lists at a time than these.
    pub fn limit(&mut self, elements: u32) {
        self.sizes.elements = elements;
    }

    /// The tallies of tasks, in their order; `None` if the guide said to give up.
    ///
    /// # Errors
    /// [`DeviceError`] if there is no such task, no room for its lists, or the device failed.
    pub async fn count(
        &mut self,
        halves: &Halves,
        tasks: &[usize],
        guide: Guide<'_>,
    ) -> Result<Option<Vec<Tally>>, DeviceError> {
        let shape = Shape::new(&halves.tables);
        let fitting = self.board.take_if(|board| board.shape == shape);
        let mut board = match fitting {
            Some(board) => board,
            None => Board::new(&self.connection, &self.sizes, shape, &halves.tables).await?,
        };
        let mut tallies = halves.nothing(tasks);
        for choices in halves.choices(tasks)?.chunks(ROUND) {
            let work = Round { queue: self, board: &mut board, guide };
            let Some(sums) = work.count(halves, choices).await? else { return Ok(None) };
            for (choice, sums) in choices.iter().zip(sums) {
                halves.add(choice, sums, &mut tallies)?;
            }
        }
        self.board = Some(board);
        Ok(Some(tallies))
    }
}

/// Some choices of columns, whose lists are counted at once.
struct Round<'a, 'b> {
    queue: &'a mut Pairs,
    board: &'a mut Board,
    guide: Guide<'b>,
}

/// What a launch of the join is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Join {
    Count,
    Place,
}

impl Round<'_, '_> {
    /// The sums of each choice of columns.
    async fn count(
        mut self,
        halves: &Halves,
        choices: &[Choice],
    ) -> Result<Option<Vec<[u64; Halves::SUMS]>>, DeviceError> {
        let mut records: Vec<_> = choices.iter().map(|choice| halves.halves(choice)).collect();
        let all = 2 * records.len();
        self.write_halves(&records);
        let mut commands = self.queue.connection.commands();
        commands.clear_buffer(&self.board.bins, 0, None);
        commands.clear_buffer(&self.board.sums, 0, None);
        self.queue.connection.submit(commands.finish())?;
        if !self.join(0..all, all, Join::Count).await? {
            return Ok(None);
        }
        let lengths = self.lengths(all).await?;
        let mut first = 0;
        while first < records.len() {
            let room = self.board.room(&self.queue.connection, self.queue.sizes, &lengths[first..]);
            let room = room.await?;
            let fitting = put_lists(&mut records[first..], &lengths[first..], room)?;
            self.write_halves(&records);
            let end = first + fitting;
            if !self.join(2 * first..2 * end, all, Join::Place).await? {
                return Ok(None);
            }
            let (own, others) = (self.board.pairs.lanes * PLACEMENTS, self.queue.sizes.others);
            let mut all_tiles = (first..end).flat_map(|choice| {
                let sum = (Halves::SUMS * choice) as u32;
                tiles(&records[choice], &lengths[choice], sum, own, others)
            });
            if !self.compare(&mut all_tiles, all).await? {
                return Ok(None);
            }
            first = end;
        }
        let lost = self.read(&self.board.bins, self.board.shape.lost_at(all), 1).await?;
        if lost.first() != Some(&0) {
            return Err(DeviceError(format!(
                "it placed other placements than it had counted, {} too many",
                lost.first().copied().unwrap_or_default()
            )));
        }
        let words = self.read(&self.board.sums, 0, 2 * Halves::SUMS * records.len()).await?;
        let sum =
            |pair: &[u32]| pair.iter().rev().fold(0, |sum, &word| sum << 32 | u64::from(word));
        let sums = words.chunks_exact(2 * Halves::SUMS);
        Ok(Some(sums.map(|words| [sum(&words[..2]), sum(&words[2..])]).collect()))
    }

    fn write_halves(&self, records: &[[Half; 2]]) {
        let words: Vec<u32> =
            records.as_flattened().iter().flat_map(Half::words).copied().collect();
        self.queue.connection.queue.write_buffer(&self.board.halves, 0, &to_bytes(&words));
    }

    /// Joins the strips of some halves out of `all`; `false` if it was stopped.
    async fn join(
        &mut self,
        halves: Range<usize>,
        all: usize,
        join: Join,
    ) -> Result<bool, DeviceError> {
        let divisions = self.board.shape.divisions as usize;
        let mut next = halves.start * divisions;
        while next < halves.end * divisions {
            if (self.guide.stopped)() {
                return Ok(false);
            }
            let begun = (self.guide.now)();
            let many = self.queue.paces[0].size().min(self.queue.sizes.workgroups as usize);
            let end = (halves.end * divisions).min(next + many);
            let board = &*self.board;
            let bindings = [
                (binding::LAUNCH, &board.launch),
                (binding::HALVES, &board.halves),
                (binding::INDEX, &board.index),
                (binding::PLACEMENTS, &board.placements),
                (binding::BINS, &board.bins),
                (binding::ELEMENTS, &board.elements),
            ];
            let commands = self.launch(&board.join, &bindings, next..end, all, join);
            // Reading anything tells that it is done.
            self.read_after(commands, &board.bins, 0, 1).await?;
            self.queue.paces[0].learn(end - next, (self.guide.now)() - begun);
            next = end;
        }
        Ok(true)
    }

    /// The lengths of all lists, after the strips of all halves were joined to be counted.
    async fn lengths(&self, all: usize) -> Result<Vec<[Lengths; 2]>, DeviceError> {
        let Board { launch, bins, add_up, shape, .. } = &*self.board;
        let bindings = [(binding::LAUNCH, launch), (binding::BINS, bins)];
        let workgroups = all.div_ceil(add_up.lanes as usize);
        let commands = self.launch(add_up, &bindings, 0..workgroups, all, Join::Count);
        let words = self.read_after(commands, bins, shape.lengths_at(all), 2 * all).await?;
        let lengths = |words: &[u32]| Lengths { same: words[0], all: words[1] };
        let pairs = words.chunks_exact(4);
        Ok(pairs.map(|words| [lengths(&words[..2]), lengths(&words[2..])]).collect())
    }

    /// Compares the placements of tiles; `false` if it was stopped.
    async fn compare(
        &mut self,
        tiles: &mut dyn Iterator<Item = Tile>,
        all: usize,
    ) -> Result<bool, DeviceError> {
        loop {
            let many = self.queue.paces[1].size().min(self.queue.sizes.workgroups as usize);
            let words: Vec<u32> = tiles.take(many).flat_map(|tile| tile.words()).collect();
            let count = words.len() / Tile::WORDS;
            if count == 0 {
                return Ok(true);
            }
            if (self.guide.stopped)() {
                return Ok(false);
            }
            let begun = (self.guide.now)();
            let board = &*self.board;
            self.queue.connection.queue.write_buffer(&board.tiles, 0, &to_bytes(&words));
            let bindings = [
                (binding::LAUNCH, &board.launch),
                (binding::LISTED, &board.elements),
                (binding::TILES, &board.tiles),
                (binding::SUMS, &board.sums),
            ];
            let commands = self.launch(&board.pairs, &bindings, 0..count, all, Join::Count);
            self.read_after(commands, &board.sums, 0, 1).await?;
            self.queue.paces[1].learn(count, (self.guide.now)() - begun);
        }
    }

    /// Commands that launch these workgroups of a kernel, of `all` halves.
    fn launch(
        &self,
        kernel: &Kernel,
        bindings: &Bindings<'_>,
        workgroups: Range<usize>,
        all: usize,
        join: Join,
    ) -> CommandEncoder {
        let connection = &self.queue.connection;
        let Shape { divisions, starts, outer_rows, diagonals, bin_bits, .. } = self.board.shape;
        let (first, end) = (workgroups.start as u32, workgroups.end as u32);
        let ranks = starts[0] - divisions;
        let is_placing = u32::from(join == Join::Place);
        let words: [u32; LAUNCH_WORDS] = [
            first, end, ranks, divisions, starts[0], starts[1], outer_rows, diagonals, bin_bits,
            is_placing, all as u32, 0,
        ];
        connection.queue.write_buffer(&self.board.launch, 0, &to_bytes(&words));
        let mut commands = connection.commands();
        launch(&mut commands, kernel, &connection.bind(kernel, bindings), end - first);
        commands
    }

    async fn read(&self, of: &Buffer, from: usize, words: usize) -> Result<Vec<u32>, DeviceError> {
        self.read_after(self.queue.connection.commands(), of, from, words).await
    }

    async fn read_after(
        &self,
        commands: CommandEncoder,
        of: &Buffer,
        from: usize,
        words: usize,
    ) -> Result<Vec<u32>, DeviceError> {
        let connection = &self.queue.connection;
        connection.read(commands, (of, bytes(from)), words, &self.board.answer).await
    }
}

impl Board {
    async fn new(
        connection: &Connection,
        sizes: &Sizes,
        shape: Shape,
        tables: &Tables,
    ) -> Result<Board, DeviceError> {
        let module = read_kernels(&connection.device, "halves.wgsl", SOURCE).await?;
        let (group, groups) = groups(shape.diagonals);
        let numbers = [("GROUP", f64::from(group)), ("GROUPS", f64::from(groups))];
        let lanes = sizes.lanes.clamp(1, LANES);
        let kernel = |name, numbers| compile(&connection.device, &module, name, lanes, numbers);
        let index: Vec<u32> =
            [tables.ranks.as_flattened(), &tables.divisions, &tables.starts[0], &tables.starts[1]]
                .concat();
        let placements = tables.placements.as_flattened();
        let halves = 2 * ROUND;
        let make = async |name: &str, words, usage| {
            let made = connection.buffer(name, bytes(words), usage).await;
            made.map_err(|refusal| no_room(refusal, name))
        };
        let sums = 2 * Halves::SUMS * ROUND;
        let board = Board {
            join: kernel("join", &[]).await?,
            add_up: kernel("add_up", &[]).await?,
            pairs: kernel("pairs", &numbers).await?,
            shape,
            launch: make("launch", LAUNCH_WORDS, UNIFORM).await?,
            halves: make("halves", Half::WORDS * halves, STORAGE).await?,
            index: make("tables", index.len(), STORAGE).await?,
            placements: make("tables", placements.len(), STORAGE).await?,
            bins: make("bins", shape.lost_at(halves) + 1, READABLE).await?,
            elements: make("lists", 2, STORAGE).await?,
            tiles: make("tiles", Tile::WORDS * LARGEST_LAUNCH, STORAGE).await?,
            sums: make("sums", sums, READABLE).await?,
            answer: make("answer", sums.max(2 * halves), ANSWER).await?,
        };
        connection.queue.write_buffer(&board.index, 0, &to_bytes(&index));
        connection.queue.write_buffer(&board.placements, 0, &to_bytes(placements));
        Ok(board)
    }

    /// Makes room for the lists of these choices of columns, or of as many of the first ones as the
    /// device has memory for, and returns for how many elements there is room.
    async fn room(
        &mut self,
        connection: &Connection,
        sizes: Sizes,
        lengths: &[[Lengths; 2]],
    ) -> Result<u32, DeviceError> {
        let of = |lengths: &[Lengths; 2]| lengths.iter().map(|each| u64::from(each.all)).sum();
        let all: u64 = lengths.iter().map(of).sum();
        let one = lengths.first().map_or(0, of);
        let limits = connection.device.limits();
        let largest = limits.max_storage_buffer_binding_size.min(limits.max_buffer_size) / 8;
        let most = largest.min(sizes.elements.into());
        let mut refusal = None;
        // Twice as much as is wanted, so that it need not grow again and again; or what must be.
        for wanted in [all.saturating_mul(2), all, one].map(|wanted| wanted.min(most)) {
            if wanted * 8 <= self.elements.size() {
                // What there is suffices, whatever more was refused.
                refusal = None;
                break;
            }
            match connection.buffer("lists", (wanted * 8).max(8), STORAGE).await {
                Ok(buffer) => {
                    self.elements = buffer;
                    refusal = None;
                    break;
                }
                Err(Refusal::Memory) => refusal = Some(Refusal::Memory),
                Err(other) => return Err(no_room(other, "lists")),
            }
        }
        if let Some(refusal) = refusal {
            return Err(no_room(refusal, "lists"));
        }
        let room = (self.elements.size() / 8).min(most);
        Ok(u32::try_from(room).unwrap_or(u32::MAX))
    }
}

/// How many diagonals make up a group, and how many groups there are.
fn groups(diagonals: u32) -> (u32, u32) {
    let group = if diagonals > MOST_IN_THREES { 2 } else { 3 };
    (group, diagonals.div_ceil(group))
}

/// The sentence about a buffer that could not be had.
fn no_room(refusal: Refusal, name: &str) -> DeviceError {
    refusal.during(&format!("making room for its {name}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wgpu::source::{buffers, module, record};

    #[test]
    fn records_are_as_long_as_in_the_source() {
        let module = module(SOURCE);
        for (name, words) in
            [("Half", Half::WORDS), ("Tile", Tile::WORDS), ("Launch", LAUNCH_WORDS)]
        {
            assert_eq!(record(&module, name).0 as usize, 4 * words, "{name}");
        }
    }

    #[test]
    fn buffers_have_the_numbers_of_the_source() {
        let expected = [
            (binding::LAUNCH, "launch"),
            (binding::HALVES, "halves"),
            (binding::INDEX, "index"),
            (binding::PLACEMENTS, "placements"),
            (binding::BINS, "bins"),
            (binding::ELEMENTS, "elements"),
            (binding::LISTED, "listed"),
            (binding::TILES, "tiles"),
            (binding::SUMS, "sums"),
        ];
        assert_eq!(
            buffers(&module(SOURCE)),
            expected.map(|(number, name)| (number, name.to_owned()))
        );
    }

    #[test]
    fn the_tables_of_every_board_fit_into_a_workgroup() {
        let module = module(SOURCE);
        let table_in_source = |name: &str| {
            let named = |of: &&naga::GlobalVariable| of.name.as_deref() == Some(name);
            let (_, queue) = module.global_variables.iter().find(|(_, of)| named(of)).unwrap();
            module.types[queue.ty].inner.size(module.to_ctx())
        };
        let others = table_in_source("queue") + 4 * table_in_source("queued");
        for diagonals in 1..=54 {
            let (group, groups) = groups(diagonals);
            assert!(group * groups >= diagonals);
            let table = (groups << group) * LANES * 4;
            assert!(table + others <= 16_352, "{diagonals} diagonals take {table} bytes");
        }
    }
}
