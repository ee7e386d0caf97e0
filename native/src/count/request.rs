//! The requested count, its default methods, and the reasons why GPUs cannot run it.

use std::fmt;

use queens_core::{Form, InstructionSet, Method, Size};

use super::gpu::Gpus;

/// From this N on, `colours` is faster than `symmetry`.
const MIN_COLOURS_N: u32 = 14;

/// The count that the user asked for.
#[derive(Clone, Copy, Debug)]
pub struct CountRequest {
    pub size: Size,
    /// The method, or `None` for the fastest.
    pub method: Option<Method>,
    /// The form, or `None` for the default.
    pub form: Option<Form>,
    /// The instruction set, or `None` for the fastest.
    pub isa: Option<InstructionSet>,
}

impl CountRequest {
    /// Returns the method for the CPU. If none was requested, this is the fastest one that supports the
    /// other requests.
    pub fn method_on_cpu(self) -> Method {
        let fast = self.size.get() >= MIN_COLOURS_N && self.form != Some(Form::Iterative);
        let default = if fast || self.isa.is_some() { Method::Colours } else { Method::Symmetry };
        self.method.unwrap_or(default)
    }

    /// Returns the method for a GPU backend that the user requested: `symmetry`, unless the user named
    /// another one.
    pub fn method_on_gpus(self) -> Method {
        self.method.unwrap_or(Method::Symmetry)
    }

    /// Returns the reason why GPUs cannot run this count with `method`, or `None` if they can.
    pub fn reason_against_gpus(self, method: Method) -> Option<NotOnGpus> {
        if let Some(set) = self.isa {
            return Some(NotOnGpus::Isa(set));
        }
        if let Some(reason) = Gpus::unsupported_reason(self.size, method) {
            return Some(NotOnGpus::Board(reason));
        }
        let is_recursive = method == Method::Symmetry && self.form == Some(Form::Recursive);
        is_recursive.then_some(NotOnGpus::Recursive)
    }
}

/// Reasons why GPUs cannot run a count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotOnGpus {
    /// An instruction set was requested.
    Isa(InstructionSet),
    /// The recursive form of `symmetry` was requested.
    Recursive,
    /// GPUs do not support this board or this method; the clause says which.
    Board(String),
}

/// The reason as an error for a user who requested a GPU.
impl fmt::Display for NotOnGpus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotOnGpus::Isa(isa) => write!(f, "`--isa {isa}` applies only to CPUs"),
            NotOnGpus::Recursive => {
                write!(f, "GPUs cannot run the recursive form of {}", Method::Symmetry)
            }
            NotOnGpus::Board(reason) => f.write_str(reason),
        }
    }
}

impl NotOnGpus {
    /// Returns what the user of the command can do about it.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        let hint = match self {
            NotOnGpus::Isa(_) => "omit it for a GPU backend",
            NotOnGpus::Recursive => "omit `--form`, or use `--backend cpu`",
            NotOnGpus::Board(_) => "use `--backend cpu`",
        };
        Some(hint.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(n: u32) -> CountRequest {
        CountRequest { size: Size::new(n).unwrap(), method: None, form: None, isa: None }
    }

    #[test]
    fn chooses_the_methods_for_the_cpu_and_for_gpus() {
        let iterative = Some(Form::Iterative);
        let portable = Some(InstructionSet::Portable);
        for (request, cpu_method, on_gpus) in [
            (request(13), Method::Symmetry, Method::Symmetry),
            (request(14), Method::Colours, Method::Symmetry),
            (CountRequest { form: iterative, ..request(14) }, Method::Symmetry, Method::Symmetry),
            (CountRequest { isa: portable, ..request(8) }, Method::Colours, Method::Symmetry),
            (
                CountRequest { method: Some(Method::Bitmap), ..request(20) },
                Method::Bitmap,
                Method::Bitmap,
            ),
        ] {
            assert_eq!(
                (request.method_on_cpu(), request.method_on_gpus()),
                (cpu_method, on_gpus),
                "{request:?}"
            );
        }
    }

    #[test]
    fn a_rejected_gpu_count_has_a_reason_and_a_remedy() {
        let rejection = |request: CountRequest| {
            let reason = request.reason_against_gpus(request.method_on_gpus()).unwrap();
            (reason.to_string(), reason.hint().unwrap())
        };
        let recursive = Some(Form::Recursive);
        for (request, reason, hint) in [
            (
                CountRequest { isa: Some(InstructionSet::Avx2), ..request(20) },
                "`--isa avx2` applies only to CPUs",
                "omit it for a GPU backend",
            ),
            (
                CountRequest { form: recursive, ..request(20) },
                "GPUs cannot run the recursive form of symmetry",
                "omit `--form`, or use `--backend cpu`",
            ),
            // The method is the reason, although the form is not supported, either.
            (
                CountRequest { method: Some(Method::Bitmap), form: recursive, ..request(20) },
                "GPUs support only symmetry and colours, not bitmap",
                "use `--backend cpu`",
            ),
            (
                request(3),
                "N = 3 is too small for a GPU, which needs N = 4 or more",
                "use `--backend cpu`",
            ),
        ] {
            assert_eq!(rejection(request), (reason.to_owned(), hint.to_owned()), "{request:?}");
        }
    }
}
