//! The command `mlirbc`.

fn main() {
    std::process::exit(mlirbc_cli::run(std::env::args_os()));
}
