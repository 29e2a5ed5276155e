//! `falsum cluster kubernetes`: a campaign as an Indexed Job, with the same contract as everywhere.
//!
//! In: the number of shards, an image with falsum, a claim of a volume that several pods may write. Out: a manifest on
//! standard output, for `kubectl apply -f -`: the job of the shards, and a suspended job that merges them. A pod that is
//! evicted, or whose shard ends early (exit code 75), is replaced without counting as a failure; a shard that fails is
//! started again once. Every value is written as a JSON string, which is YAML too, so nothing that a user types can
//! change the structure.
#![allow(clippy::print_stdout, reason = "a command prints to the user")]

use super::{Common, complete, with_workers};
use crate::exit::{Exit, Failure};
use serde_json::{Value, json};
use smtlib::shown;

#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    common: Common,
    /// The image with falsum, and with the solvers if pods have no network
    #[arg(long, value_name = "IMAGE")]
    image: String,
    /// The claim of a volume that several pods may write (ReadWriteMany)
    #[arg(long, value_name = "NAME")]
    claim: String,
    /// The name of the job
    #[arg(long, default_value = "falsum", value_name = "NAME")]
    name: String,
    /// The namespace; without it, that of kubectl
    #[arg(long, value_name = "NAME")]
    namespace: Option<String>,
    /// At most so many shards at the same time; without it, all
    #[arg(long, value_name = "N")]
    at_once: Option<u64>,
    /// Cores per shard, which is also its number of workers
    #[arg(long, default_value_t = 1, value_name = "N")]
    cpus: u64,
    /// Memory per shard
    #[arg(long, default_value = "4Gi", value_name = "SIZE")]
    pod_memory: String,
    /// The folder with the solvers in the container: in the image, or below /campaign on the volume
    #[arg(long, default_value = "/campaign/home", value_name = "DIR")]
    home: String,
    /// Print the manifest, which is all that this command does
    #[arg(long)]
    dry_run: bool,
}

/// Where the volume is mounted.
const CAMPAIGN: &str = "/campaign";

pub fn run(args: &Args) -> anyhow::Result<Exit> {
    for (what, name) in [("--name", &args.name), ("--claim", &args.claim)] {
        refuse_other_names(what, name)?;
    }
    let hunt = with_workers(&complete(&args.common)?, args.cpus)?;
    // A list of JSON documents, one by one, is a YAML stream.
    for document in [shards(args, &hunt), merge(args)] {
        println!("---\n{}", serde_json::to_string_pretty(&document)?);
    }
    Ok(Exit::Fine)
}

/// Names of objects: lower case, digits and hyphens.
fn refuse_other_names(what: &str, name: &str) -> Result<(), Failure> {
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    let ends = !name.starts_with('-') && !name.ends_with('-');
    if !name.is_empty() && name.len() <= 52 && ends && name.bytes().all(plain) {
        return Ok(());
    }
    Err(Failure::usage(format!("{what} {} is not a name in Kubernetes", shown::text(name)))
        .hint("write lower-case letters, digits and hyphens, at most 52"))
}

fn metadata(args: &Args, name: &str) -> Value {
    let mut metadata = json!({ "name": name, "labels": { "app.kubernetes.io/name": "falsum" } });
    if let Some(namespace) = &args.namespace {
        metadata["namespace"] = json!(namespace);
    }
    metadata
}

/// What both jobs run in.
fn pod(args: &Args, command: &[String], cpus: u64) -> Value {
    let resources = json!({ "cpu": cpus.to_string(), "memory": args.pod_memory });
    json!({
        "metadata": { "labels": { "app.kubernetes.io/name": "falsum" } },
        "spec": {
            "restartPolicy": "Never",
            "terminationGracePeriodSeconds": 60,
            "containers": [{
                "name": "falsum",
                "image": args.image,
                "command": command,
                "workingDir": CAMPAIGN,
                "env": [
                    { "name": "FALSUM_CAMPAIGN", "value": CAMPAIGN },
                    { "name": "FALSUM_SHARDS", "value": args.common.shards.to_string() },
                    { "name": "FALSUM_HOME", "value": args.home },
                ],
                "resources": { "requests": resources, "limits": resources },
                "volumeMounts": [{ "name": "campaign", "mountPath": CAMPAIGN }],
            }],
            "volumes": [{ "name": "campaign", "persistentVolumeClaim": { "claimName": args.claim } }],
        },
    })
}

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|&word| word.to_owned()).collect()
}

fn shards(args: &Args, hunt: &[String]) -> Value {
    let mut command = words(&["falsum", "cluster", "shard", "--"]);
    command.extend(hunt.iter().cloned());
    json!({
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": metadata(args, &args.name),
        "spec": {
            "completionMode": "Indexed",
            "completions": args.common.shards,
            "parallelism": args.at_once.unwrap_or(args.common.shards).min(args.common.shards),
            "backoffLimitPerIndex": 1,
            "maxFailedIndexes": args.common.shards,
            "podFailurePolicy": { "rules": [
                { "action": "Ignore", "onPodConditions": [{ "type": "DisruptionTarget", "status": "True" }] },
                { "action": "Ignore", "onExitCodes": {
                    "containerName": "falsum", "operator": "In", "values": [Exit::Again as u8] } },
            ] },
            "template": pod(args, &command, args.cpus),
        },
    })
}

/// The merge, which is started by hand when shards have ended: `kubectl patch job NAME-merge …`.
fn merge(args: &Args) -> Value {
    let command = words(&["sh", "-c", "exec falsum merge /campaign/shards/* --out /campaign/merged"]);
    json!({
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": metadata(args, &format!("{}-merge", args.name)),
        "spec": { "suspend": true, "backoffLimit": 1, "template": pod(args, &command, 1) },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args(name: &str) -> Args {
        let common = Common { shards: 8, hunt: words(&["-s", "z3@5.4.0", "--cases", "1000"]) };
        let (image, claim, home) = ("falsum:1".to_owned(), "data".to_owned(), "/campaign/home".to_owned());
        let (name, namespace, at_once) = (name.to_owned(), None, Some(4));
        let (cpus, pod_memory, dry_run) = (2, "4Gi".to_owned(), true);
        Args { common, image, claim, name, namespace, at_once, cpus, pod_memory, home, dry_run }
    }

    #[test]
    fn the_job_has_an_index_per_shard_and_replaces_pods_that_ended_early() {
        let args = args("falsum");
        let job = shards(&args, &complete(&args.common).expect("arguments"));
        assert_eq!((&job["spec"]["completions"], &job["spec"]["parallelism"]), (&json!(8), &json!(4)));
        let container = &job["spec"]["template"]["spec"]["containers"][0];
        let command = container["command"].to_string();
        assert!(command.contains("\"--key\"") && command.contains("\"--epoch\",\"256\""), "{command}");
        assert_eq!(job["spec"]["podFailurePolicy"]["rules"][1]["onExitCodes"]["values"], json!([75]));
        assert!(
            refuse_other_names("--name", "a\n- b").is_err() && refuse_other_names("--name", "a-1").is_ok()
        );
    }
}
