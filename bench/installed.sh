#!/bin/sh
# The wheel in an empty environment: no Rust, an empty home, a new folder. Prints the time from nothing to a hunt's result.
set -eu
dist=$(cd "${1:?usage: bench/installed.sh FOLDER-WITH-THE-WHEEL}" && pwd)
empty=$(mktemp -d)
trap 'rm -rf "$empty"' EXIT
cd "$empty"
began=$(date +%s)
python3 -m venv venv
venv/bin/pip install --quiet "$dist"/*.whl
echo "installed after $(( $(date +%s) - began )) s: $(du -h venv/bin/falsum | cut -f1)"
# Only what every machine has, and the environment.
status=0
env -i HOME="$empty" PATH="$empty/venv/bin:/usr/bin:/bin" \
    ${PIP_INDEX_URL:+PIP_INDEX_URL="$PIP_INDEX_URL"} ${PIP_CONFIG_FILE:+PIP_CONFIG_FILE="$PIP_CONFIG_FILE"} \
    falsum hunt --for 30s --out hunt || status=$?
echo "a hunt of 30 s ended after $(( $(date +%s) - began )) s with exit code $status"
case $status in 0 | 10) ;; *) exit 1 ;; esac
env -i HOME="$empty" PATH="$empty/venv/bin:/usr/bin:/bin" falsum status hunt
