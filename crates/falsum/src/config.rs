//! `falsum.toml`: flags that a project does not want to type every time.
//!
//! A table per command, a key per long flag; nothing else can be said there, so the flags' own definitions are the
//! only documentation needed. What the user types wins over what the file says.

use crate::exit::Failure;
use std::ffi::OsString;
use std::path::Path;

pub const FILE: &str = "falsum.toml";

/// The command line with the file's flags added after the command's name.
pub fn expand(args: Vec<OsString>, file: &Path) -> Result<Vec<OsString>, Failure> {
    let Some(command) = args.get(1).and_then(|word| word.to_str()) else { return Ok(args) };
    let text = match std::fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(args),
        Err(error) => return Err(Failure::usage(format!("{}: {error}", file.display()))),
    };
    let table: toml::Table = text.parse().map_err(|error: toml::de::Error| {
        Failure::usage(format!("{}: {}", file.display(), error.message()))
            .hint("falsum init writes a good one")
    })?;
    let Some(toml::Value::Table(flags)) = table.get(command) else { return Ok(args) };
    let mut added: Vec<OsString> = vec![];
    for (key, value) in flags {
        let flag = format!("--{key}");
        let typed = args
            .iter()
            .filter_map(|arg| arg.to_str())
            .any(|arg| arg == flag || arg.starts_with(&format!("{flag}=")));
        if !typed {
            add(&mut added, &flag, value, file)?;
        }
    }
    let mut all = args;
    all.splice(2..2, added);
    Ok(all)
}

fn add(added: &mut Vec<OsString>, flag: &str, value: &toml::Value, file: &Path) -> Result<(), Failure> {
    match value {
        toml::Value::Boolean(true) => added.push(flag.into()),
        toml::Value::Boolean(false) => {}
        toml::Value::String(text) => added.push(format!("{flag}={text}").into()),
        toml::Value::Integer(number) => added.push(format!("{flag}={number}").into()),
        toml::Value::Array(values) => values.iter().try_for_each(|value| add(added, flag, value, file))?,
        _ => {
            return Err(Failure::usage(format!(
                "{}: `{flag}` needs a text, a number or a list",
                file.display()
            )));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expanded(text: &str, args: &[&str]) -> Vec<String> {
        let folder =
            std::env::temp_dir().join(format!("falsum-config-{}-{}", std::process::id(), args.len()));
        std::fs::create_dir_all(&folder).unwrap();
        let file = folder.join(FILE);
        std::fs::write(&file, text).unwrap();
        let all = expand(args.iter().map(Into::into).collect(), &file).unwrap();
        std::fs::remove_dir_all(&folder).unwrap();
        all.into_iter().map(|arg| arg.into_string().unwrap()).collect()
    }

    #[test]
    fn the_file_adds_flags_and_the_user_wins() {
        let text = "[hunt]\nkey = \"night\"\nsolver = [\"z3\", \"cvc5\"]\nquiet = true\n";
        let args = expanded(text, &["falsum", "hunt", "--key", "mine", "seeds"]);
        assert_eq!(
            args,
            ["falsum", "hunt", "--quiet", "--solver=z3", "--solver=cvc5", "--key", "mine", "seeds"]
        );
        assert_eq!(expanded(text, &["falsum", "check", "a"]), ["falsum", "check", "a"]);
    }
}
