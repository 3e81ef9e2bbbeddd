#!/usr/bin/env bash
# Builds k6 from its Go module (Go 1.25 or newer) into .tools/k6, where `npm run test:load` finds it.
# k6 is under the AGPL-3.0: a separate program that only measures. Carrel neither contains nor links it.
set -euo pipefail
k6_version=v1.8.1
folder=$(cd "$(dirname "$0")/../.." && pwd)/.tools/k6

command -v go > /dev/null || { echo "Go is needed to build k6: https://go.dev/dl/" >&2; exit 2; }
mkdir -p "$folder"
GOBIN="$folder" go install "go.k6.io/k6@$k6_version"
"$folder/k6" version
