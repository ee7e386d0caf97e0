//! The CUDA kernels, compiled with the C++ compiler, as a device on the CPU.
//!
//! `shim.h` replaces the features that CUDA C++ adds to C++, and `shim.cpp` launches kernels by
//! name. The code that runs is `shaders/queens.cu` and `shaders/colours.cu` themselves: one GPU thread after
//! another, or all threads of a warp or of a block in turns, with votes and barriers that wait for all of
//! them.

use std::env;
use std::ffi::{CString, c_char, c_int, c_uint, c_void};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use anyhow::{Context, Result, bail, ensure};
use libloading::Library;
use queens::count::gpu::{Device, JoinDevice};
use queens_core::Tally;
use queens_gpu::cuda::{self, CLASSES, NODE_WORDS, SEARCH_WORDS, join_shared};
use queens_gpu::{DeviceError, Root, SUMS, Triples, children};
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
        arguments: &mut [*mut c_void],
        (grid, block, shared_bytes): (u32, u32, u32),
        at_once: bool,
    ) -> Result<()> {
        let kernel = CString::new(name)?;
        #[expect(unsafe_code, reason = "kernels take their arguments untyped, as in CUDA")]
        // SAFETY: the symbol has this type in shim.cpp. All callers pass the arguments of the
        // kernel's signature in its order, pointing to buffers of sufficient length.
        let status = unsafe {
            let launch = self.library.get::<Launch>(b"queens_launch")?;
            let at_once = c_int::from(at_once);
            launch(kernel.as_ptr(), arguments.as_mut_ptr(), grid, block, shared_bytes, at_once)
        };
        match status {
            0 => Ok(()),
            1 => bail!("there is no kernel {name}"),
            2 => bail!("{name} wrote beyond its {shared_bytes} bytes of shared memory"),
            other => bail!("{name} returned the unknown status {other}"),
        }
    }
}

/// The kernels as a device on the CPU.
pub struct OnCpu {
    kernels: Arc<Kernels>,
    shape: Shape,
    /// The words of the roots of the current batch.
    roots: Vec<u32>,
    /// The number of queens in a root.
    start: u32,
    size: u32,
    /// The nodes of each level, as `NODE_WORDS` words per node.
    levels: Vec<Vec<u32>>,
    /// The counts of each slot, by class.
    tallies: Vec<u64>,
}

impl OnCpu {
    /// Creates a device with these launch parameters.
    pub fn new(kernels: &Arc<Kernels>, shape: Shape) -> OnCpu {
        OnCpu {
            kernels: Arc::clone(kernels),
            shape,
            roots: vec![],
            start: 0,
            size: 0,
            levels: vec![],
            tallies: vec![],
        }
    }

    /// Returns node `index` of a level: the column of the queen in each row, or 255 for an open row, and
    /// whether cell B is settled. Returns `None` if the level has no such node.
    pub fn node(&self, level: usize, index: u32) -> Option<(Vec<u8>, bool)> {
        let node = self.levels.get(level)?.chunks(NODE_WORDS).nth(index as usize)?;
        let (words, queens) = node.split_at(8);
        let queens = queens.iter().flat_map(|word| word.to_le_bytes());
        Some((queens.take(self.size as usize).collect(), words[7] & 8 != 0))
    }

    /// Launches a kernel with one thread for each of `nodes` nodes, in small blocks.
    fn launch_per_node(&self, name: &str, nodes: u32, arguments: &mut [*mut c_void]) -> Result<()> {
        let block = 32;
        let shape = (nodes.div_ceil(block), block, 0);
        self.kernels.launch(name, arguments, shape, self.shape.at_once)
    }
}

/// Returns the address of an argument as kernels take it.
fn pointer_to<T>(argument: &mut T) -> *mut c_void {
    (argument as *mut T).cast()
}

fn device_error(error: &anyhow::Error) -> DeviceError {
    DeviceError::new(format!("{error:#}"))
}

impl Device for OnCpu {
    fn capacity(&self) -> u32 {
        self.shape.capacity
    }

    fn memory(&self) -> usize {
        0
    }

    fn levels(&self, n: u32, rows: u32) -> usize {
        cuda::levels(n.saturating_sub(rows), self.shape.leaf_queens)
    }

    fn begin(&mut self, roots: &[Root], slots: usize) -> Result<(), DeviceError> {
        self.roots = roots.iter().flat_map(Root::words).copied().collect();
        self.start = roots.first().map_or(0, Root::rows);
        self.size = roots.first().map_or(0, Root::size);
        self.tallies = vec![0; slots * CLASSES];
        self.levels = vec![vec![0; roots.len() * NODE_WORDS]];
        let mut count = roots.len() as u32;
        let (mut at, mut nodes) = (self.roots.as_ptr(), self.levels[0].as_mut_ptr());
        let arguments = &mut [pointer_to(&mut at), pointer_to(&mut count), pointer_to(&mut nodes)];
        self.launch_per_node("seed", roots.len() as u32, arguments)
            .map_err(|error| device_error(&error))
    }

    fn expand(
        &mut self,
        level: usize,
        nodes: Range<u32>,
        existing: u32,
    ) -> Result<u32, DeviceError> {
        let most = existing + nodes.len() as u32 * children(self.size - self.start - level as u32);
        self.levels.resize(self.levels.len().max(level + 2), vec![]);
        let mut next = std::mem::take(&mut self.levels[level + 1]);
        next.resize(most as usize * NODE_WORDS, 0);
        let (mut begin, mut end, mut counter) = (nodes.start, nodes.end, existing);
        let (mut roots, mut from) = (self.roots.as_ptr(), self.levels[level].as_ptr());
        let (mut to, mut counter_at) = (next.as_mut_ptr(), &raw mut counter);
        let arguments = &mut [
            pointer_to(&mut roots),
            pointer_to(&mut from),
            pointer_to(&mut begin),
            pointer_to(&mut end),
            pointer_to(&mut to),
            pointer_to(&mut counter_at),
        ];
        self.launch_per_node("expand", nodes.len() as u32, arguments)
            .map_err(|error| device_error(&error))?;
        if counter > most {
            return Err(DeviceError::new(format!(
                "{counter} nodes, but at most {most} are possible"
            )));
        }
        next.truncate(counter as usize * NODE_WORDS);
        self.levels[level + 1] = next;
        Ok(counter)
    }

    fn search(&mut self, level: usize, nodes: Range<u32>) -> Result<(), DeviceError> {
        let Shape { grid, block, at_once, .. } = self.shape;
        let (mut begin, mut end, mut next) = (nodes.start, nodes.end, 0_u32);
        let mut left = self.size - self.start - level as u32;
        let shared_bytes = SEARCH_WORDS * left * block * 4;
        let (mut roots, mut from) = (self.roots.as_ptr(), self.levels[level].as_ptr());
        let (mut next_at, mut tallies) = (&raw mut next, self.tallies.as_mut_ptr());
        let arguments = &mut [
            pointer_to(&mut roots),
            pointer_to(&mut from),
            pointer_to(&mut begin),
            pointer_to(&mut end),
            pointer_to(&mut left),
            pointer_to(&mut next_at),
            pointer_to(&mut tallies),
        ];
        self.kernels
            .launch("search", arguments, (grid, block, shared_bytes), at_once)
            .map_err(|error| device_error(&error))
    }

    fn tallies(&mut self) -> Result<Vec<Tally>, DeviceError> {
        let (tallies, _) = self.tallies.as_chunks();
        Ok(tallies.iter().map(|&classes| Tally { classes, ..Tally::default() }).collect())
    }
}

/// The kernel of the colour join as a device on the CPU.
pub struct JoinOnCpu {
    kernels: Arc<Kernels>,
    threads: u32,
    triples: Option<Triples>,
    sums: Vec<u64>,
}

impl JoinOnCpu {
    /// Creates a device with this number of threads per block.
    pub fn new(kernels: &Arc<Kernels>, threads: u32) -> JoinOnCpu {
        JoinOnCpu { kernels: Arc::clone(kernels), threads, triples: None, sums: vec![] }
    }
}

impl JoinDevice for JoinOnCpu {
    fn memory(&self) -> usize {
        0
    }

    fn largest_launch(&self) -> usize {
        usize::MAX
    }

    fn begin(&mut self, triples: &Triples) -> Result<(), DeviceError> {
        self.triples = Some(triples.clone());
        self.sums = vec![0; triples.tasks() * SUMS];
        Ok(())
    }

    fn count(&mut self, range: Range<u32>) -> Result<(), DeviceError> {
        let Some(triples) = &self.triples else {
            return Err(DeviceError::new("no batch has begun"));
        };
        let Triples { mut sets, mut even, mut odd, mut cells, .. } = *triples;
        let (mut pairs, mut tables) = (triples.pairs.as_ptr(), triples.tables.as_ptr());
        let (mut first, mut sums) = (range.start, self.sums.as_mut_ptr());
        let arguments = &mut [
            pointer_to(&mut pairs),
            pointer_to(&mut tables),
            pointer_to(&mut sets),
            pointer_to(&mut even),
            pointer_to(&mut odd),
            pointer_to(&mut cells),
            pointer_to(&mut first),
            pointer_to(&mut sums),
        ];
        let shape = (range.end - range.start, self.threads, join_shared(triples));
        self.kernels.launch("colours", arguments, shape, true).map_err(|error| device_error(&error))
    }

    fn sums(&mut self) -> Result<Vec<[u64; SUMS]>, DeviceError> {
        Ok(self.sums.as_chunks().0.to_vec())
    }
}
