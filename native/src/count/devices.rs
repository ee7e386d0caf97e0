//! What there is to count on.

use queens_core::document::BackendKind;

use super::{
    BackendError,
    gpu::{Found, Gpus},
};

/// The GPUs that a backend finds, in the order that `--device` counts in. `lanes` limits how many
/// lanes each of them searches with.
///
/// # Errors
/// [`BackendError::Unavailable`] if the backend has no driver or no device here.
pub fn gpus(kind: BackendKind, lanes: Option<u32>) -> Result<Vec<Found>, BackendError> {
    match kind {
        BackendKind::Cuda => super::cuda::cards(lanes),
        BackendKind::Wgpu => super::wgpu::cards(lanes),
        _ => Err(BackendError::Unavailable { kind, reason: "this build does not have it".into() }),
    }
}

/// A backend of GPUs: of the one numbered `device`, or else of all that can be used (for wgpu,
/// which lists a card once for each of its drivers, of the best one).
///
/// # Errors
/// [`BackendError::Unavailable`] if there is none, or not that one.
pub fn open_gpus(
    kind: BackendKind,
    device: Option<usize>,
    lanes: Option<u32>,
) -> Result<Gpus, BackendError> {
    let found = gpus(kind, lanes)?;
    let unavailable = |reason| BackendError::Unavailable { kind, reason };
    let cards = match device {
        Some(number) => {
            let last = found.len().saturating_sub(1);
            let found = found.into_iter().nth(number).ok_or_else(|| {
                unavailable(format!("there is no device {number}; they are numbered 0 to {last}"))
            })?;
            let name = found.name;
            vec![found.card.map_err(|reason| unavailable(format!("{name}: {reason}")))?]
        }
        None => {
            let reasons: Vec<String> = found
                .iter()
                .filter_map(|found| Some(format!("{}: {}", found.name, found.card.as_ref().err()?)))
                .collect();
            let mut usable: Vec<_> = found.into_iter().filter_map(|f| f.card.ok()).collect();
            if kind == BackendKind::Wgpu {
                usable.truncate(1);
            }
            if usable.is_empty() {
                return Err(unavailable(reasons.join("; ")));
            }
            usable
        }
    };
    Ok(Gpus::new(kind, cards))
}
