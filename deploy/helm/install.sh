#!/usr/bin/env bash
# Installs the chart for real: builds etcd, kube-apiserver and Kubernetes' controllers of workloads from
# their Go modules (cluster/, Go 1.26 or newer, some 20 minutes of one core the first time), starts them
# on loopback, and runs what an operator runs: a server-side dry run of each profile, install, test,
# backup and drill, upgrade, an upgrade whose migration fails, rollback, an upgrade from the previous
# release's chart and uninstall. Containers don't run: cluster/nodes.go schedules pods and says of each
# what a kubelet would say.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/tools.sh"
kubernetes=$(sed -n 's/^\tk8s.io\/kubernetes v//p' "$here/cluster/go.mod")
cluster="$tools/cluster-$kubernetes-$(cat "$here"/cluster/* | sha256sum | cut -c 1-12)"
if [ ! -x "$cluster" ]; then
  echo "Building Kubernetes $kubernetes and etcd"
  (cd "$here/cluster" && CGO_ENABLED=0 go build -ldflags "-s -w -X k8s.io/component-base/version.gitVersion=v$kubernetes" -o "$cluster" .)
fi

work=$(mktemp -d)
started=()
stop() {
  code=$?
  for pid in "${started[@]}"; do kill -9 "$pid" 2> /dev/null || true; done
  wait 2> /dev/null
  if [ "$code" != 0 ]; then
    mkdir -p "$tools/logs" && cp "$work"/*.log "$tools/logs/"
    echo "FAILED; logs of the control plane are in $tools/logs" >&2
  fi
  rm -rf "$work"
}
trap stop EXIT
fail() { echo "FAILED: $*" >&2; exit 1; }
step() { printf '\n== %s\n' "$*"; }

# --- The control plane
port=$((20000 + RANDOM % 20000))
url=https://127.0.0.1:$((port + 2))
cd "$work"
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=test-ca -keyout ca.key -out ca.pem 2> /dev/null
certificate() { # name, subject, extensions
  openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj "$2" -keyout "$1.key" -out "$1.csr" 2> /dev/null
  openssl x509 -req -in "$1.csr" -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -out "$1.pem" \
    -extfile <(printf '%s' "$3") 2> /dev/null
}
certificate server /CN=kube-apiserver 'subjectAltName=IP:127.0.0.1'
certificate admin /O=system:masters/CN=admin 'extendedKeyUsage=clientAuth'
openssl genrsa -out accounts.key 2048 2> /dev/null
cat > kubeconfig << END
apiVersion: v1
kind: Config
current-context: test
contexts: [{ name: test, context: { cluster: test, user: admin } }]
clusters: [{ name: test, cluster: { server: "$url", certificate-authority: $work/ca.pem } }]
users: [{ name: admin, user: { client-certificate: $work/admin.pem, client-key: $work/admin.key } }]
END
export KUBECONFIG=$work/kubeconfig
# Nothing of the user's own.
export HELM_CACHE_HOME=$work/helm HELM_CONFIG_HOME=$work/helm HELM_DATA_HOME=$work/helm

run() { # log, command
  "${@:2}" > "$1.log" 2>&1 &
  started+=($!)
}
api() { # method, path, curl's arguments
  curl --silent --show-error --fail-with-body --cacert ca.pem --cert admin.pem --key admin.key --request "$1" "$url$2" "${@:3}"
}
until_() { # seconds, description, command
  for _ in $(seq $(($1 * 5))); do
    if "${@:3}" > /dev/null 2>&1; then return; fi
    sleep 0.2
  done
  "${@:3}" || true
  fail "$2: not within $1 s"
}
# The value of a JavaScript expression over the JSON that the path gives.
ask() { api GET "$1" | node -e 'const it = JSON.parse(require("fs").readFileSync(0)); const value = eval(process.argv[1]); process.stdout.write(String(value)); process.exitCode = value === false ? 1 : 0' "$2"; }
apply() { # path, manifest, further parameters, curl's arguments
  api PATCH "$1?fieldManager=test&force=true${3-}" --header 'content-type: application/apply-patch+yaml' --data-binary "$2" "${@:4}" > answer.log \
    || { cat answer.log; return 1; }
}

step "Kubernetes $kubernetes and etcd start on $url"
run etcd "$cluster" etcd --data-dir "$work/etcd" --unsafe-no-fsync --listen-client-urls "http://127.0.0.1:$port" \
  --advertise-client-urls "http://127.0.0.1:$port" --listen-peer-urls "http://127.0.0.1:$((port + 1))"
run kube-apiserver "$cluster" kube-apiserver --etcd-servers "http://127.0.0.1:$port" --bind-address 127.0.0.1 \
  --advertise-address 127.0.0.1 --secure-port $((port + 2)) --tls-cert-file server.pem --tls-private-key-file server.key --client-ca-file ca.pem \
  --service-account-issuer https://kubernetes.default.svc --service-account-signing-key-file accounts.key \
  --service-account-key-file accounts.key --service-cluster-ip-range 10.96.0.0/16 --authorization-mode Node,RBAC \
  --enable-admission-plugins NodeRestriction --endpoint-reconciler-type none
until_ 120 'the API server is ready' api GET /readyz
run controllers "$cluster" controllers
run nodes "$cluster" nodes
until_ 60 'two nodes are there' ask /api/v1/nodes 'it.items.length === 2'

apply /apis/storage.k8s.io/v1/storageclasses/test '{ apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: { name: test, annotations: { storageclass.kubernetes.io/is-default-class: "true" } }, provisioner: test/volumes }'
apply /apis/scheduling.k8s.io/v1/priorityclasses/carrel '{ apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: { name: carrel }, value: 1000 }'
# Pods that don't meet the strictest of Kubernetes' own standards are refused.
for namespace in dry carrel team large given previous upgraded; do
  apply /api/v1/namespaces/$namespace "{ apiVersion: v1, kind: Namespace, metadata: { name: $namespace, labels: { pod-security.kubernetes.io/enforce: restricted, pod-security.kubernetes.io/warn: restricted } } }"
  apply /api/v1/namespaces/$namespace/serviceaccounts/default "{ apiVersion: v1, kind: ServiceAccount, metadata: { name: default, namespace: $namespace } }"
done

# --- Definitions of others' kinds, from their modules.
step 'Gateway API, KEDA and ServiceMonitor'
folder() { (cd "$here/$1" && go mod download -json "$2" | sed -n 's/^\t"Dir": "\(.*\)",$/\1/p'); }
module() { sed -n "s#^\t$1 \(v[^ ]*\).*#$1@\1#p" "$here/check/kubernetes-1.36.mod"; }
monitoring=$(module github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring)
for file in \
  "$(folder check "$(module sigs.k8s.io/gateway-api)")/config/crd/standard/gateway.networking.k8s.io_httproutes.yaml" \
  "$(folder check "$(module github.com/kedacore/keda/v2)")"/config/crd/bases/keda.sh_{scaledobjects,triggerauthentications}.yaml \
  "$(folder check "github.com/prometheus-operator/prometheus-operator@${monitoring##*@}")/example/prometheus-operator-crd/monitoring.coreos.com_servicemonitors.yaml"; do
  name=$(sed -n 's/^  name: //p' "$file" | head -1)
  echo "$name"
  apply "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/$name" "@$file"
  until_ 60 "$name is served" ask "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/$name" \
    'it.status.conditions.some((one) => one.type === "Established" && one.status === "True")'
done

# --- What an operator does
chart=$here/carrel
small=(--values "$chart/profiles/small.yaml" --values "$here/check/extras.yaml" --set image.tag=one)
pods() { ask "/api/v1/namespaces/$1/pods?labelSelector=app.kubernetes.io%2Fname%3Dcarrel" "$2"; }
secret_of() { ask "/api/v1/namespaces/carrel/secrets/carrel-secret" 'it.data.CARREL_SECRET'; }
told() { grep -c "$1" nodes.log || true; }

# Sends each object to the API server to be validated and admitted but not stored, which Helm's dry
# run doesn't do; unknown fields and warnings are errors.
dry_run() { # namespace, file
  rm -f object-*.yaml
  awk '/^---$/ { number++ } { print > sprintf("object-%03d.yaml", number) }' "$2"
  local count=0 version kind name plural
  for object in object-*.yaml; do
    version=$(sed -n 's/^apiVersion: //p' "$object" | head -1)
    [ -n "$version" ] || continue
    kind=$(sed -n 's/^kind: //p' "$object" | head -1)
    name=$(sed -n 's/^  name: //p' "$object" | head -1)
    plural=$(printf '%ss' "${kind,,}" | sed 's/ys$/ies/; s/sss$/sses/')
    [ "$version" = v1 ] && version=/api/v1 || version=/apis/$version
    apply "$version/namespaces/$1/$plural/$name" "@$object" '&dryRun=All&fieldValidation=Strict' --dump-header headers \
      || fail "the API server refuses $kind $name"
    if grep -i '^warning:' headers; then fail "the API server warns about $kind $name"; fi
    count=$((count + 1))
  done
  echo "$count objects"
}
# The test's pod is admitted only if its account is there, which a dry run doesn't store.
apply /api/v1/namespaces/dry/serviceaccounts/carrel '{ apiVersion: v1, kind: ServiceAccount, metadata: { name: carrel, namespace: dry } }'
for profile in small team large; do
  step "Server-side dry runs, $profile"
  "$helm" install dry "$chart" --namespace dry --values "$chart/profiles/$profile.yaml" --dry-run=server > /dev/null
  "$helm" template carrel "$chart" --namespace dry --values "$chart/profiles/$profile.yaml" > rendered.yaml
  dry_run dry rendered.yaml
done

step 'helm install of the smallest profile, with every value of check/extras.yaml, into a "restricted" namespace'
"$helm" install carrel "$chart" --namespace carrel "${small[@]}" --wait --timeout 120s > install.log
grep -i warning install.log && fail 'the API server warns'
pods carrel 'it.items.length === 10 && it.items.every((pod) => pod.status.phase === "Running" && pod.spec.priority === 1000 && pod.metadata.labels.team === "platform")' > /dev/null \
  || fail 'ten pods with priority and label don'\''t run'
[ "$(told 'migration')" = 0 ] || fail 'a migration ran on the first installation'
# Server-side apply would have refused two variables of one name.
ask /apis/apps/v1/namespaces/carrel/deployments/carrel-chat 'it.spec.template.spec.containers[0].env.filter((one) => one.name === "CARREL_LOG_LEVEL").map((one) => one.value).join() === "info"' > /dev/null || fail 'the last value of a variable'
secret=$(secret_of)

step 'helm test'
"$helm" test carrel --namespace carrel --timeout 60s > /dev/null
[ "$(told '^test one .* succeeded')" = 1 ] || fail 'the test pod did not run'

step 'Backup and restore drill, started from their CronJobs'
for job in backup restore-drill; do
  api GET /apis/batch/v1/namespaces/carrel/cronjobs/carrel-$job | node -e 'const it = JSON.parse(require("fs").readFileSync(0)); process.stdout.write(JSON.stringify({ apiVersion: "batch/v1", kind: "Job", metadata: { name: process.argv[1] }, spec: it.spec.jobTemplate.spec }))' "$job-now" > job.json
  api POST /apis/batch/v1/namespaces/carrel/jobs --header 'content-type: application/json' --data-binary @job.json > /dev/null
  until_ 60 "$job succeeds" ask "/apis/batch/v1/namespaces/carrel/jobs/$job-now" 'it.status.succeeded === 1'
done

step 'helm upgrade: the migration first, then pods'
"$helm" upgrade carrel "$chart" --namespace carrel "${small[@]}" --set image.tag=two --wait --timeout 180s > /dev/null
order=$(grep -E '^[a-z-]+ two ' nodes.log | head -1 || true)
case "$order" in migration*succeeded) ;; *) fail "the first pod of the upgrade was: $order" ;; esac
[ "$(told '^migration two .* succeeded')" = 1 ] || fail 'not one migration'
until_ 60 'all services run the new version' pods carrel 'it.items.filter((pod) => pod.spec.containers[0].image.endsWith(":two")).length === 7 && !it.items.some((pod) => pod.spec.containers[0].image.endsWith(":one") && pod.status.phase === "Running")'
[ "$(secret_of)" = "$secret" ] || fail 'the secret changed'
ask /apis/batch/v1/namespaces/carrel/jobs '!it.items.some((job) => job.metadata.name === "carrel-migration")' > /dev/null || fail 'the migration'\''s Job is left'

step 'helm upgrade whose migration fails: no pod is replaced'
if "$helm" upgrade carrel "$chart" --namespace carrel "${small[@]}" --set image.tag=three,migration.retries=0 \
  --set-string 'migration.pod.annotations.carrel\.test/exit-code=1' --wait --timeout 120s > upgrade.log 2>&1; then
  fail 'the upgrade went through'
fi
tail -1 upgrade.log
[ "$(grep -cE '^[a-z-]+ three ' nodes.log)" = "$(told '^migration three .* failed')" ] || fail 'a pod of the failed version was started'
pods carrel 'it.items.filter((pod) => pod.spec.containers[0].image.endsWith(":two") && pod.status.phase === "Running").length === 7' > /dev/null || fail 'the running version was touched'

step 'helm rollback to the first version: no migration runs'
migrations=$(told '^migration ')
"$helm" rollback carrel 1 --namespace carrel --wait --timeout 180s > /dev/null
until_ 60 'all services run the first version' pods carrel 'it.items.filter((pod) => pod.spec.containers[0].image.endsWith(":one") && pod.metadata.ownerReferences?.[0]?.kind === "ReplicaSet").length === 7 && !it.items.some((pod) => pod.spec.containers[0].image.endsWith(":two"))'
[ "$(told '^migration ')" = "$migrations" ] || fail 'a migration ran'
[ "$(secret_of)" = "$secret" ] || fail 'the secret changed'

previous=$(git -C "$here" describe --tags --abbrev=0 HEAD^ 2> /dev/null || echo a329a942712fd7b467caa1ec04c2f78479a826d1)
mkdir previous
git -C "$here/../.." archive "$previous" deploy/helm/carrel | tar -x -C previous
old=$work/previous/deploy/helm/carrel

step "helm upgrade from the chart of $previous, which generated a Secret without the services' URLs"
"$helm" install previous "$old" --namespace previous --values "$old/profiles/small.yaml" --set image.tag=old --wait --timeout 120s > /dev/null
kept() { ask /api/v1/namespaces/previous/secrets/previous-secret '["CARREL_SECRET", "postgres-password", "redis-password"].map((key) => it.data[key]).join()'; }
generated=$(kept)
new=(--namespace previous --values "$chart/profiles/small.yaml" --set image.tag=new)
if "$helm" upgrade previous "$chart" "${new[@]}" --set secret.generate=false > upgrade.log 2>&1; then fail 'not refused without secret.generate'; fi
grep -q 'set secret.generate' upgrade.log || fail "refused for another reason: $(cat upgrade.log)"
"$helm" upgrade previous "$chart" "${new[@]}" --wait --timeout 180s > /dev/null
case "$(grep -E '^[a-z-]+ new ' nodes.log | head -1)" in migration*succeeded) ;; *) fail 'the first pod of the upgrade did not migrate' ;; esac
pods previous 'it.items.filter((pod) => pod.spec.containers[0].image.endsWith(":new") && pod.status.phase === "Running").length === 7' > /dev/null || fail 'seven services do not run'
[ "$(kept)" = "$generated" ] || fail 'the passwords changed'
ask /api/v1/namespaces/previous/secrets '!it.items.some((one) => one.metadata.name === "previous-migration")' > /dev/null || fail "the migration's Secret is left"
"$helm" rollback previous 1 --namespace previous --wait --timeout 180s > /dev/null
until_ 60 'all services run the old version again' pods previous 'it.items.filter((pod) => pod.spec.containers[0].image.endsWith(":old") && pod.status.phase === "Running").length === 7 && !it.items.some((pod) => pod.spec.containers[0].image.endsWith(":new"))'
[ "$(kept)" = "$generated" ] || fail 'the passwords changed'

step "helm upgrade from the chart of $previous with an existing Secret: services without a URL get the owner's until it is there"
make_secret() { # namespace, keys
  node -e 'process.stdout.write(JSON.stringify({ apiVersion: "v1", kind: "Secret", metadata: { name: "carrel" }, stringData: Object.fromEntries(process.argv.slice(1).map((key) => [key, "x"])) }))' "${@:2}" > secret.json
  apply "/api/v1/namespaces/$1/secrets/carrel" @secret.json
}
keys=(CARREL_SECRET DATABASE_URL REDIS_URL QDRANT_API_KEY redis-password)
urls=(DATABASE_URL_{AUTH,WORKSPACE,CHAT,INGEST,CONNECTORS,SYNC_WORKER})
# Comma-separated: the Secret's key that each service's URL comes from.
sources() { ask /apis/apps/v1/namespaces/upgraded/deployments 'it.items.flatMap((one) => one.spec.template.spec.containers[0].env.filter((each) => each.name === "DATABASE_URL").map((each) => each.valueFrom.secretKeyRef.key)).sort().join()'; }
make_secret upgraded "${keys[@]}"
"$helm" install carrel "$old" --namespace upgraded --values "$old/profiles/team.yaml" --set image.tag=old --wait=hookOnly --timeout 120s > /dev/null
new=(--namespace upgraded --values "$chart/profiles/team.yaml" --wait=hookOnly --timeout 120s)
"$helm" upgrade carrel "$chart" "${new[@]}" --set image.tag=owner > notes.log
grep -A 8 'lacks the URLs' notes.log | grep -q DATABASE_URL_SYNC_WORKER || fail 'nothing says that keys are missing'
[ "$(told '^migration owner .* succeeded')" = 1 ] || fail 'no migration'
[ "$(sources)" = DATABASE_URL,DATABASE_URL,DATABASE_URL,DATABASE_URL,DATABASE_URL,DATABASE_URL ] || fail "services' URLs: $(sources)"
make_secret upgraded "${keys[@]}" "${urls[@]}"
"$helm" upgrade carrel "$chart" "${new[@]}" --set image.tag=own > notes.log
if grep 'lacks the URLs' notes.log; then fail 'keys are there'; fi
[ "$(sources)" = DATABASE_URL_AUTH,DATABASE_URL_CHAT,DATABASE_URL_CONNECTORS,DATABASE_URL_INGEST,DATABASE_URL_SYNC_WORKER,DATABASE_URL_WORKSPACE ] || fail "services' URLs: $(sources)"
until_ 120 'the services run with users of their own' ask /apis/apps/v1/namespaces/upgraded/deployments 'it.items.length === 7 && it.items.every((one) => one.status.observedGeneration === one.metadata.generation && one.status.updatedReplicas === one.status.replicas && one.status.availableReplicas === one.status.replicas)'

step 'helm install of the profiles for a team and for a company, with an existing Secret'
for profile in team large; do
  make_secret $profile "${keys[@]}" "${urls[@]}"
  "$helm" install carrel "$chart" --namespace $profile --values "$chart/profiles/$profile.yaml" --wait=hookOnly --timeout 120s > /dev/null
  # Without metrics in the cluster, autoscalers keep the number of replicas that they find.
  until_ 120 "the services of $profile run" ask /apis/apps/v1/namespaces/$profile/deployments 'it.items.length === 7 && it.items.every((one) => one.status.availableReplicas >= 1 && one.status.availableReplicas === one.status.replicas)'
  ask /apis/policy/v1/namespaces/$profile/poddisruptionbudgets 'it.items.length > 4' > /dev/null || fail 'no disruption budgets'
done

step 'Rendered only and applied twice, as Argo CD and Flux do: nothing changes the second time'
given=(--values "$chart/profiles/small.yaml" --set secret.generate=false --set-string secret.data.CARREL_SECRET=0123456789012345678901234567890123456789
  --set-string secret.data.postgres-password=a --set-string secret.data.redis-password=b)
versions() { ask '/apis/apps/v1/namespaces/given/deployments' 'it.items.map((one) => one.metadata.generation).join()'; ask /api/v1/namespaces/given/secrets/given-secret 'it.metadata.resourceVersion'; }
"$helm" install given "$chart" --namespace given "${given[@]}" --wait=hookOnly > /dev/null
before=$(versions)
"$helm" template given "$chart" --namespace given --no-hooks "${given[@]}" > given.yaml
"$helm" template given "$chart" --namespace given --no-hooks "${given[@]}" | cmp - given.yaml
"$helm" upgrade given "$chart" --namespace given --no-hooks "${given[@]}" --wait=hookOnly > /dev/null
[ "$(versions)" = "$before" ] || fail "objects changed: $before, then $(versions)"

step 'helm uninstall: files, backups and the generated secret are kept'
"$helm" uninstall carrel --namespace carrel --wait --timeout 120s > /dev/null
until_ 60 'no pod is left' pods carrel 'it.items.every((pod) => pod.metadata.ownerReferences?.[0]?.kind === "Job")'
[ "$(secret_of)" = "$secret" ] || fail 'the secret is gone'
ask /api/v1/namespaces/carrel/persistentvolumeclaims '["carrel-files", "carrel-backups"].every((name) => it.items.some((claim) => claim.metadata.name === name && claim.status.phase === "Bound"))' > /dev/null || fail 'a volume is gone'
ask /apis/networking.k8s.io/v1/namespaces/carrel/networkpolicies 'it.items.length === 0' > /dev/null || fail 'network policies are left'

step "Installed, upgraded, rolled back and uninstalled on Kubernetes $kubernetes: all as expected"
