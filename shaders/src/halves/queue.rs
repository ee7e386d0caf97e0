//! Lists made and their pairs counted, launch by launch, on any device.

use std::{collections::VecDeque, iter, ops::Range, time::Duration};

use queens_core::Tally;

use super::{
    launch::{Join, Launch, Shape},
    lists::{Choice, Guide, Half, Halves, Lengths, Part, Tile, put_lists, tiles},
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
    /// Adds up the bins of each half.
    AddUp,
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

/// What counting by halves asks of a device. Each call is done when it returns, or its future ends.
#[expect(async_fn_in_trait, reason = "whoever waits for a device does so where it is")]
pub trait Device {
    /// Gets ready for a board of this shape: its tables, kernels, and room for [`ROUND`] choices of
    /// columns, [`Launch`] by launch of as many tiles as its limits say.
    ///
    /// # Errors
    /// [`DeviceError`], here and below, if there is no memory for it or the device failed.
    async fn prepare(&mut self, halves: &Halves, shape: Shape) -> Result<(), DeviceError>;

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
    async fn run(&mut self, kernel: Kernel, launch: Launch) -> Result<(), DeviceError>;

    /// Words of the bins.
    ///
    /// # Errors
    /// See [`prepare`](Device::prepare).
    async fn bins(&mut self, words: Range<usize>) -> Result<Vec<u32>, DeviceError>;

    /// The first sums.
    ///
    /// # Errors
    /// See [`prepare`](Device::prepare).
    async fn sums(&mut self, count: usize) -> Result<Vec<u64>, DeviceError>;

    /// The number of elements that there is room for.
    fn room(&self) -> u64;

    /// Makes room for so many elements, whatever was there before, or says why there is no memory
    /// for them. Then there may be less room than before.
    ///
    /// # Errors
    /// See [`prepare`](Device::prepare).
    async fn make_room(&mut self, elements: u64) -> Result<Result<(), DeviceError>, DeviceError>;
}

/// One user's commands to a device for counting by halves.
#[derive(Debug)]
pub struct Queue<D> {
    device: D,
    /// What the device is ready for.
    shape: Option<Shape>,
    /// How many workgroups join strips, and compare tiles, in a launch.
    paces: [Pace; 2],
    limit: u64,
}

impl<D: Device> Queue<D> {
    /// A queue of this device, which gets ready when it is told of a board.
    pub fn new(device: D) -> Queue<D> {
        let pace = Pace::new(FIRST_LAUNCH, 1..=LARGEST_LAUNCH, LAUNCH);
        Queue { device, shape: None, paces: [pace.clone(), pace], limit: u64::MAX }
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
        let shape = Shape::new(&halves.tables);
        if self.shape != Some(shape) {
            self.shape = None;
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
                    let exceeded = || DeviceError("the pairs of a choice exceed 64 bits".into());
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
struct Round<'a, 'b, D> {
    queue: &'a mut Queue<D>,
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

impl<D: Device> Round<'_, '_, D> {
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
            let fitting = put_lists(&mut self.records[first..], &lengths[first..], room);
            if fitting == 0 {
                left.extend(self.parts[first].clone().split(&lengths[first], room)?);
                first += 1;
                continue;
            }
            self.queue.device.write_halves(&self.records)?;
            let end = first + fitting;
            if !self.join(first..end, Join::Place).await? {
                return Ok(None);
            }
            let Limits { lanes, others, .. } = self.queue.device.limits();
            let records = self.records.clone();
            let mut all_tiles = (first..end).flat_map(|part| {
                let sum = (Halves::SUMS * part) as u32;
                tiles(&records[part], &lengths[part], sum, lanes * PLACEMENTS, others)
            });
            if !self.compare(&mut all_tiles).await? {
                return Ok(None);
            }
            counted.extend(first..end);
            first = end;
        }
        let lost_at = self.shape.lost_at(2 * count);
        let lost = self.queue.device.bins(lost_at..lost_at + 1).await?;
        if lost.first() != Some(&0) {
            return Err(DeviceError(format!(
                "it placed other placements than it had counted, {} too many",
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
                let Queue { device, paces: [pace, _], .. } = &mut *self.queue;
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
        let Queue { device, limit, .. } = &mut *self.queue;
        let of = |lengths: &[Lengths; 2]| lengths.iter().map(|each| u64::from(each.all)).sum();
        let all: u64 = lengths.iter().map(of).sum();
        let one = lengths.first().map_or(0, of);
        let most = device.limits().elements.min(*limit).min(u32::MAX.into());
        // Twice as much as is wanted, so that it need not grow again and again; or what the first
        // one takes, or ever less of that.
        let less = iter::successors(Some(one), |&last| (last > LEAST_ROOM).then_some(last / 2));
        let mut refusal = None;
        for wanted in [all.saturating_mul(2), all].into_iter().chain(less) {
            let wanted = wanted.min(most);
            // What there is may suffice, whatever more was refused.
            let made =
                if wanted <= device.room() { Ok(()) } else { device.make_room(wanted).await? };
            refusal = made.err();
            if refusal.is_none() {
                break;
            }
        }
        match refusal {
            Some(refusal) => Err(refusal),
            None => Ok(u32::try_from(device.room().min(most)).unwrap_or(u32::MAX)),
        }
    }

    /// Compares the placements of tiles; `false` if it was stopped.
    async fn compare(
        &mut self,
        tiles: &mut dyn Iterator<Item = Tile>,
    ) -> Result<bool, DeviceError> {
        loop {
            let Queue { device, paces: [_, pace], .. } = &mut *self.queue;
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
            let launch = self.shape.launch(0..some.len(), 2 * self.parts.len(), Join::Count);
            device.run(Kernel::Pairs, launch).await?;
            pace.learn(some.len(), (self.guide.now)() - begun);
        }
    }
}
