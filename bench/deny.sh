#!/usr/bin/env bash
# cargo deny with everything that it knows, advisories included where the database can be had. It is not part of CI:
# building it takes longer than everything else there, and the parts that need no network are a test of ours.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
command -v cargo-deny >/dev/null || cargo install --locked cargo-deny
cargo deny check licenses bans sources
cargo deny check advisories || { echo "advisories could not be checked, or there are some" >&2; exit 1; }
