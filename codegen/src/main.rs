//! `cargo codegen`: the generator's command.

fn main() {}
