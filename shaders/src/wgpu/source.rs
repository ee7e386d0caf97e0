//! Constants and layouts in the source of a kernel, for tests that compare them with the host's.

use naga::{Constant, Expression, Literal, Module, StructMember, Type, TypeInner};

/// Parses the source.
pub fn module(source: &str) -> Module {
    naga::front::wgsl::parse_str(source).unwrap()
}

/// Returns the size of a record and the offsets of its members, in bytes.
pub fn record(module: &Module, name: &str) -> (u32, Vec<(String, u32)>) {
    let is_named = |of: &Type| of.name.as_deref() == Some(name);
    let (_, record) = module.types.iter().find(|(_, of)| is_named(of)).unwrap();
    let TypeInner::Struct { members, span } = &record.inner else { panic!("{name}") };
    let member = |member: &StructMember| (member.name.clone().unwrap(), member.offset);
    (*span, members.iter().map(member).collect())
}

/// Returns the value of a constant.
pub fn constant(module: &Module, name: &str) -> u32 {
    let is_named = |of: &Constant| of.name.as_deref() == Some(name);
    let (_, constant) = module.constants.iter().find(|(_, of)| is_named(of)).unwrap();
    match module.global_expressions[constant.init] {
        Expression::Literal(Literal::U32(number)) => number,
        ref other => panic!("{name}: {other:?}"),
    }
}

/// Returns the binding numbers and names of all buffers, in ascending order.
pub fn buffers(module: &Module) -> Vec<(u32, String)> {
    let variables = module.global_variables.iter();
    let mut buffers: Vec<_> = variables
        .filter_map(|(_, variable)| {
            let binding = variable.binding?;
            assert_eq!(binding.group, 0);
            Some((binding.binding, variable.name.clone().unwrap()))
        })
        .collect();
    buffers.sort_unstable();
    buffers
}
