//! The GPU backends, and the GPUs that they find.

use queens_core::{Method, document::BackendKind};

use super::{
    BackendError, cuda,
    gpu::{FoundGpu, Gpus},
    wgpu,
};

/// A way to reach GPUs.
#[derive(Debug)]
pub struct GpuBackend {
    /// Its name in documents and on the command line.
    pub kind: BackendKind,
    /// What it counts on, for the command's help.
    pub about: &'static str,
    /// Whether it counts on all of its cards at once. One that lists a card once for each of its
    /// drivers takes the first, which is the best.
    pub takes_all: bool,
    /// The methods by which it counts, its usual one first.
    pub methods: &'static [Method],
    /// Lists the cards, each of which searches with at most so many lanes.
    cards: fn(Option<u32>) -> Result<Vec<FoundGpu>, BackendError>,
}

/// All ways to reach GPUs, in the order in which they are listed and tried.
pub const GPUS: &[GpuBackend] = &[
    GpuBackend {
        kind: BackendKind::Cuda,
        about: "All NVIDIA GPUs, through CUDA",
        takes_all: true,
        methods: &[Method::Symmetry, Method::Halves],
        cards: cuda::cards,
    },
    GpuBackend {
        kind: BackendKind::Wgpu,
        about: "One GPU, through Vulkan, Metal or Direct3D 12",
        takes_all: false,
        methods: &[Method::Symmetry, Method::Halves],
        cards: wgpu::cards,
    },
];

/// There is one of each kind.
impl PartialEq for GpuBackend {
    fn eq(&self, other: &GpuBackend) -> bool {
        self.kind == other.kind
    }
}

impl GpuBackend {
    /// The GPUs that it finds, in the order that `--device` counts in. `lanes` limits how many
    /// lanes each of them searches with.
    pub fn find(&self, lanes: Option<u32>) -> Result<Vec<FoundGpu>, BackendError> {
        (self.cards)(lanes)
    }

    /// A backend of the GPU numbered `device`, or else of those that can be used: all or the best
    /// one, as it [takes](GpuBackend::takes_all) them.
    pub fn open(&self, device: Option<usize>, lanes: Option<u32>) -> Result<Gpus, BackendError> {
        let found = self.find(lanes)?;
        let unavailable =
            |reason, hint| BackendError::Unavailable { kind: self.kind, reason, hint };
        let Some(number) = device else { return self.open_usable(found) };
        let last = found.len().saturating_sub(1);
        let Some(FoundGpu { name, card, hint, .. }) = found.into_iter().nth(number) else {
            let there_are = match last {
                0 => "the only device is 0".to_owned(),
                _ => format!("devices are numbered 0 to {last}"),
            };
            let reason = format!("there is no device {number}; {there_are}");
            return Err(unavailable(reason, Some("see `queens devices`".to_owned())));
        };
        let card = card.map_err(|reason| unavailable(format!("{name}: {reason}"), hint))?;
        Ok(Gpus::new(self.kind, vec![card]))
    }

    /// A backend of the GPUs that can be used and that may be faster than the processor; none if
    /// there are none.
    pub fn open_hardware(&self) -> Option<Gpus> {
        let mut found = self.find(None).ok()?;
        // A program that behaves like a GPU is slower than the threads that it runs on.
        found.retain(|found| !found.is_software);
        self.open_usable(found).ok()
    }

    fn open_usable(&self, found: Vec<FoundGpu>) -> Result<Gpus, BackendError> {
        let mut cards = Vec::new();
        let mut reasons = Vec::new();
        // With several unusable cards, the first one's: it is the best one.
        let mut first_hint = None;
        for FoundGpu { name, card, hint, .. } in found {
            match card {
                Ok(card) => cards.push(card),
                Err(reason) => {
                    reasons.push(format!("{name}: {reason}"));
                    first_hint = first_hint.or(hint);
                }
            }
        }
        if cards.is_empty() {
            let reason = reasons.join("; ");
            return Err(BackendError::Unavailable { kind: self.kind, reason, hint: first_hint });
        }
        if !self.takes_all {
            cards.truncate(1);
        }
        Ok(Gpus::new(self.kind, cards))
    }
}
