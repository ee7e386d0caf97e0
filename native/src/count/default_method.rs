//! The requested count, its default methods, and the reasons why GPUs cannot run it.

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

    /// Returns the reason why GPUs cannot run this count with `method`, and a hint for a user who
    /// requested a GPU, or `None` if they can.
    pub fn reason_against_gpus(self, method: Method) -> Option<(String, &'static str)> {
        if let Some(isa) = self.isa {
            let reason = format!("`--isa {isa}` applies only to CPUs");
            return Some((reason, "omit it for a GPU backend"));
        }
        if let Some(reason) = Gpus::unsupported_reason(self.size, method) {
            return Some((reason, "use `--backend cpu`"));
        }
        let has_other = method.forms().contains(&Form::Iterative);
        (has_other && self.form == Some(Form::Recursive)).then(|| {
            let reason = format!("GPUs cannot run the recursive form of {method}");
            (reason, "omit `--form`, or use `--backend cpu`")
        })
    }
}
