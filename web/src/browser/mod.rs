//! Browser APIs: window, files and storage.

mod blob_url;
pub mod download;
mod fetch;
pub mod storage;
mod theme;
mod window;

pub use blob_url::BlobUrl;
pub use fetch::fetch;
pub use theme::Theme;
pub use window::{
    bar_end, bring_element_into_view, bring_into_view, copy, current_place, date_and_time, focus,
    focus_in_place, has_element, has_modifier, is_static_site, jump_to, language_tag, link_to,
    mark_what_moves_the_focus, media_matches, now, prefers_reduced_motion, reload, return_to,
    scroll_to, scroll_to_top, set_page_attribute, window, window_sides,
};
