//! Where does one of several things end? At a comma that is in no brackets. The compiler's tokens keep round, square and curly
//! brackets together, but not `<` and `>`.

use proc_macro::{TokenStream, TokenTree};

/// The things between the commas, as they were written.
pub(crate) fn between_commas(list: TokenStream) -> Vec<TokenStream> {
    let mut parts = vec![TokenStream::new()];
    let mut angles = Angles::default();
    for token in list {
        let is_inside = angles.pass(&token);
        let ends = !is_inside && matches!(&token, TokenTree::Punct(mark) if mark.as_char() == ',');
        match parts.last_mut() {
            Some(part) if !ends => part.extend([token]),
            _ => parts.push(TokenStream::new()),
        }
    }
    parts.retain(|part| !part.is_empty());
    parts
}

/// How deep in `<` and `>` we are. The `>` of `->` and `=>` closes nothing.
#[derive(Default)]
pub(crate) struct Angles {
    depth: u32,
    after_arrow: bool,
}

impl Angles {
    /// Goes past a token. Whether it is inside, or opens or closes.
    pub(crate) fn pass(&mut self, token: &TokenTree) -> bool {
        let mark = match token {
            TokenTree::Punct(mark) => mark.as_char(),
            _ => ' ',
        };
        let was_inside = self.depth > 0;
        match mark {
            '<' => self.depth += 1,
            '>' if !self.after_arrow => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
        self.after_arrow = matches!(mark, '-' | '=');
        was_inside || self.depth > 0
    }
}
