//! Lists made and their pairs counted, launch by launch, on any device.

use std::{collections::VecDeque, iter, ops::Range, pin::Pin, time::Duration};

use queens_core::Tally;

use super::{
    launch::{Join, Launch, Shape},
    leaves::{Leaves, Place},
    lists::{
        Choice, Guide, Half, Halves, Lengths, Pairing, Part, Tile, pairings, pieces, put_lists,
        tiles,
    },
};
use crate::{DeviceError, Pace};

/// Choices of columns, or parts of them, whose lists are made at a time, as far as there is room.
pub const ROUND: usize = 256;

/// The first launch, in workgroups, and the most that any device takes at once.
const FIRST_LAUNCH: usize = 1 << 10;
const LARGEST_LAUNCH: usize = 65_535;

/// The fewest elements of lists for which room is asked.
const LEAST_ROOM: u64 = 1 << 10;

/// A launch that takes about this long shows progress, stops soon and lets a desktop breathe.
const LAUNCH: Duration = Duration::from_millis(50);

/// The placements of a lane in a tile, a bit each.
const PLACEMENTS: u32 = 32;

/// The kernels of half-board matching.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kernel {
    /// Joins the placements of two strips.
    Join,
    /// Adds up the bins of each half, or of its leaves.
    AddUp,
    /// Splits lists: puts placements into the bins of the leaves that they come to.
    Split,
    /// Counts the pairs of tiles.
    Pairs,
}

/// How much a device does at once.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The lanes of a workgroup.
    pub lanes: u32,
    /// The placements of the shorter list in a tile, at most.
    pub others: u32,
    /// The workgroups of a launch, at most.
    pub workgroups: usize,
    /// The elements of lists in memory at a time, at most.
    pub elements: u64,
}

/// The future of a call to a device, which its caller awaits on the thread that owns the device.
pub type Pending<'a, T> = Pin<Box<dyn Future<Output = Result<T, DeviceError>> + 'a>>;

/// What counting by halves asks of a device. Each call is done when it returns, or its future ends.
pub trait Device {
    /// Gets ready for a board of this shape: its tables, kernels, and room for [`ROUND`] choices of
    /// columns, [`Launch`] by launch of as many tiles as its limits say.
    ///
    /// # Errors
    /// [`DeviceError`], here and below, if there is no memory for it or the device failed.
    fn prepare<'a>(&'a mut self, halves: &'a Halves, shape: Shape) -> Pending<'a, ()>;

    /// How much it does at once.
    fn limits(&self) -> Limits;

    /// Makes all bins and sums 0.
    ///
    /// # Errors
    /// See [`prepare`](Device::prepare).
    fn clear(&mut self) -> Result<(), DeviceError>;

    /// Writes the records of halves, at most two for each choice of a round.
    ///
    /// # Errors
    /// See [`prepare`](Device::prepare).
    fn write_halves(&mut self, halves: &[[Half; 2]]) -> Result<(), DeviceError>;

    /// Writes the records of tiles, at most as many as workgroups of a launch.
    ///
    /// # Errors
    /// See [`prepare`](Device::prepare).
    fn write_tiles(&mut self, tiles: &[Tile]) -> Result<(), DeviceError>;

    /// Launches a kernel, and waits until that is done.
    ///
    /// # Errors
    /// See [`prepare`](Device::prepare).
    fn run(&mut self, kernel: Kernel, launch: Launch) -> Pending<'_, ()>;

    /// Words of the bins.
    ///
    /// # Errors
    /// See [`prepare`](Device::prepare).
    fn bins(&mut self, words: Range<usize>) -> Pending<'_, Vec<u32>>;

    /// The first sums.
    ///
    /// # Errors
    /// See [`prepare`](Device::prepare).
    fn sums(&mut self, count: usize) -> Pending<'_, Vec<u64>>;

    /// The number of elements that there is room for.
    fn room(&self) -> u64;

    /// The bytes of its memory that are taken for the board: those that all its queues share, and this
    /// one's own.
    fn memory(&self) -> [usize; 2];

    /// Makes room for so many elements, whatever was there before, or says why there is no memory
    /// for them. Then there may be less room than before.
    ///
    /// # Errors
    /// See [`prepare`](Device::prepare).
    fn make_room(&mut self, elements: u64) -> Pending<'_, Result<(), DeviceError>>;
}

/// One user's commands to a device for counting by halves.
#[expect(missing_debug_implementations, reason = "a device has nothing to show")]
pub struct Queue {
    device: Box<dyn Device>,
    /// What the device is ready for.
    shape: Option<Shape>,
    /// How many workgroups join strips, split lists, and compare tiles, in a launch.
    paces: [Pace; 3],
    limit: u64,
    /// The fewest elements that the device has had no memory for since it is ready for the board, and
    /// what it said.
    refused: Option<(u64, DeviceError)>,
}

impl Queue {
    /// A queue of this device, which gets ready when it is told of a board.
    pub fn new(device: Box<dyn Device>) -> Queue {
        let pace = Pace::new(FIRST_LAUNCH, 1..=LARGEST_LAUNCH, LAUNCH);
        let paces = [pace.clone(), pace.clone(), pace];
        Queue { device, shape: None, paces, limit: u64::MAX, refused: None }
    }

    /// The bytes of the device's memory that all its queues share, and those that this one takes.
    pub fn memory(&self) -> [usize; 2] {
        self.device.memory()
    }

    /// Takes no more elements of lists at a time than these.
    pub fn limit(&mut self, elements: u32) {
        self.limit = elements.into();
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
        let mut tallies = halves.nothing(tasks);
        let choices = halves.choices(tasks)?;
        let Some(all_sums) = self.sums(halves, &choices, guide).await? else { return Ok(None) };
        for (choice, sums) in choices.iter().zip(all_sums) {
            halves.add(choice, sums, &mut tallies)?;
        }
        Ok(Some(tallies))
    }

    /// The sums of choices of columns, in their order; `None` if the guide said to give up.
    ///
    /// # Errors
    /// [`DeviceError`] if there is no room for their lists, or the device failed.
    pub async fn sums(
        &mut self,
        halves: &Halves,
        choices: &[Choice],
        guide: Guide<'_>,
    ) -> Result<Option<Vec<[u64; Halves::SUMS]>>, DeviceError> {
        let shape = Shape::new(&halves.tables, &halves.splits);
        if self.shape != Some(shape) {
            (self.shape, self.refused) = (None, None);
            self.device.prepare(halves, shape).await?;
            self.shape = Some(shape);
        }
        let mut all_sums = vec![[0u64; Halves::SUMS]; choices.len()];
        let whole = |choice| Part::whole(choice, shape.divisions());
        let mut open: VecDeque<Part> = (0..choices.len()).map(whole).collect();
        while !open.is_empty() {
            let parts: Vec<Part> = open.drain(..open.len().min(ROUND)).collect();
            let records: Vec<_> =
                parts.iter().map(|part| halves.halves(&choices[part.choice])).collect();
            let round = Round { queue: self, shape, parts, records, guide };
            let Some(counted) = round.count().await? else { return Ok(None) };
            for (choice, sums) in counted.sums {
                for (all, sum) in all_sums[choice].iter_mut().zip(sums) {
                    let exceeded =
                        || DeviceError::new("the pairs of a column set do not fit in 64 bits");
                    *all = all.checked_add(sum).ok_or_else(exceeded)?;
                }
            }
            // What is left of a choice is done before others are begun.
            counted.left.into_iter().rev().for_each(|part| open.push_front(part));
        }
        Ok(Some(all_sums))
    }
}

/// Some choices of columns, or parts of them, whose lists are counted at once.
struct Round<'a, 'b> {
    queue: &'a mut Queue,
    shape: Shape,
    parts: Vec<Part>,
    /// The halves of each.
    records: Vec<[Half; 2]>,
    guide: Guide<'b>,
}

/// What comes of a round.
struct Counted {
    /// The sums of parts, by the places of their choices.
    sums: Vec<(usize, [u64; Halves::SUMS])>,
    /// Parts of those that there was no room for.
    left: Vec<Part>,
}

impl Round<'_, '_> {
    async fn count(mut self) -> Result<Option<Counted>, DeviceError> {
        let count = self.parts.len();
        self.queue.device.clear()?;
        self.queue.device.write_halves(&self.records)?;
        if !self.join(0..count, Join::Count).await? {
            return Ok(None);
        }
        let lengths = self.lengths().await?;
        let (mut first, mut counted, mut left) = (0, Vec::new(), Vec::new());
        while first < count {
            let room = self.room(&lengths[first..]).await?;
            let fitting = match self.put(first, &lengths, room)? {
                Ok(fitting) => fitting,
                Err(parts) => {
                    left.extend(parts);
                    first += 1;
                    continue;
                }
            };
            self.queue.device.write_halves(&self.records)?;
            let end = first + fitting;
            if !self.join(first..end, Join::Place).await?
                || !self.pairs(first..end, &lengths, room).await?
            {
                return Ok(None);
            }
            counted.extend(first..end);
            first = end;
        }
        let lost_at = self.shape.lost_at(2 * count);
        let lost = self.queue.device.bins(lost_at..lost_at + 1).await?;
        if lost.first() != Some(&0) {
            return Err(DeviceError::new(format!(
                "the placements do not match the counts made before: {} too many",
                lost.first().copied().unwrap_or_default()
            )));
        }
        let sums = self.queue.device.sums(Halves::SUMS * count).await?;
        let sums: &[[u64; Halves::SUMS]] = sums.as_chunks().0;
        let of = |part: usize| Some((self.parts[part].choice, *sums.get(part)?));
        Ok(Some(Counted { sums: counted.into_iter().filter_map(of).collect(), left }))
    }

    /// The workgroups that join the strips of some parts.
    fn workgroups(&self, parts: Range<usize>) -> Vec<Range<usize>> {
        let (divisions, each) = (self.shape.divisions() as usize, self.shape.workgroups());
        let mut ranges: Vec<Range<usize>> = Vec::new();
        for (part, Part { divisions: of, .. }) in parts.clone().zip(&self.parts[parts]) {
            for (half, of) in (2 * part..).zip(of) {
                let number = |division: u32| (half * divisions + division as usize) * each;
                match ranges.last_mut().filter(|last| last.end == number(of.start)) {
                    Some(last) => last.end = number(of.end),
                    None => ranges.push(number(of.start)..number(of.end)),
                }
            }
        }
        ranges
    }

    /// Joins the strips of some parts; `false` if it was stopped.
    async fn join(&mut self, parts: Range<usize>, join: Join) -> Result<bool, DeviceError> {
        let halves = 2 * self.parts.len();
        for Range { start: mut next, end: last } in self.workgroups(parts) {
            while next < last {
                if (self.guide.stopped)() {
                    return Ok(false);
                }
                let begun = (self.guide.now)();
                let Queue { device, paces: [pace, ..], .. } = &mut *self.queue;
                let end = last.min(next + pace.size().min(device.limits().workgroups));
                device.run(Kernel::Join, self.shape.launch(next..end, halves, join)).await?;
                pace.learn(end - next, (self.guide.now)() - begun);
                next = end;
            }
        }
        Ok(true)
    }

    /// The lengths of all lists, after the strips of all halves were joined to be counted.
    async fn lengths(&mut self) -> Result<Vec<[Lengths; 2]>, DeviceError> {
        let (device, halves) = (&mut self.queue.device, 2 * self.parts.len());
        let workgroups = halves.div_ceil(device.limits().lanes as usize);
        device.run(Kernel::AddUp, self.shape.launch(0..workgroups, halves, Join::Count)).await?;
        let from = self.shape.lengths_at(halves);
        let words = device.bins(from..from + 2 * halves).await?;
        let lengths = |&[[same, all], [other_same, other_all]]: &[[u32; 2]; 2]| {
            [Lengths { same, all }, Lengths { same: other_same, all: other_all }]
        };
        Ok(words.as_chunks().0.as_chunks().0.iter().map(lengths).collect())
    }

    /// Makes room for the lists of these parts, or of as many of the first ones as the device has
    /// memory for, even if that is less than the first one takes, and returns for how many elements
    /// there is room.
    async fn room(&mut self, lengths: &[[Lengths; 2]]) -> Result<u32, DeviceError> {
        let Queue { device, limit, refused, .. } = &mut *self.queue;
        let copies = self.shape.with_copies();
        let of = |lengths: &[Lengths; 2]| {
            lengths.iter().map(|each| u64::from(each.all) * copies).sum::<u64>()
        };
        let all: u64 = lengths.iter().map(of).sum();
        let one = lengths.first().map_or(0, of);
        let most = device.limits().elements.min(*limit).min(u32::MAX.into());
        let fitting = |room: u64| u32::try_from(room.min(most)).unwrap_or(u32::MAX);
        // Once memory was refused there is half of what there can be, or more: nothing else is asked
        // for as long as that does for the first one.
        let enough = if refused.is_some() { one } else { all };
        if enough.min(most) <= device.room() {
            return Ok(fitting(device.room()));
        }
        // Twice as much as is wanted, so that it need not grow again and again; or ever less of that,
        // and what the first one takes among it; but nothing twice in vain.
        let halved = |&last: &u64| (last > LEAST_ROOM).then_some(last / 2);
        let many = iter::successors(Some(all.saturating_mul(2)), halved);
        let sizes = many.take_while(|&many| many > one).chain(iter::successors(Some(one), halved));
        for wanted in sizes.map(|wanted| wanted.min(most)) {
            let is_refused = refused.as_ref().is_some_and(|(least, _)| wanted >= *least);
            if wanted > device.room()
                && !is_refused
                && let Err(refusal) = device.make_room(wanted).await?
            {
                *refused = Some((wanted, refusal));
            }
            if wanted <= device.room() {
                return Ok(fitting(device.room()));
            }
        }
        let nothing = || DeviceError::new("not enough GPU memory for the lists");
        Err(refused.as_ref().map_or_else(nothing, |(_, refusal)| refusal.clone()))
    }

    /// Gives the lists of the first parts from a place on their places, and returns the number of these
    /// parts; or what the first one is to be done in, if it finds no room.
    fn put(
        &mut self,
        first: usize,
        lengths: &[[Lengths; 2]],
        room: u32,
    ) -> Result<Result<usize, Vec<Part>>, DeviceError> {
        let (records, lengths) = (&mut self.records[first..], &lengths[first..]);
        // Where lists are split, as much as they take is kept for what becomes of them; for those of
        // a part alone half of the room, or what they leave where they cannot be made shorter.
        let copies = self.shape.with_copies();
        let (shared, alone) = match copies {
            1 => (room, room),
            _ => ((u64::from(room) / copies) as u32, room / 2),
        };
        let fitting = put_lists(records, lengths, shared);
        if fitting > 0 {
            return Ok(Ok(fitting));
        }
        if put_lists(&mut records[..1], &lengths[..1], alone) > 0 {
            return Ok(Ok(1));
        }
        match self.parts[first].clone().split(&lengths[0], alone) {
            Ok(parts) => Ok(Err(parts)),
            Err(_) if put_lists(&mut records[..1], &lengths[..1], room) > 0 => Ok(Ok(1)),
            Err(_) => self.parts[first].clone().split(&lengths[0], room).map(Err),
        }
    }

    /// Counts the pairs of some parts, whose lists are made; `false` if it was stopped.
    async fn pairs(
        &mut self,
        parts: Range<usize>,
        lengths: &[[Lengths; 2]],
        room: u32,
    ) -> Result<bool, DeviceError> {
        let sum = |part: usize| (Halves::SUMS * part) as u32;
        let of = |part: usize| pairings(&self.records[part], &lengths[part], sum(part));
        let all: Vec<[Pairing; 3]> = parts.clone().map(of).collect();
        if self.shape.leaves == 0 {
            return self.compare(&mut all.into_iter().flatten()).await;
        }
        // What has more than the key of the columns is split. Of the rest there are few pairs.
        let lists: Vec<_> = all.iter().map(|[(lists, _), ..]| lists.clone()).collect();
        let mut unsplit: Vec<Pairing> = Vec::new();
        let end = lists.iter().map(|[_, bottom]| bottom.end).max().unwrap_or_default();
        let first = parts.start;
        let Some(leaves) = self.leaves(parts, &lists).await? else { return Ok(false) };
        for batch in leaves.batches(room.saturating_sub(end)) {
            if batch.leaves.is_empty() {
                unsplit.extend(all[batch.parts].iter().map(|[above, ..]| above.clone()));
                continue;
            }
            let places = leaves.places(&batch, end);
            let lists = &lists[batch.parts.clone()];
            let halves = 2 * (first + batch.parts.start);
            if !self.split(halves, lists, &places, Join::Place, batch.leaves.clone()).await? {
                return Ok(false);
            }
            let mut pairings = leaves.pairings(&batch, &places, |part| sum(first + part));
            if !self.compare(&mut pairings).await? {
                return Ok(false);
            }
        }
        unsplit.extend(all.into_iter().flat_map(|[_, same @ ..]| same));
        self.compare(&mut unsplit.into_iter()).await
    }

    /// How many placements of some parts come to each leaf; `None` if it was stopped.
    async fn leaves(
        &mut self,
        parts: Range<usize>,
        lists: &[[Range<u32>; 2]],
    ) -> Result<Option<Leaves>, DeviceError> {
        let (leaves, halves) = (self.shape.leaves, 2 * self.parts.len());
        let own = 2 * parts.start..2 * parts.end;
        let places = vec![[Place::default(); 2]; lists.len()];
        if !self.split(own.start, lists, &places, Join::Count, 0..leaves).await? {
            return Ok(None);
        }
        let device = &mut self.queue.device;
        // Some neighbours in the same workgroups have been done, or have nothing yet.
        let lanes = device.limits().lanes as usize;
        let workgroups = own.start / lanes..own.end.div_ceil(lanes);
        let launch = self.shape.launch_on(workgroups, halves, Join::Count, 0..leaves);
        device.run(Kernel::AddUp, launch).await?;
        let [from, to] = [own.start, own.end].map(|half| self.shape.leaves_of(half, halves));
        Ok(Some(Leaves::new(device.bins(from..to).await?, leaves)))
    }

    /// Splits the lists of some parts, the first of which has the half of this number: counts or puts
    /// what comes to some of the leaves. `false` if it was stopped.
    async fn split(
        &mut self,
        first: usize,
        lists: &[[Range<u32>; 2]],
        places: &[[Place; 2]],
        join: Join,
        leaves: Range<u32>,
    ) -> Result<bool, DeviceError> {
        let Limits { lanes, others, .. } = self.queue.device.limits();
        let most = (lanes * PLACEMENTS).min(others);
        let halves = (first as u32..).zip(lists.as_flattened()).zip(places.as_flattened());
        let mut tiles = halves.flat_map(|((half, list), &Place { shift, end })| {
            let tile = move |own| Tile { own, others: (shift, end), sum: half };
            pieces(list.clone(), most).map(tile)
        });
        self.each(Kernel::Split, join, leaves, &mut tiles).await
    }

    /// Compares the placements of pairings; `false` if it was stopped.
    async fn compare(
        &mut self,
        pairings: &mut dyn Iterator<Item = Pairing>,
    ) -> Result<bool, DeviceError> {
        let Limits { lanes, others, .. } = self.queue.device.limits();
        let mut all = pairings.flat_map(|pairing| tiles(pairing, lanes * PLACEMENTS, others));
        self.each(Kernel::Pairs, Join::Count, 0..0, &mut all).await
    }

    /// Launches a kernel for tiles, as many at once as is good; `false` if it was stopped.
    async fn each(
        &mut self,
        kernel: Kernel,
        join: Join,
        leaves: Range<u32>,
        tiles: &mut dyn Iterator<Item = Tile>,
    ) -> Result<bool, DeviceError> {
        let halves = 2 * self.parts.len();
        loop {
            let Queue { device, paces: [_, splits, pairs], .. } = &mut *self.queue;
            let pace = if kernel == Kernel::Split { splits } else { pairs };
            let many = pace.size().min(device.limits().workgroups);
            let some: Vec<Tile> = tiles.take(many).collect();
            if some.is_empty() {
                return Ok(true);
            }
            if (self.guide.stopped)() {
                return Ok(false);
            }
            let begun = (self.guide.now)();
            device.write_tiles(&some)?;
            let launch = self.shape.launch_on(0..some.len(), halves, join, leaves.clone());
            device.run(kernel, launch).await?;
            pace.learn(some.len(), (self.guide.now)() - begun);
        }
    }
}
