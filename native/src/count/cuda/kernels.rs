//! Kernels of `shaders/queens.cu` and `shaders/colours.cu`, and the requirements that their PTX states.

use std::{ffi::CStr, sync::Arc};

use queens_gpu::cuda::{COLOURS_PTX, MAX_JOIN_SHARED, PTX};

use super::{
    context::{Context, CudaFunction, Module},
    driver::DriverError,
};

/// The kernels, loaded into a context.
#[derive(Clone, Debug)]
pub(super) struct Kernels {
    pub(super) seed: CudaFunction,
    pub(super) expand: CudaFunction,
    pub(super) search: CudaFunction,
    pub(super) colours: CudaFunction,
}

impl Kernels {
    /// Loads the kernels. The context must be current on this thread. `shared` is the GPU's maximum
    /// shared memory per block, in bytes.
    pub(super) fn load(context: &Arc<Context>, shared: u32) -> Result<Kernels, DriverError> {
        let module = Arc::new(Module::load(context, PTX)?);
        let kernel = |name: &CStr| module.kernel(name);
        let kernels = Kernels {
            seed: kernel(c"seed")?,
            expand: kernel(c"expand")?,
            search: kernel(c"search")?,
            colours: Arc::new(Module::load(context, COLOURS_PTX)?).kernel(c"colours")?,
        };
        kernels.search.allow_shared(shared)?;
        kernels.colours.allow_shared(shared.min(MAX_JOIN_SHARED))?;
        Ok(kernels)
    }
}

/// A version as (major, minor).
pub(super) type Version = (u32, u32);

/// Parses the minimum compute capability of PTX from a line such as `.target sm_52`.
pub(super) fn least_capability(ptx: &str) -> Option<Version> {
    let number: u32 = directive(ptx, ".target")?.strip_prefix("sm_")?.parse().ok()?;
    Some((number / 10, number % 10))
}

/// Computes the minimum CUDA version of the driver for PTX, from a line such as `.version 7.8`. PTX 7.0
/// to 7.8 belong to CUDA 11 and PTX 8.0 to 8.5 to CUDA 12, with equal minor versions. The result is too
/// low for PTX 8.6 to 8.8, which need CUDA 12.7 to 12.9.
pub(super) fn least_cuda(ptx: &str) -> Option<Version> {
    let (first, second) = directive(ptx, ".version")?.split_once('.')?;
    Some((first.parse::<u32>().ok()? + 4, second.parse().ok()?))
}

/// Returns the first word after a directive at the beginning of a line.
fn directive<'a>(ptx: &'a str, name: &str) -> Option<&'a str> {
    let rest = ptx.lines().find_map(|line| line.strip_prefix(name))?;
    rest.split_whitespace().next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_required_capability_and_cuda_version_from_ptx() {
        let ptx = "//\n// .version 1.0\n\n.version 8.4\n.target sm_90 // H100\n.address_size 64\n";
        assert_eq!((least_capability(ptx), least_cuda(ptx)), (Some((9, 0)), Some((12, 4))));
        assert_eq!((least_capability(""), least_cuda(".version x")), (None, None));
        assert!(least_capability(PTX).is_some() && least_cuda(PTX).is_some());
    }
}
