//! The `forgehand` command.

fn main() {}
