//! The kernels of `shaders/*.cu`, and what their PTX says of itself.

use std::{ffi::CStr, sync::Arc};

use queens_gpu::cuda::{HALVES_PTX, PTX};

use super::{
    context::{Context, Kernel, Module},
    driver::DriverError,
};

/// The kernels of `queens.cu` as loaded into a context.
#[derive(Clone, Debug)]
pub(super) struct Kernels {
    pub(super) seed: Kernel,
    pub(super) expand: Kernel,
    pub(super) search: Kernel,
}

impl Kernels {
    /// Loads the kernels; this thread must have entered the context. `shared` is the largest
    /// number of bytes of shared memory that the card gives to a block.
    pub(super) fn load(context: &Arc<Context>, shared: u32) -> Result<Kernels, DriverError> {
        let module = Arc::new(Module::load(context, PTX)?);
        let kernel = |name: &CStr| module.kernel(name);
        let kernels = Kernels {
            seed: kernel(c"seed")?,
            expand: kernel(c"expand")?,
            search: kernel(c"search")?,
        };
        kernels.search.allow_shared(shared)?;
        Ok(kernels)
    }
}

/// The kernels of `halves.cu` as loaded into a context.
#[derive(Clone, Debug)]
pub(super) struct PairKernels {
    module: Arc<Module>,
    pub(super) join: Kernel,
    pub(super) add_up: Kernel,
    pub(super) split: Kernel,
}

impl PairKernels {
    /// Loads the kernels; this thread must have entered the context.
    pub(super) fn load(context: &Arc<Context>) -> Result<PairKernels, DriverError> {
        let module = Arc::new(Module::load(context, HALVES_PTX)?);
        let kernel = |name: &CStr| module.kernel(name);
        let (join, add_up, split) = (kernel(c"join")?, kernel(c"add_up")?, kernel(c"split")?);
        Ok(PairKernels { module, join, add_up, split })
    }

    /// One of those that count pairs, which takes so many bytes of shared memory.
    pub(super) fn pairs(&self, name: &CStr, shared: u32) -> Result<Kernel, DriverError> {
        let pairs = self.module.kernel(name)?;
        pairs.allow_shared(shared)?;
        Ok(pairs)
    }
}

/// A version, first part and second part, as it stands in the head of PTX.
pub(super) type Version = (u32, u32);

/// The least compute capability that PTX is for, from its line `.target sm_52`.
pub(super) fn least_capability(ptx: &str) -> Option<Version> {
    let number: u32 = directive(ptx, ".target")?.strip_prefix("sm_")?.parse().ok()?;
    Some((number / 10, number % 10))
}

/// The least version of CUDA whose drivers know PTX, from its line `.version 7.8`. PTX 7 came with
/// CUDA 11 and PTX 8 with CUDA 12, and their second parts agree.
pub(super) fn least_cuda(ptx: &str) -> Option<Version> {
    let (first, second) = directive(ptx, ".version")?.split_once('.')?;
    Some((first.parse::<u32>().ok()? + 4, second.parse().ok()?))
}

fn directive<'a>(ptx: &'a str, name: &str) -> Option<&'a str> {
    let rest = ptx.lines().find_map(|line| line.strip_prefix(name))?;
    rest.split_whitespace().next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_head_of_ptx_says_what_it_needs() {
        let ptx = "//\n// .version 1.0\n\n.version 8.4\n.target sm_90 // H100\n.address_size 64\n";
        assert_eq!((least_capability(ptx), least_cuda(ptx)), (Some((9, 0)), Some((12, 4))));
        assert_eq!((least_capability(""), least_cuda(".version x")), (None, None));
        assert!(least_capability(PTX).is_some() && least_cuda(PTX).is_some());
        // So a card that can be used can be used for both.
        assert_eq!(least_capability(HALVES_PTX), least_capability(PTX));
        assert_eq!(least_cuda(HALVES_PTX), least_cuda(PTX));
    }
}
