//! What the page shows and says, as data: pure functions, without a browser and without Yew, so that
//! they are tested on the host.
//!
//! | folder | what |
//! |---|---|
//! | text/ | the texts in two languages, names, durations |

pub mod text;
