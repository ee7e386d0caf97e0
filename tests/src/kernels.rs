//! The CUDA kernels, compiled with the C++ compiler, as a device on the CPU.
//!
//! `shim.h` replaces the features that CUDA C++ adds to C++, and `shim.cpp` launches kernels by
//! name. The code that runs is `shaders/queens.cu` and `shaders/colours.cu` themselves: one GPU thread after
//! another, or all threads of a warp or of a block in turns, with votes and barriers that wait for all of
//! them.

use std::cell::RefCell;
use std::env;
use std::ffi::{CString, c_char, c_int, c_uint, c_void};
use std::ops::{Range, RangeInclusive};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::ptr;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use libloading::Library;
use queens_core::GpuSearch;
use queens_gpu::cuda::{self, JOIN_BLOCK, NODE_WORDS, SEARCH_WORDS, join_shared};
use queens_gpu::{Device, DeviceError, Launches, Pace, Triples};
use tempfile::TempDir;

type Launch = unsafe extern "C" fn(
    name: *const c_char,
    arguments: *mut *mut c_void,
    grid: c_uint,
    block: c_uint,
    shared_bytes: c_uint,
    at_once: c_int,
) -> c_int;

/// The kernels as a shared library.
#[derive(Debug)]
pub struct Kernels {
    library: Library,
    _folder: TempDir,
}

/// The launch parameters of the kernels.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// The number of blocks for the search.
    pub grid: u32,
    /// The number of threads per block.
    pub block: u32,
    /// Whether the threads of each warp run in turns up to each vote, instead of one after another.
    pub at_once: bool,
    /// The capacity of each level's buffer, in nodes.
    pub capacity: u32,
    /// The number of queens that the kernel `search` places.
    pub leaf_queens: u32,
}

/// Returns the C++ compiler to use: the first of `$CXX`, `c++`, `g++` and `clang++` that runs.
pub fn compiler() -> Option<String> {
    let named = env::var("CXX").ok();
    let usual = ["c++", "g++", "clang++"].map(str::to_owned);
    named.into_iter().chain(usual).find(|name| {
        Command::new(name).arg("--version").output().is_ok_and(|output| output.status.success())
    })
}

/// A path relative to the folder of this crate.
fn crate_path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

impl Kernels {
    /// Compiles and loads the kernels. An error contains the compiler's messages.
    pub fn build(compiler: &str) -> Result<Kernels> {
        let folder_of_library = TempDir::new().context("creating a folder")?;
        let file = folder_of_library.path().join("libkernels.so");
        let output = Command::new(compiler)
            .args(["-std=c++17", "-O2", "-Wall", "-Wextra", "-Werror"])
            // The pragmas for unrolling are known only to CUDA's compiler.
            .args(["-Wno-unknown-pragmas", "-shared", "-fPIC", "-I"])
            .arg(crate_path("../shaders"))
            .arg(crate_path("src/kernels/shim.cpp"))
            .arg("-o")
            .arg(&file)
            .output()
            .with_context(|| format!("starting {compiler}"))?;
        ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        #[expect(unsafe_code, reason = "loading a library runs its code")]
        // SAFETY: the library has no code that runs when it is loaded or unloaded, except the
        // C++ runtime's own.
        let library = unsafe { Library::new(&file) }.context("loading the kernels")?;
        Ok(Kernels { library, _folder: folder_of_library })
    }

    /// Runs the kernel `name` over a grid.
    fn launch(
        &self,
        name: &str,
        arguments: &[u64],
        (grid, block, shared_bytes): (u32, u32, u32),
        at_once: bool,
    ) -> Result<(), DeviceError> {
        let launched = || {
            let kernel = CString::new(name)?;
            let address = |argument| ptr::from_ref::<u64>(argument).cast_mut().cast();
            let mut addresses: Vec<*mut c_void> = arguments.iter().map(address).collect();
            #[expect(unsafe_code, reason = "kernels take their arguments untyped, as in CUDA")]
            // SAFETY: the symbol has this type in shim.cpp. All callers pass the arguments of the
            // kernel's signature in its order, with buffers of sufficient length. The lowest bytes of an
            // argument come first.
            let status = unsafe {
                let launch = self.library.get::<Launch>(b"queens_launch")?;
                let at_once = c_int::from(at_once);
                launch(kernel.as_ptr(), addresses.as_mut_ptr(), grid, block, shared_bytes, at_once)
            };
            match status {
                0 => Ok(()),
                1 => bail!("there is no kernel {name}"),
                2 => bail!("{name} wrote beyond its {shared_bytes} bytes of shared memory"),
                other => bail!("{name} returned the unknown status {other}"),
            }
        };
        launched().map_err(|error| DeviceError::new(format!("{error:#}")))
    }
}

/// Runs `count` with launches of at most `size` nodes or triples, which nothing stops.
pub fn with_launches<T>(size: usize, count: impl FnOnce(Launches<'_>) -> T) -> T {
    let mut pace = Pace::new(size, size..=size, Duration::MAX);
    count(Launches { pace: &mut pace, now: &|| Duration::ZERO, is_stopped: &|| false })
}

/// The kernels as a device on the CPU.
#[derive(Debug)]
pub struct OnCpu {
    kernels: Arc<Kernels>,
    shape: Shape,
}

/// Words of the device, two in each number, because kernels add numbers of 64 bits to some.
type Words = RefCell<Vec<u64>>;

impl OnCpu {
    /// Creates a device with these launch parameters.
    pub fn new(kernels: &Arc<Kernels>, shape: Shape) -> OnCpu {
        OnCpu { kernels: Arc::clone(kernels), shape }
    }

    /// Launches a kernel with one thread for each of `nodes` nodes, in small blocks.
    fn launch_per_node(
        &self,
        name: &str,
        nodes: u32,
        arguments: &[u64],
    ) -> Result<(), DeviceError> {
        let block = 32;
        let shape = (nodes.div_ceil(block), block, 0);
        self.kernels.launch(name, arguments, shape, self.shape.at_once)
    }
}

/// Returns the address of words, as an argument of a kernel.
fn address(words: &Words) -> u64 {
    words.borrow_mut().as_mut_ptr().expose_provenance() as u64
}

impl Device for OnCpu {
    type Buffer = Words;

    const NODE_WORDS: usize = NODE_WORDS;

    fn launch_sizes(&self, _: GpuSearch) -> RangeInclusive<usize> {
        1..=u32::MAX as usize
    }

    fn levels(&self, n: u32, rows: u32) -> usize {
        cuda::levels(n.saturating_sub(rows), self.shape.leaf_queens)
    }

    fn capacity(&self, _: usize) -> Result<u32, DeviceError> {
        Ok(self.shape.capacity)
    }

    async fn allocate(&self, words: usize) -> Result<Words, DeviceError> {
        // As on a real device, the content is arbitrary.
        Ok(Words::new(vec![u64::from_ne_bytes([0xa5; 8]); words.div_ceil(2)]))
    }

    fn write(&mut self, buffer: &Words, words: &[u32]) -> Result<(), DeviceError> {
        let pairs = words.chunks(2).map(|pair| match *pair {
            [low, high] => u64::from(high) << 32 | u64::from(low),
            _ => pair.iter().copied().map(u64::from).sum(),
        });
        buffer.borrow_mut().iter_mut().zip(pairs).for_each(|(to, from)| *to = from);
        Ok(())
    }

    async fn read(&mut self, buffer: &Words, words: usize) -> Result<Vec<u32>, DeviceError> {
        let pairs = buffer.borrow();
        Ok(pairs.iter().flat_map(|&pair| [pair as u32, (pair >> 32) as u32]).take(words).collect())
    }

    async fn seed(&mut self, roots: &Words, count: u32, nodes: &Words) -> Result<(), DeviceError> {
        self.launch_per_node("seed", count, &[address(roots), count.into(), address(nodes)])
    }

    async fn expand(
        &mut self,
        roots: &Words,
        from: &Words,
        nodes: Range<u32>,
        to: &Words,
        existing: u32,
    ) -> Result<u32, DeviceError> {
        let counter = Words::new(vec![existing.into()]);
        let (begin, end) = (nodes.start.into(), nodes.end.into());
        let arguments = [address(roots), address(from), begin, end, address(to), address(&counter)];
        self.launch_per_node("expand", nodes.end - nodes.start, &arguments)?;
        Ok(counter.borrow().first().map_or(0, |&made| made as u32))
    }

    async fn search(
        &mut self,
        roots: &Words,
        from: &Words,
        nodes: Range<u32>,
        open: u32,
        tallies: &Words,
    ) -> Result<(), DeviceError> {
        let Shape { grid, block, at_once, .. } = self.shape;
        let next = Words::new(vec![0]);
        let arguments = [
            address(roots),
            address(from),
            nodes.start.into(),
            nodes.end.into(),
            open.into(),
            address(&next),
            address(tallies),
        ];
        let shape = (grid, block, SEARCH_WORDS * open * block * 4);
        self.kernels.launch("search", &arguments, shape, at_once)
    }

    async fn join(
        &mut self,
        triples: &Triples,
        [pairs, tables, sums]: [&Words; 3],
        range: Range<u32>,
    ) -> Result<(), DeviceError> {
        let numbers = [triples.sets, triples.even, triples.odd, triples.cells, range.start];
        let [sets, even, odd, cells, first] = numbers.map(u64::from);
        let arguments =
            [address(pairs), address(tables), sets, even, odd, cells, first, address(sums)];
        let threads = self.shape.block.min(JOIN_BLOCK);
        let shape = (range.end - range.start, threads, join_shared(triples));
        self.kernels.launch("colours", &arguments, shape, true)
    }
}
