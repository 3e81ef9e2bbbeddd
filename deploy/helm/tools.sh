# Sourced by check.sh and install.sh: builds Helm, once, into a folder that is kept: CARREL_HELM_TOOLS, by
# default ~/.cache/carrel-helm.
helm_version=v4.3.1
tools=${CARREL_HELM_TOOLS:-$HOME/.cache/carrel-helm}
mkdir -p "$tools"
[ -x /usr/local/go/bin/go ] && PATH=$PATH:/usr/local/go/bin

command -v go > /dev/null || { echo "Go 1.26 or newer is needed to build Helm: https://go.dev/dl/" >&2; exit 2; }
helm="$tools/helm-$helm_version"
if [ ! -x "$helm" ]; then
  echo "Building Helm $helm_version"
  GOBIN="$tools" go install "helm.sh/helm/v4/cmd/helm@$helm_version"
  mv "$tools/helm" "$helm"
fi
