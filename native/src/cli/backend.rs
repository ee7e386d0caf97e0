//! Opens the backend that [`decide`] or a benchmark chose.

use std::sync::Arc;

use queens_core::{Method, Plan, document::BackendKind};

use super::{
    decide::{CpuSettings, Decision, Hardware, decide},
    failure::Failure,
    interrupt, output,
    request::Request,
};
use queens::{
    count::{self, Backend, Chosen, CountRequest, Cpu, Reason},
    isa,
};

/// Chooses the method, which determines the plan, and opens the backend. Prints the choices that the user
/// left to the program, with their reasons, on stderr.
pub fn choose(request: &Request) -> anyhow::Result<(Arc<Plan>, Box<dyn Backend>)> {
    let count = request.count;
    let plan = |method| Arc::new(Plan::new(count.size, method));
    let (plan, backend): (_, Box<dyn Backend>) =
        match decide(request, &Hardware::of_this_machine())? {
            Decision::Gpus { gpus, method, device, thread_limit } => {
                // The user chose this backend, so there is nothing to report.
                let gpus = gpus.open(device, thread_limit).map_err(Failure::Backend)?;
                return Ok((plan(method), Box::new(gpus)));
            }
            Decision::Cpu(settings) => {
                note_shortfall(&settings);
                let plan = plan(settings.method);
                let cpu = cpu(&plan, &settings);
                (plan, Box::new(cpu))
            }
            Decision::Fastest(settings) => {
                let cpu_plan = plan(settings.method);
                let cpu = cpu(&cpu_plan, &settings);
                let chosen = count::fastest(count, settings.method, cpu, &interrupt::is_set);
                let chosen = chosen.map_err(Failure::from_run)?;
                let is_cpu = chosen.backend.record().kind == BackendKind::Cpu;
                if is_cpu {
                    note_shortfall(&settings);
                }
                note_backend(&chosen);
                (if is_cpu { cpu_plan } else { plan(chosen.method) }, chosen.backend)
            }
        };
    note_method(count, plan.method());
    Ok((plan, backend))
}

/// Prints a note if memory is short. The note names the number of threads or the method that is used instead.
fn note_shortfall(settings: &CpuSettings) {
    let CpuSettings { method, threads, shortfall, .. } = *settings;
    if let Some(shortfall) = shortfall {
        if method == shortfall.method {
            let plural = if threads == 1 { "" } else { "s" };
            output::note(format!("{shortfall}; using {threads} thread{plural}"));
        } else {
            output::note(format!("{shortfall}; using the method {method}"));
        }
    }
}

/// Creates the CPU backend of the decision, without threads that would have no task.
fn cpu(plan: &Plan, settings: &CpuSettings) -> Cpu {
    let CpuSettings { method, form, threads, isa, .. } = *settings;
    let mut cpu = Cpu::new(threads.min(plan.len()), form, method);
    cpu.isa = isa.and_then(isa::find).or(cpu.isa);
    cpu
}

/// Prints the method, unless the user chose it or it is `symmetry`.
fn note_method(request: CountRequest, method: Method) {
    if request.method.is_none() && method != Method::Symmetry {
        let reason = match request.isa {
            Some(_) => "the only one that uses `--isa`".to_owned(),
            None => format!("fastest for N = {}", request.size),
        };
        output::note(format!("method: {method} ({reason})"));
    }
}

/// Prints the fastest backend and the reason. Prints nothing if GPUs cannot run the requested method or
/// form.
fn note_backend(chosen: &Chosen) {
    if chosen.reason == Reason::NotOnGpus {
        return;
    }
    let record = chosen.backend.record();
    let kind = record.kind.id();
    let description = match record.kind {
        BackendKind::Cpu => kind.to_owned(),
        _ => format!("{kind}, {}", record.device),
    };
    output::note(format!("backend: {description} (auto: {})", chosen.reason));
}
