//! What a method uses, so that the page shows the registers and counters that it has and keeps
//! them in their places while the search goes from branch to branch.

use queens_core::{Branching, Method, Register, Rule, Size, Tracer};

/// What a method uses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Profile {
    /// Registers that have a value at some step.
    pub registers: Vec<Register>,
    /// Rules that close squares.
    pub rules: Vec<Rule>,
    /// Whether it compares solutions with their images.
    pub compares: bool,
    /// How it divides the search by its first queens, if it does: BOUND1 and BOUND2 mean
    /// something then.
    pub branching: Option<Branching>,
}

impl Profile {
    /// Looks at a short search: all that a method does, it does on a small board.
    pub fn of(method: Method) -> Profile {
        const SMALL: Size = match Size::new(8) {
            Ok(size) => size,
            Err(_) => unreachable!(),
        };
        let mut tracer = Tracer::new(method, SMALL);
        let mut registers = [false; Register::ALL.len()];
        let mut branching = None;
        for _ in 0..20_000 {
            let view = tracer.view();
            for (used, register) in registers.iter_mut().zip(Register::ALL) {
                *used |= view.register(register).is_some();
            }
            branching = branching.or(view.masks.map(|masks| masks.branching));
            if tracer.forward().is_none() {
                break;
            }
        }
        let work = tracer.work();
        Profile {
            registers: Register::ALL
                .into_iter()
                .zip(registers)
                .filter_map(|(register, used)| used.then_some(register))
                .collect(),
            rules: Rule::ALL.into_iter().filter(|&rule| work.cut_by(rule) > 0).collect(),
            compares: work.comparisons > 0,
            branching,
        }
    }
}

impl Profile {
    /// The number of rows that the registers take below the board.
    pub fn rows(&self) -> usize {
        self.registers.len() + if self.branching.is_some() { 2 } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_symmetry_method_uses_everything_but_the_half() {
        let profile = Profile::of(Method::Symmetry);
        assert_eq!(profile.registers, Register::ALL);
        assert_eq!(profile.rules, [Rule::UpperSide, Rule::LowerSide, Rule::LastRow, Rule::Corner]);
        assert!(profile.compares);
        assert_eq!(profile.branching, Some(Branching::Symmetry));
    }
}
