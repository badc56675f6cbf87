#!/bin/bash
# Unpacks the library of hushpush, which needs no other package.
set -euo pipefail

folder="$RUNNER_TEMP/hushpush"
mkdir -p "$folder"
case "$PACKAGE" in
  https://*) curl --fail --silent --show-error --location --proto-redir =https "$PACKAGE" ;;
  *) cat "$PACKAGE" ;;
esac | tar -xz -C "$folder" package/package.json package/dist/src/client
