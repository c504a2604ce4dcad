//! The command `mlirbc`.

#[global_allocator]
static ALLOCATOR: mlirbc::bytes::HugePages = mlirbc::bytes::HugePages;

fn main() {
    std::process::exit(mlirbc_cli::run(std::env::args_os()));
}
