//! The cvc5 driver alone, under the binary's name: what this crate's own tests start, since they cannot have the
//! falsum binary. Everything it does is `solver::cvc5`.

use std::path::PathBuf;
use std::process::ExitCode;

fn main() -> ExitCode {
    let args: Vec<_> = std::env::args_os().skip(1).collect();
    match &args[..] {
        [command, flag, lib, dashes, rest @ ..]
            if command == "cvc5-driver" && flag == "--lib" && dashes == "--" =>
        {
            let _error = solver::cvc5::main(&PathBuf::from(lib), rest);
            ExitCode::from(12)
        }
        _ => ExitCode::from(2),
    }
}
