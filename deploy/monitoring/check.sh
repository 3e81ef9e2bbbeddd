#!/usr/bin/env bash
# Checks the alert rules with Prometheus' promtool, built from its Go module (Go 1.26 or newer), and
# runs their tests. The program is kept in a folder: CARREL_MONITORING_TOOLS, by default
# ~/.cache/carrel-monitoring.
set -euo pipefail
version=v0.316.0
here=$(cd "$(dirname "$0")" && pwd)
tools=${CARREL_MONITORING_TOOLS:-$HOME/.cache/carrel-monitoring}
mkdir -p "$tools"

promtool="$tools/promtool-$version"
if [ ! -x "$promtool" ]; then
  command -v go > /dev/null || { echo "Go is needed to build promtool: https://go.dev/dl/" >&2; exit 2; }
  echo "Building promtool $version"
  GOBIN="$tools" go install "github.com/prometheus/prometheus/cmd/promtool@$version"
  mv "$tools/promtool" "$promtool"
fi

"$promtool" check rules --lint=all --lint-fatal "$here/alerts.yaml"
"$promtool" check config --syntax-only "$here/../compose/prometheus.yml"
"$promtool" test rules "$here/alerts.test.yaml"
