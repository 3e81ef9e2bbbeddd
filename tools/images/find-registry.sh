#!/bin/sh
# Fails within a minute, with the reason, if npm can't reach its registry or isn't allowed to read it.
# npm repeats a failed request for minutes and says nothing, and its cache would hide the reason.
set -u
registry=$(npm config get registry)
folder=$(mktemp -d)
log=$folder/log
for _ in 1 2 3; do
  if timeout -k 5 15 npm view zod@latest version --cache "$folder/cache" --fetch-retries=0 --fetch-timeout=12000 >"$log" 2>&1; then
    rm -rf "$folder"
    exit 0
  fi
done
{
  sed 's/^/    /' "$log" | head -n 6
  echo "The npm registry $registry doesn't answer, or refuses."
  echo "What to do: check that this machine reaches it. If it has a private certificate, build with --secret id=ca,src=<PEM file>; if it needs another address or a token, with --secret id=npmrc,src=<.npmrc>; with Compose, use compose.build.yaml (deploy/compose/README.md). A proxy for the build: --build-arg HTTPS_PROXY=<URL>."
} >&2
exit 1
