//! The parts of a document. Each JSON object preserves unknown fields in `extra`, so that fields that
//! later programs add pass through this program unchanged.

use alloc::{string::String, vec::Vec};
use core::time::Duration;

use serde::Serialize;
use serde_json::{Map, Value};

use super::Format;
use crate::{ClassCounts, Coverage, Form, Method, Plan, Size, decimal, words};

/// Fields that this program does not know, preserved as read.
pub type Extra = Map<String, Value>;

/// The result of counting all tasks of a plan, or of one shard of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Document {
    /// Everything except the tasks.
    #[serde(flatten)]
    pub header: Header,
    /// Every task of the plan or shard, each with its part of the total.
    pub tasks: Vec<TaskTotal>,
}

/// A document without its tasks.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Header {
    /// The format's name and version, which are constant.
    #[serde(flatten)]
    pub format: Format,
    /// The side of the board, at most [`Size::MAX_COUNTED`].
    pub n: Size,
    /// The number of all solutions; for a shard, the sum of its tasks.
    #[serde(serialize_with = "decimal::serialize")]
    pub total: u64,
    /// The number of solutions up to turns and mirrors; `None` for a shard.
    #[serde(
        serialize_with = "decimal::serialize_optional",
        skip_serializing_if = "Option::is_none"
    )]
    pub unique: Option<u64>,
    /// The class counts; `None` for a shard and for N = 1.
    #[serde(flatten)]
    pub classes: Option<ClassCounts>,
    /// The method that counted.
    pub method: Method,
    /// The form in which the method ran.
    pub form: Form,
    /// The plan whose tasks were counted.
    pub plan: PlanRef,
    /// The backend that counted.
    pub backend: Backend,
    /// The program that wrote the document.
    pub program: Program,
    /// The machine that counted.
    pub host: Host,
    /// The start of the count, as an RFC 3339 timestamp.
    pub started: String,
    /// The time of the count.
    pub seconds: Seconds,
    /// The shard; `None` for a complete count.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shard: Option<Shard>,
    /// The names of the checks that the document claims to have passed, including unknown ones.
    pub checks: Vec<String>,
    /// Unknown fields.
    #[serde(flatten)]
    pub extra: Extra,
}

/// The version and the length of a count's plan. Documents with another version are rejected.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PlanRef {
    /// [`Plan::VERSION`], the version of the division into tasks.
    pub version: u32,
    /// The number of tasks in the whole plan, 1 to [`Plan::MAX_TASKS`](crate::Plan::MAX_TASKS).
    pub tasks: u32,
    /// Unknown fields.
    #[serde(flatten)]
    pub extra: Extra,
}

impl PlanRef {
    /// Creates the reference to a plan of `tasks` tasks.
    #[must_use]
    pub fn new(tasks: u32) -> PlanRef {
        PlanRef { version: Plan::VERSION, tasks, extra: Extra::new() }
    }
}

/// The backend that counted: its kind, the device and how it was used.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Backend {
    /// The kind of backend.
    pub kind: BackendKind,
    /// The device's name, such as the processor's.
    pub device: String,
    /// How the device was used, such as the instruction set.
    pub detail: String,
    /// Unknown fields.
    #[serde(flatten)]
    pub extra: Extra,
}

impl Backend {
    /// Creates a backend of this kind on this device.
    #[must_use]
    pub fn new(kind: BackendKind, device: impl Into<String>, detail: impl Into<String>) -> Backend {
        Backend { kind, device: device.into(), detail: detail.into(), extra: Extra::new() }
    }
}

words! {
    /// The kinds of backend.
    pub enum BackendKind {
        /// Threads of the processor.
        Cpu = "cpu",
        /// A GPU through Vulkan, Metal or Direct3D.
        Wgpu = "wgpu",
        /// A GPU through CUDA.
        Cuda = "cuda",
        /// Workers of a browser.
        Wasm = "wasm",
        /// A GPU in a browser.
        Webgpu = "webgpu",
    }
}

/// The program that wrote a document.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Program {
    /// The name of the program.
    pub name: String,
    /// The version of the program.
    pub version: String,
    /// The commit it was built from; empty if unknown.
    pub commit: String,
    /// Unknown fields.
    #[serde(flatten)]
    pub extra: Extra,
}

impl Program {
    /// Creates the description of a program.
    #[must_use]
    pub fn new(
        name: impl Into<String>,
        version: impl Into<String>,
        commit: impl Into<String>,
    ) -> Program {
        Program {
            name: name.into(),
            version: version.into(),
            commit: commit.into(),
            extra: Extra::new(),
        }
    }
}

/// The machine that a count ran on.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Host {
    /// The operating system.
    pub os: String,
    /// The processor.
    pub cpu: String,
    /// The number of threads or workers that counted, at least 1.
    pub threads: u32,
    /// Unknown fields.
    #[serde(flatten)]
    pub extra: Extra,
}

impl Host {
    /// Creates the description of a machine.
    #[must_use]
    pub fn new(os: impl Into<String>, cpu: impl Into<String>, threads: u32) -> Host {
        Host { os: os.into(), cpu: cpu.into(), threads, extra: Extra::new() }
    }
}

/// The shard of a plan that a document contains: the tasks whose number is `index` modulo `of`. They
/// are spread over the whole plan, so all shards take about the same time.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Shard {
    /// The number of the shard, from 0 to `of` − 1.
    pub index: u32,
    /// The number of shards, at least 1.
    pub of: u32,
    /// Unknown fields.
    #[serde(flatten)]
    pub extra: Extra,
}

impl Shard {
    /// Creates shard `index` of `of`; `None` unless `index < of`.
    #[must_use]
    pub fn new(index: u32, of: u32) -> Option<Shard> {
        (index < of).then(|| Shard { index, of, extra: Extra::new() })
    }

    /// Whether the task with this number belongs to the shard.
    #[must_use]
    pub fn has(&self, task: usize) -> bool {
        task as u64 % u64::from(self.of.max(1)) == u64::from(self.index)
    }
}

/// One task and its part of the total, including its symmetry weight.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TaskTotal {
    /// The task's number in the plan.
    pub id: u32,
    /// The number of solutions that the task represents.
    #[serde(serialize_with = "decimal::serialize")]
    pub total: u64,
    /// The time of the task.
    pub seconds: Seconds,
    /// The counted pairs of row sets, if the method has them and they were recorded.
    #[serde(flatten)]
    pub covered: Option<Coverage>,
    /// The solutions of the [audit set](crate::Counter::count_audit_set), if they were recorded.
    #[serde(
        serialize_with = "decimal::serialize_optional",
        skip_serializing_if = "Option::is_none"
    )]
    pub chosen: Option<u64>,
    /// Unknown fields.
    #[serde(flatten)]
    pub extra: Extra,
}

impl TaskTotal {
    /// Creates task `id`, which represents `total` solutions.
    #[must_use]
    pub fn new(id: u32, total: u64, seconds: impl Into<Seconds>) -> TaskTotal {
        let (covered, chosen, extra) = (None, None, Extra::new());
        TaskTotal { id, total, seconds: seconds.into(), covered, chosen, extra }
    }
}

/// A span of time in seconds, 0 to [`MAX`](Seconds::MAX).
#[derive(Debug, Clone, Copy, Default, PartialEq, PartialOrd, Serialize)]
#[serde(transparent)]
pub struct Seconds(f64);

impl Seconds {
    /// The longest span, over thirty thousand years. Spans of this length can be added and converted to
    /// a [`Duration`] without overflow.
    pub const MAX: f64 = 1e12;

    /// Creates a span of `seconds`; `None` if it is negative, longer than [`MAX`](Seconds::MAX) or
    /// not a number.
    #[must_use]
    pub fn new(seconds: f64) -> Option<Seconds> {
        // Adding zero turns negative zero into positive zero.
        (0.0..=Seconds::MAX).contains(&seconds).then_some(Seconds(seconds + 0.0))
    }

    /// The span as a number.
    #[must_use]
    pub const fn get(self) -> f64 {
        self.0
    }
}

impl From<Duration> for Seconds {
    fn from(duration: Duration) -> Seconds {
        Seconds(duration.as_secs_f64().min(Seconds::MAX))
    }
}
