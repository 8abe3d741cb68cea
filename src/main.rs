//! The `forgehand` command.

fn main() {
    let code = forgehand::cli::main();
    // Not a return: a thread may still wait for standard input, and must not hold the process.
    std::process::exit(code)
}
