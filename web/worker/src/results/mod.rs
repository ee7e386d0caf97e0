//! Pictures of results, drawn as SVG, and recounts of their tasks. This code is loaded only with
//! the worker.
//!
//! The drawing code is our own. The charting crate most used with Rust measures text with DOM
//! elements and inline styles. A worker has no DOM, and the page's content security policy forbids
//! inline styles. That crate also writes fixed colours, but the page's two themes need classes.
//!
//! | file | what |
//! |---|---|
//! | words.rs | the page's texts, which come with the request |
//! | scale.rs | positions and labels on a logarithmic axis |
//! | chart.rs | axes, lines and marks |
//! | choosers.rs | filter controls |
//! | series.rs | comparison of several results: chart, table and forecast |
//! | published.rs | published figures of other programs |
//! | tasks.rs | map of the tasks of one result |
//! | recount.rs | recount of tasks |
//! | documents.rs | the documents that the page shows |
//! | kept.rs | reading and storing result files |

mod chart;
mod choosers;
mod documents;
mod kept;
mod published;
mod recount;
mod scale;
mod series;
mod tasks;
mod words;

use crate::{
    jobs::Job,
    protocol::{Answer, Chart, Drawing, Recounted},
};

pub use documents::Documents;
pub use kept::keep;
pub use recount::Recount;
pub use tasks::Map;

/// Draws a comparison of results.
pub struct Compare(Chart);

impl Compare {
    pub fn new(chart: &Chart) -> Compare {
        Compare(chart.clone())
    }
}

impl Job for Compare {
    fn work(&mut self, _steps: u32) -> bool {
        false
    }

    fn report(&mut self) -> Answer {
        Answer::Drawing(series::draw(&self.0))
    }
}

/// Answers a request about a document that is not held.
pub enum Nothing {
    /// With an empty picture.
    Drawn,
    /// With an empty recount.
    Recounted,
}

impl Job for Nothing {
    fn work(&mut self, _steps: u32) -> bool {
        false
    }

    fn report(&mut self) -> Answer {
        match self {
            Nothing::Drawn => Answer::Drawing(Drawing::default()),
            Nothing::Recounted => Answer::Recounted(Recounted::default()),
        }
    }
}
