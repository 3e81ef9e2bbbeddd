#!/usr/bin/env bash
# Checks the chart: builds Helm and the decoder in check/ from their Go modules (Go 1.26 or newer),
# then lints and renders each profile and decodes every object strictly against two versions of
# Kubernetes' API types.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/tools.sh"
versions=()
for modules in "$here"/check/kubernetes-*.mod; do
  version=$(basename "$modules" .mod)
  versions+=("$version")
  # Go wants a go.mod to find the main module, even when it reads another file.
  work=$(mktemp -d)
  cp "$here"/check/*.go "$work/"
  cp "$modules" "$work/go.mod"
  cp "${modules%.mod}.sum" "$work/go.sum"
  (cd "$work" && go build -o "$tools/check-$version" .)
  rm -r "$work"
done

check() {
  name=$1 extras=$2; shift 2
  "$helm" lint --strict --quiet "$here/carrel" "$@"
  "$helm" template carrel "$here/carrel" --namespace carrel "$@" > "$tools/$name.yaml"
  for version in "${versions[@]}"; do
    printf '%s, %s: ' "$name" "$version"
    "$tools/check-$version" $extras < "$tools/$name.yaml"
  done
}
for profile in "$here"/carrel/profiles/*.yaml; do
  check "$(basename "$profile" .yaml)" '' --values "$profile"
done
check extras extras --values "$here/carrel/profiles/small.yaml" --values "$here/check/extras.yaml"

# What only renders charts, as Argo CD and Flux do, must get the same objects each time.
given=(--values "$here/carrel/profiles/small.yaml" --set secret.generate=false --set-string secret.data.CARREL_SECRET=0123456789012345678901234567890123456789
  --set-string 'secret.data.postgres-password=a/b' --set-string 'secret.data.redis-password=c')
check given '' "${given[@]}"
"$helm" template carrel "$here/carrel" --namespace carrel "${given[@]}" | cmp - "$tools/given.yaml"
grep -qF 'postgres://carrel:a%2Fb@carrel-postgresql:5432/carrel' "$tools/given.yaml"
users=()
for key in DATABASE_URL_{AUTH,WORKSPACE,CHAT,INGEST,CONNECTORS,SYNC_WORKER}; do
  users+=(--set "secret.from.$key.name=users,secret.from.$key.key=$key")
done
check elsewhere '' --values "$here/carrel/profiles/team.yaml" --set secret.existing=,secret.from.CARREL_SECRET.name=vault \
  --set secret.from.CARREL_SECRET.key=secret,secret.from.DATABASE_URL.name=carrel-db-app,secret.from.DATABASE_URL.key=uri \
  --set secret.from.REDIS_URL.name=cache,secret.from.REDIS_URL.key=url "${users[@]}"
grep -qF 'name: carrel-db-app' "$tools/elsewhere.yaml"

# Qdrant of the chart and its only client have the same key.
for variable in QDRANT__SERVICE__API_KEY CARREL_SETTING_QdrantApiKey; do
  grep -A4 "name: $variable\$" "$tools/small.yaml" | grep -q 'key: QDRANT_API_KEY\b' || { echo "no $variable" >&2; exit 1; }
done
# A route lets answers stream, whichever controller serves it.
grep -qF 'timeouts: { request: 0s, backendRequest: 0s }' "$tools/team.yaml"
check ingress '' --values "$here/carrel/profiles/team.yaml" --set gatewayApi.enabled=false \
  --set ingress.enabled=true,ingress.className=traefik,ingress.host=carrel.example.com,ingress.tlsSecret=carrel-tls

# The gateway has no way to PostgreSQL: two policies say who has, and none lets it out on that port.
awk -v RS='---\n' '
  /kind: NetworkPolicy/ && /postgresql/ { policies++; if (/"gateway"/) wrong = 1 }
  END { exit wrong || policies < 2 }' "$tools/small.yaml"
# It reaches what the values name outside the chart, and nothing else.
gateway_ports() { # ports, values
  ports=$("$helm" template carrel "$here/carrel" "${@:2}" | awk -v RS='---\n' '/name: carrel-gateway-egress\n/' | sed -n 's/^ *- port: //p' | xargs)
  if [ "$ports" != "$1" ]; then echo "the gateway's ports are $ports, not $1, with ${*:2}" >&2; exit 1; fi
}
gateway_ports '' --values "$here/carrel/profiles/small.yaml"
gateway_ports '443 6379' --values "$here/carrel/profiles/team.yaml"
gateway_ports '3128 4318 443 6379 9000' --values "$here/carrel/profiles/team.yaml" --set files.s3.endpoint=http://bucket:9000 \
  --set config.CARREL_EGRESS_PROXY=http://proxy.example:3128,services.gateway.env.OTEL_EXPORTER_OTLP_ENDPOINT=http://collector:4318 \
  --set config.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT=https://collector.example/v1/traces
gateway_ports '6380' --values "$here/carrel/profiles/small.yaml" --set 'networkPolicy.gatewayPorts[0]=6380'

# Before an upgrade, Helm hasn't changed the release's Secret yet: the migration reads a copy.
awk -v RS='---\n' '
  /kind: Job\n/ && /name: carrel-migration\n/ { jobs++; if (/name: carrel-secret\n/) wrong = 1 }
  /kind: Secret\n/ && /name: carrel-migration\n/ { copies++; if (!/hook: pre-upgrade\n/ || !/hook-weight: "-1"\n/ || !/DATABASE_URL_SYNC_WORKER:/) wrong = 1 }
  END { exit wrong || jobs != 1 || copies != 1 }' "$tools/small.yaml" || { echo 'the migration has no Secret before an upgrade' >&2; exit 1; }

# Only the gateway waits for load balancers, itself.
if [ "$(grep -c 'name: CARREL_STOP_DELAY_SECONDS$' "$tools/team.yaml")" != 1 ] || grep -q preStop "$tools/team.yaml"; then
  echo "the gateway alone needs CARREL_STOP_DELAY_SECONDS" >&2
  exit 1
fi

# Vectors in PostgreSQL: privileges.go allows their connection string in workspace only.
check pgvector '' --values "$here/carrel/profiles/team.yaml" --set vectors.store=pgvector,vectors.indexClaim=index
if [ "$(grep -c 'name: CARREL_SETTING_PGVectorConnectionString$' "$tools/pgvector.yaml")" != 1 ]; then
  echo "workspace's container alone needs the connection string of pgvector" >&2
  exit 1
fi

# What the values must not allow.
refused() {
  if message=$("$helm" template carrel "$here/carrel" "$@" 2>&1); then
    echo "not refused: $*" >&2
    exit 1
  fi
  printf 'refused, as it should be: %s\n' "$(grep -o 'Set [a-zA-Z].*\|secret.generate is.*\|at .*' <<< "$message" | head -1 | sed 's,^at (carrel[^)]*): ,,')"
}
refused
refused --values "$here/carrel/profiles/small.yaml" --set secret.existing=x
refused --values "$here/carrel/profiles/small.yaml" --set secret.generate=false
refused --values "$here/carrel/profiles/team.yaml" --set secret.data.CARREL_SECRET=x
refused --set secret.existing=x
refused --values "$here/carrel/profiles/team.yaml" --set secret.existing=,secret.data.CARREL_SECRET=x,secret.data.DATABASE_URL=x,secret.data.REDIS_URL=x
refused --values "$here/carrel/profiles/small.yaml" --set files.s3.bucket=x,vectors.store=pgvector
refused --values "$here/carrel/profiles/small.yaml" --set ingress.enabled=true
refused --values "$here/carrel/profiles/small.yaml" --set gatewayApi.enabled=true
refused --values "$here/carrel/profiles/team.yaml" --set keda.enabled=true
refused --values "$here/carrel/profiles/small.yaml" --set services.chat.replicas=0
refused --values "$here/carrel/profiles/small.yaml" --set unknown=1
refused --values "$here/carrel/profiles/small.yaml" --set 'sourceFolders[0].path=relative'
refused --values "$here/carrel/profiles/small.yaml" --set 'agentFolders[0].path=/folders/one:rw,agentFolders[0].volume.emptyDir.medium=Memory'
refused --values "$here/carrel/profiles/small.yaml" --set restoreDrill.enabled=true
refused --values "$here/carrel/profiles/small.yaml" --set pod.stopDelaySeconds=30
refused --values "$here/carrel/profiles/small.yaml" --set backup.enabled=true,backup.keep=0
refused --values "$here/carrel/profiles/small.yaml" --set redis.pod.extraEnvs[0]=x
refused --values "$here/carrel/profiles/small.yaml" --set services.chat.scratch.tmp=much
