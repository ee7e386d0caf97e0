//! What the page shows and says, as data: pure functions, without a browser and without Yew, so that
//! they are tested on the host.
//!
//! | folder | what |
//! |---|---|
//! | text/ | the texts in two languages, names, durations |
//! | routing/ | the page's whole state as its address |

pub mod routing;
pub mod text;
