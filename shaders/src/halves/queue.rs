//! Command queue for half-board matching on any device.

use std::{collections::VecDeque, iter, ops::Range, pin::Pin, time::Duration};

use queens_core::Tally;

use super::{
    launch::{Launch, Pass, Shape},
    leaves::{BinLocation, Leaves},
    lists::{
        Choice, HalfRecord, Halves, Lengths, ListSlice, Pairing, Tile, WaitContext, pairings,
        pieces, place_lists, tiles,
    },
};
use crate::{DeviceError, Pace};

/// The default for [`Limits::parts`].
pub const ROUND: usize = 256;

/// Size of the first launch, in workgroups.
const FIRST_LAUNCH: usize = 1 << 10;

/// A request for this many list elements or fewer is not halved after it fails.
const SMALL_REQUEST: u64 = 1 << 10;

/// Intended duration of a launch, short enough to show progress, to stop soon and to keep a desktop
/// responsive.
const LAUNCH: Duration = Duration::from_millis(50);

/// The maximum number of placements per GPU thread in a tile's [own range](Tile::own): one for each
/// bit of a word.
const PLACEMENTS: u32 = 32;

/// The kernels of half-board matching.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HalvesKernel {
    /// Joins the placements of two strips and counts the results in bins, or writes them to a list.
    Join,
    /// Computes the start of each bin, or of each leaf, from the counts (exclusive prefix sums).
    AddUp,
    /// Counts the placements of lists in each leaf of the split tree, or writes them there.
    Split,
    /// Counts the disjoint pairs of tiles.
    Pairs,
}

/// Limits of a device.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The GPU threads of a workgroup.
    pub lanes: u32,
    /// The maximum number of placements of the shorter list in a [`Tile`].
    pub others: u32,
    /// The maximum number of workgroups in a launch.
    pub workgroups: usize,
    /// The maximum number of list elements in memory.
    pub elements: u64,
    /// The maximum number of parts (see [`ListSlice`]) in a round. In a *round*, the device lists the
    /// placements of some parts and counts their pairs.
    pub parts: usize,
}

/// The future of a call to a device, which its caller awaits on the thread that owns the device.
pub type Pending<'a, T> = Pin<Box<dyn Future<Output = Result<T, DeviceError>> + 'a>>;

/// The operations that half-board matching needs from a device. They take effect in the order of the
/// calls. An operation with a future is complete when the future ends.
pub trait Device {
    /// Prepares for a board of this shape: uploads its tables, builds the kernels, and allocates
    /// memory for as many parts and tiles as its limits allow in a round and in a [`Launch`].
    ///
    /// # Errors
    /// [`DeviceError`], here and below, if there is not enough memory or the device failed.
    fn prepare<'a>(&'a mut self, halves: &'a Halves, shape: Shape) -> Pending<'a, ()>;

    /// Returns the limits of the device for the board that it is prepared for.
    fn limits(&self) -> Limits;

    /// Sets all bins and sums to 0.
    ///
    /// # Errors
    /// See [`prepare`](Device::prepare).
    fn clear(&mut self) -> Result<(), DeviceError>;

    /// Writes the records of halves, two for each part of a round.
    ///
    /// # Errors
    /// See [`prepare`](Device::prepare).
    fn write_halves(&mut self, halves: &[[HalfRecord; 2]]) -> Result<(), DeviceError>;

    /// Writes the records of tiles, at most one for each workgroup of a launch.
    ///
    /// # Errors
    /// See [`prepare`](Device::prepare).
    fn write_tiles(&mut self, tiles: &[Tile]) -> Result<(), DeviceError>;

    /// Launches a kernel and waits until it has finished.
    ///
    /// # Errors
    /// See [`prepare`](Device::prepare).
    fn run(&mut self, kernel: HalvesKernel, launch: Launch) -> Pending<'_, ()>;

    /// Reads words of the bins.
    ///
    /// # Errors
    /// See [`prepare`](Device::prepare).
    fn bins(&mut self, words: Range<usize>) -> Pending<'_, Vec<u32>>;

    /// Reads the first `count` sums.
    ///
    /// # Errors
    /// See [`prepare`](Device::prepare).
    fn sums(&mut self, count: usize) -> Pending<'_, Vec<u64>>;

    /// Returns the number of list elements that fit into the allocated memory.
    fn room(&self) -> u64;

    /// Returns the sizes of the device memory that is allocated for the board, in bytes: of the memory
    /// that all queues of the device share, and of the memory of this queue alone.
    fn memory(&self) -> [usize; 2];

    /// Allocates memory for this many list elements and discards the previous memory. The inner
    /// error means that the device has too little free memory; it may then have less room than
    /// before.
    ///
    /// # Errors
    /// See [`prepare`](Device::prepare).
    fn make_room(&mut self, elements: u64) -> Pending<'_, Result<(), DeviceError>>;
}

/// One caller's commands to a device for half-board matching.
#[expect(missing_debug_implementations, reason = "a device has no debug output")]
pub struct HalvesQueue {
    device: Box<dyn Device>,
    /// The board that the device is prepared for.
    shape: Option<Shape>,
    /// Launch sizes for joining strips, splitting lists and comparing tiles.
    paces: [Pace; 3],
    /// The maximum number of list elements that the caller allows.
    limit: u64,
    /// The smallest allocation that failed since the device was prepared for the board, in list
    /// elements, and its error.
    failed_allocation: Option<(u64, DeviceError)>,
}

impl HalvesQueue {
    /// Creates a queue for this device. The device is prepared when the first tasks of a board
    /// arrive.
    pub fn new(device: Box<dyn Device>) -> HalvesQueue {
        let pace = Pace::new(FIRST_LAUNCH, 1..=u32::MAX as usize, LAUNCH);
        let paces = [pace.clone(), pace.clone(), pace];
        HalvesQueue { device, shape: None, paces, limit: u64::MAX, failed_allocation: None }
    }

    /// Returns the sizes in bytes of the device memory that all queues of the device share, and of the
    /// memory of this queue alone.
    pub fn memory(&self) -> [usize; 2] {
        self.device.memory()
    }

    /// Limits the number of list elements in memory.
    pub fn limit(&mut self, elements: u32) {
        self.limit = elements.into();
    }

    /// Counts tasks and returns their tallies in the same order, or `None` if `wait` cancelled the
    /// count.
    ///
    /// # Errors
    /// [`DeviceError`] if a task does not exist, its lists do not fit, or the device failed.
    pub async fn count(
        &mut self,
        halves: &Halves,
        tasks: &[usize],
        wait: WaitContext<'_>,
    ) -> Result<Option<Vec<Tally>>, DeviceError> {
        let mut tallies = halves.empty_tallies(tasks);
        let choices = halves.choices(tasks)?;
        let Some(all_sums) = self.sums(halves, &choices, wait).await? else { return Ok(None) };
        for (choice, sums) in choices.iter().zip(all_sums) {
            halves.add(choice, sums, &mut tallies)?;
        }
        Ok(Some(tallies))
    }

    /// Returns the [sums](Halves::SUMS) of choices in the same order, or `None` if `wait` cancelled
    /// the count.
    ///
    /// # Errors
    /// [`DeviceError`] if the lists do not fit, or the device failed.
    pub async fn sums(
        &mut self,
        halves: &Halves,
        choices: &[Choice],
        wait: WaitContext<'_>,
    ) -> Result<Option<Vec<[u64; Halves::SUMS]>>, DeviceError> {
        let shape = Shape::new(&halves.tables, &halves.splits);
        if self.shape != Some(shape) {
            (self.shape, self.failed_allocation) = (None, None);
            self.device.prepare(halves, shape).await?;
            self.shape = Some(shape);
        }
        let mut all_sums = vec![[0u64; Halves::SUMS]; choices.len()];
        let whole = |choice| ListSlice::whole(choice, shape.divisions());
        let mut open: VecDeque<ListSlice> = (0..choices.len()).map(whole).collect();
        while !open.is_empty() {
            let parts: Vec<ListSlice> =
                open.drain(..open.len().min(self.device.limits().parts)).collect();
            let records: Vec<_> =
                parts.iter().map(|part| halves.halves(&choices[part.choice])).collect();
            let round = Round { queue: self, shape, parts, records, wait };
            let Some(counted) = round.count().await? else { return Ok(None) };
            for (choice, sums) in counted.sums {
                for (all, sum) in all_sums[choice].iter_mut().zip(sums) {
                    let overflow =
                        || DeviceError::new("the pairs of a column set do not fit in 64 bits");
                    *all = all.checked_add(sum).ok_or_else(overflow)?;
                }
            }
            // The remaining parts of a choice come before the parts of other choices.
            counted.remaining.into_iter().rev().for_each(|part| open.push_front(part));
        }
        Ok(Some(all_sums))
    }
}

/// Parts of choices that are listed and counted together.
struct Round<'a, 'b> {
    queue: &'a mut HalvesQueue,
    shape: Shape,
    parts: Vec<ListSlice>,
    /// The halves of each part.
    records: Vec<[HalfRecord; 2]>,
    wait: WaitContext<'b>,
}

/// The result of a round.
struct RoundResult {
    /// The sums of parts, with the indices of their choices.
    sums: Vec<(usize, [u64; Halves::SUMS])>,
    /// The smaller parts into which parts that did not fit into memory were divided, for later rounds.
    remaining: Vec<ListSlice>,
}

impl Round<'_, '_> {
    /// Counts the pairs of all parts: counts the placements of each half, then assigns positions to
    /// as many lists as fit into memory, writes and compares them, until all parts are done.
    /// Returns `None` if the count was cancelled.
    async fn count(mut self) -> Result<Option<RoundResult>, DeviceError> {
        let count = self.parts.len();
        self.queue.device.clear()?;
        self.queue.device.write_halves(&self.records)?;
        if !self.join(0..count, Pass::Count).await? {
            return Ok(None);
        }
        let lengths = self.lengths().await?;
        let (mut first, mut counted, mut remaining) = (0, Vec::new(), Vec::new());
        while first < count {
            let room = self.room(&lengths[first..]).await?;
            let fitting = match self.assign_positions(first, &lengths, room)? {
                Ok(fitting) => fitting,
                Err(parts) => {
                    remaining.extend(parts);
                    first += 1;
                    continue;
                }
            };
            self.queue.device.write_halves(&self.records)?;
            let end = first + fitting;
            if !self.join(first..end, Pass::Place).await?
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
        let sums_of = |part: usize| Some((self.parts[part].choice, *sums.get(part)?));
        Ok(Some(RoundResult { sums: counted.into_iter().filter_map(sums_of).collect(), remaining }))
    }

    /// Returns the numbers of the workgroups that join the strips of some parts, in as few ranges as
    /// possible.
    fn workgroups(&self, parts: Range<usize>) -> Vec<Range<usize>> {
        let (divisions, each) = (self.shape.divisions() as usize, self.shape.workgroups());
        let mut ranges: Vec<Range<usize>> = Vec::new();
        for (part, ListSlice { divisions: of, .. }) in parts.clone().zip(&self.parts[parts]) {
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

    /// Joins the strips of some parts. Returns `false` if the count was cancelled.
    async fn join(&mut self, parts: Range<usize>, pass: Pass) -> Result<bool, DeviceError> {
        let halves = 2 * self.parts.len();
        for Range { start: mut next, end: last } in self.workgroups(parts) {
            while next < last {
                if (self.wait.is_cancelled)() {
                    return Ok(false);
                }
                let start = (self.wait.clock)();
                let HalvesQueue { device, paces: [pace, ..], .. } = &mut *self.queue;
                let end = last.min(next + pace.size().min(device.limits().workgroups));
                device.run(HalvesKernel::Join, self.shape.launch(next..end, halves, pass)).await?;
                pace.learn(end - next, (self.wait.clock)() - start);
                next = end;
            }
        }
        Ok(true)
    }

    /// Returns the lengths of all lists. A join must have counted the placements of all halves.
    async fn lengths(&mut self) -> Result<Vec<[Lengths; 2]>, DeviceError> {
        let (device, halves) = (&mut self.queue.device, 2 * self.parts.len());
        let workgroups = halves.div_ceil(device.limits().lanes as usize);
        device
            .run(HalvesKernel::AddUp, self.shape.launch(0..workgroups, halves, Pass::Count))
            .await?;
        let from = self.shape.lengths_at(halves);
        let words = device.bins(from..from + 2 * halves).await?;
        let lengths = |&[[same, all], [other_same, other_all]]: &[[u32; 2]; 2]| {
            [Lengths { same, all }, Lengths { same: other_same, all: other_all }]
        };
        Ok(words.as_chunks().0.as_chunks().0.iter().map(lengths).collect())
    }

    /// Allocates memory for the lists of these parts and returns the number of elements that fit.
    ///
    /// This may be fewer than all parts need, or even fewer than the first part needs.
    async fn room(&mut self, lengths: &[[Lengths; 2]]) -> Result<u32, DeviceError> {
        let HalvesQueue { device, limit, failed_allocation, .. } = &mut *self.queue;
        let copies = self.shape.with_copies();
        let elements_of = |lengths: &[Lengths; 2]| {
            lengths.iter().map(|each| u64::from(each.all) * copies).sum::<u64>()
        };
        let all_parts: u64 = lengths.iter().map(elements_of).sum();
        let first_part = lengths.first().map_or(0, elements_of);
        let max_elements = device.limits().elements.min(*limit).min(u32::MAX.into());
        let fitting = |room: u64| u32::try_from(room.min(max_elements)).unwrap_or(u32::MAX);
        // After a failed allocation the device already has at least half of the memory that it can
        // get. So more is requested only if the first part does not fit.
        let needed = if failed_allocation.is_some() { first_part } else { all_parts };
        if needed.min(max_elements) <= device.room() {
            return Ok(fitting(device.room()));
        }
        // The first request is for twice what all parts need, so that memory does not have to grow
        // again soon. Each further request is half as large, and one is for exactly what the first
        // part needs. Sizes that failed before are skipped.
        let half_of = |&last: &u64| (last > SMALL_REQUEST).then_some(last / 2);
        let halvings = iter::successors(Some(all_parts.saturating_mul(2)), half_of);
        let sizes = halvings
            .take_while(|&size| size > first_part)
            .chain(iter::successors(Some(first_part), half_of));
        for size in sizes.map(|size| size.min(max_elements)) {
            let has_failed =
                failed_allocation.as_ref().is_some_and(|(smallest, _)| size >= *smallest);
            if size > device.room()
                && !has_failed
                && let Err(error) = device.make_room(size).await?
            {
                *failed_allocation = Some((size, error));
            }
            if size <= device.room() {
                return Ok(fitting(device.room()));
            }
        }
        let no_memory = || DeviceError::new("not enough GPU memory for the lists");
        Err(failed_allocation.as_ref().map_or_else(no_memory, |(_, error)| error.clone()))
    }

    /// Assigns positions to the lists of the parts from `first` on, and returns the number of parts
    /// that fit. If none fits, returns smaller parts to replace the first one.
    fn assign_positions(
        &mut self,
        first: usize,
        lengths: &[[Lengths; 2]],
        room: u32,
    ) -> Result<Result<usize, Vec<ListSlice>>, DeviceError> {
        let (records, lengths) = (&mut self.records[first..], &lengths[first..]);
        // If lists are split, their copies in the leaves need memory, too. Several parts may be
        // processed together only if all of their copies fit as well. The lists of a single part
        // may use half of the room; then the copies are made in batches that fit into the rest. If
        // the part cannot be divided further, its lists may use all of the room; if the rest is too
        // small for a leaf, the part's lists are compared without splitting.
        let copies = self.shape.with_copies();
        let (shared, alone) = match copies {
            1 => (room, room),
            _ => ((u64::from(room) / copies) as u32, room / 2),
        };
        let fitting = place_lists(records, lengths, shared);
        if fitting > 0 {
            return Ok(Ok(fitting));
        }
        if place_lists(&mut records[..1], &lengths[..1], alone) > 0 {
            return Ok(Ok(1));
        }
        match self.parts[first].clone().split(&lengths[0], alone) {
            Ok(parts) => Ok(Err(parts)),
            Err(_) if place_lists(&mut records[..1], &lengths[..1], room) > 0 => Ok(Ok(1)),
            Err(_) => self.parts[first].clone().split(&lengths[0], room).map(Err),
        }
    }

    /// Counts the pairs of some parts, whose placements have been listed. Returns `false` if the
    /// count was cancelled.
    async fn pairs(
        &mut self,
        parts: Range<usize>,
        lengths: &[[Lengths; 2]],
        room: u32,
    ) -> Result<bool, DeviceError> {
        let sum = |part: usize| (Halves::SUMS * part) as u32;
        let pairings_of = |part: usize| pairings(&self.records[part], &lengths[part], sum(part));
        let all: Vec<[Pairing; 3]> = parts.clone().map(pairings_of).collect();
        if self.shape.leaves == 0 {
            return self.compare(all.into_iter().flatten()).await;
        }
        // Only placements whose key is greater than the key of the columns are split. The others
        // have few pairs.
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
            if !self.split(halves, lists, &places, Pass::Place, batch.leaves.clone()).await? {
                return Ok(false);
            }
            let pairings = leaves.pairings(&batch, &places, |part| sum(first + part));
            if !self.compare(pairings).await? {
                return Ok(false);
            }
        }
        unsplit.extend(all.into_iter().flat_map(|[_, same @ ..]| same));
        self.compare(unsplit).await
    }

    /// Counts the placements of some parts in each leaf. Returns `None` if the count was cancelled.
    async fn leaves(
        &mut self,
        parts: Range<usize>,
        lists: &[[Range<u32>; 2]],
    ) -> Result<Option<Leaves>, DeviceError> {
        let (leaves, halves) = (self.shape.leaves, 2 * self.parts.len());
        let halves_of_parts = 2 * parts.start..2 * parts.end;
        let places = vec![[BinLocation::default(); 2]; lists.len()];
        if !self.split(halves_of_parts.start, lists, &places, Pass::Count, 0..leaves).await? {
            return Ok(None);
        }
        let device = &mut self.queue.device;
        // The first and the last workgroup may include halves of other parts. Adding up their bins
        // does no harm: they have been processed already or are still empty.
        let lanes = device.limits().lanes as usize;
        let workgroups = halves_of_parts.start / lanes..halves_of_parts.end.div_ceil(lanes);
        let launch = self.shape.launch_on(workgroups, halves, Pass::Count, 0..leaves);
        device.run(HalvesKernel::AddUp, launch).await?;
        let [from, to] = [halves_of_parts.start, halves_of_parts.end]
            .map(|half| self.shape.leaves_of(half, halves));
        Ok(Some(Leaves::new(device.bins(from..to).await?, leaves)))
    }

    /// Splits the lists of some parts: counts the placements that enter the given leaves, or writes
    /// them. `first` is the number of the first part's upper half. Returns `false` if the count was
    /// cancelled.
    async fn split(
        &mut self,
        first: usize,
        lists: &[[Range<u32>; 2]],
        places: &[[BinLocation; 2]],
        pass: Pass,
        leaves: Range<u32>,
    ) -> Result<bool, DeviceError> {
        let Limits { lanes, others, .. } = self.queue.device.limits();
        let max_length = (lanes * PLACEMENTS).min(others);
        let halves = (first as u32..).zip(lists.as_flattened()).zip(places.as_flattened());
        let tiles = halves.flat_map(|((half, list), &BinLocation { shift, end })| {
            let tile = move |range| Tile { own: range, others: (shift, end), sum: half };
            pieces(list.clone(), max_length).map(tile)
        });
        self.launch_tiles(HalvesKernel::Split, pass, leaves, tiles).await
    }

    /// Compares the placements of pairings. Returns `false` if the count was cancelled.
    async fn compare(
        &mut self,
        pairings: impl IntoIterator<Item = Pairing>,
    ) -> Result<bool, DeviceError> {
        let Limits { lanes, others, .. } = self.queue.device.limits();
        let of_pairing = |pairing| tiles(pairing, lanes * PLACEMENTS, others);
        let all = pairings.into_iter().flat_map(of_pairing);
        self.launch_tiles(HalvesKernel::Pairs, Pass::Count, 0..0, all).await
    }

    /// Launches a kernel for tiles, with the current launch size. Returns `false` if the count was
    /// cancelled.
    async fn launch_tiles(
        &mut self,
        kernel: HalvesKernel,
        pass: Pass,
        leaves: Range<u32>,
        mut tiles: impl Iterator<Item = Tile>,
    ) -> Result<bool, DeviceError> {
        let halves = 2 * self.parts.len();
        let mut batch: Vec<Tile> = Vec::new();
        loop {
            let HalvesQueue { device, paces: [_, splits, pairs], .. } = &mut *self.queue;
            let pace = if kernel == HalvesKernel::Split { splits } else { pairs };
            let count = pace.size().min(device.limits().workgroups);
            batch.clear();
            batch.extend(tiles.by_ref().take(count));
            if batch.is_empty() {
                return Ok(true);
            }
            if (self.wait.is_cancelled)() {
                return Ok(false);
            }
            let start = (self.wait.clock)();
            device.write_tiles(&batch)?;
            let launch = self.shape.launch_on(0..batch.len(), halves, pass, leaves.clone());
            device.run(kernel, launch).await?;
            pace.learn(batch.len(), (self.wait.clock)() - start);
        }
    }
}
