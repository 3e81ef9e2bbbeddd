#!/usr/bin/env bash
# Checks the chart: builds Helm and the decoder in check/ from their Go modules (Go 1.26 or newer),
# then lints and renders each profile and decodes every object strictly against two versions of
# Kubernetes' API types. The programs are kept in a folder: CARREL_HELM_TOOLS, by default
# ~/.cache/carrel-helm.
set -euo pipefail
helm_version=v4.3.1
here=$(cd "$(dirname "$0")" && pwd)
tools=${CARREL_HELM_TOOLS:-$HOME/.cache/carrel-helm}
mkdir -p "$tools"

command -v go > /dev/null || { echo "Go is needed to build Helm: https://go.dev/dl/" >&2; exit 2; }
helm="$tools/helm-$helm_version"
if [ ! -x "$helm" ]; then
  echo "Building Helm $helm_version"
  GOBIN="$tools" go install "helm.sh/helm/v4/cmd/helm@$helm_version"
  mv "$tools/helm" "$helm"
fi
versions=()
for modules in "$here"/check/kubernetes-*.mod; do
  version=$(basename "$modules" .mod)
  versions+=("$version")
  # Go wants a go.mod to find the main module, even when it reads another file.
  work=$(mktemp -d)
  cp "$here/check/main.go" "$work/"
  cp "$modules" "$work/go.mod"
  cp "${modules%.mod}.sum" "$work/go.sum"
  (cd "$work" && go build -o "$tools/check-$version" .)
  rm -r "$work"
done

# Folders are in no profile, so they are added to the smallest.
folders='sourceFolders[0].path=/sources/a,sourceFolders[0].volume.nfs.server=files,sourceFolders[0].volume.nfs.path=/a'
folders+=',agentFolders[0].path=/folders/a,agentFolders[0].volume.nfs.server=files,agentFolders[0].volume.nfs.path=/a'
folders+=',agentFolders[1].path=/folders/b,agentFolders[1].writable=true,agentFolders[1].volume.persistentVolumeClaim.claimName=b'
for profile in "$here"/carrel/profiles/*.yaml; do
  name=$(basename "$profile" .yaml)
  values=(--values "$profile")
  if [ "$name" = small ]; then values+=(--set "$folders"); fi
  "$helm" lint --strict --quiet "$here/carrel" "${values[@]}"
  "$helm" template carrel "$here/carrel" --namespace carrel "${values[@]}" > "$tools/$name.yaml"
  for version in "${versions[@]}"; do
    printf '%s, %s: ' "$name" "$version"
    "$tools/check-$version" < "$tools/$name.yaml"
  done
done

# What the values must not allow.
refused() {
  if message=$("$helm" template carrel "$here/carrel" "$@" 2>&1); then
    echo "not refused: $*" >&2
    exit 1
  fi
  printf 'refused, as it should be: %s\n' "$(grep -o 'Set .*\|postgresql and redis of.*\|at .*' <<< "$message" | head -1)"
}
refused
refused --set secret.existing=x,postgresql.enabled=true
refused --set secret.existing=x
refused --values "$here/carrel/profiles/small.yaml" --set ingress.enabled=true
refused --values "$here/carrel/profiles/small.yaml" --set gatewayApi.enabled=true
refused --values "$here/carrel/profiles/team.yaml" --set keda.enabled=true
refused --values "$here/carrel/profiles/small.yaml" --set services.chat.replicas=0
refused --values "$here/carrel/profiles/small.yaml" --set unknown=1
refused --values "$here/carrel/profiles/small.yaml" --set 'sourceFolders[0].path=relative'
refused --values "$here/carrel/profiles/small.yaml" --set 'agentFolders[0].path=/folders/one:rw,agentFolders[0].volume.emptyDir.medium=Memory'
