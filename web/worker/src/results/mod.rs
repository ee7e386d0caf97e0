//! Pictures of results, drawn as SVG, and results counted again: this part of the page comes only
//! with the worker.
//!
//! The drawing is our own. The charting crate that is most used with Rust measures its letters by
//! elements of the page and inline styles: a worker has no page, and the page's policy allows no
//! such styles. It also writes colours where the page's two themes need classes.
//!
//! | file | what |
//! |---|---|
//! | words.rs | the page's texts, which come with the request |
//! | scale.rs | where values lie, and which of them are written beside an axis |
//! | chart.rs | axes, lines and marks |
//! | choosers.rs | what results are chosen by |
//! | series.rs | results side by side: what is drawn, its table, and what is next |
//! | published.rs | figures that others have published |
//! | tasks.rs | the tasks of one result as a map |
//! | recount.rs | tasks counted again |
//! | documents.rs | the documents that the page shows |
//! | kept.rs | files that are read, and that the browser keeps |

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

/// Results side by side.
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

/// What there is to say of a document that is not held.
pub enum Nothing {
    /// No picture.
    Drawn,
    /// No task was counted again.
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
