{{- define "carrel.name" -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- end }}

{{- define "carrel.labels" -}}
app.kubernetes.io/name: carrel
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- /* Labels that pods are found by; they never change. Arguments: root, component. */}}
{{- define "carrel.selector" -}}
app.kubernetes.io/name: carrel
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{- define "carrel.serviceAccount" -}}
{{- if .Values.serviceAccount.create -}}
{{ .Values.serviceAccount.name | default (include "carrel.name" .) }}
{{- else -}}
{{ .Values.serviceAccount.name | default "default" }}
{{- end -}}
{{- end }}

{{- define "carrel.secret" -}}
{{ .Values.secret.existing | default (printf "%s-secret" (include "carrel.name" .)) }}
{{- end }}

{{- define "carrel.image" -}}
{{ printf "%s%s-%s:%s" .root.Values.image.registry .root.Values.image.repository .service (.root.Values.image.tag | default .root.Chart.AppVersion) }}
{{- end }}

{{- define "carrel.filesClaim" -}}
{{ .Values.files.volume.existingClaim | default (printf "%s-files" (include "carrel.name" .)) }}
{{- end }}

{{- define "carrel.redisAddress" -}}
{{ .Values.keda.redisAddress | default (printf "%s-redis:6379" (include "carrel.name" .)) }}
{{- end }}

{{- /* Variables that come from the Secret, for a container. */}}
{{- define "carrel.secretEnv" -}}
{{- $secret := include "carrel.secret" . -}}
{{- $keys := concat (list "CARREL_SECRET" "DATABASE_URL" "REDIS_URL") .Values.secret.extraKeys -}}
{{- range $keys }}
- name: {{ . }}
  valueFrom: { secretKeyRef: { name: {{ $secret }}, key: {{ . }} } }
{{- end }}
{{- range list "S3_ACCESS_KEY_ID" "S3_SECRET_ACCESS_KEY" "CARREL_OIDC_CLIENT_SECRET" }}
{{- if not (has . $keys) }}
- name: {{ . }}
  valueFrom: { secretKeyRef: { name: {{ $secret }}, key: {{ . }}, optional: true } }
{{- end }}
{{- end }}
{{- if and (eq .Values.vectors.store "qdrant") .Values.vectors.qdrant.apiKeyKey }}
- name: CARREL_SETTING_QdrantApiKey
  valueFrom: { secretKeyRef: { name: {{ $secret }}, key: {{ .Values.vectors.qdrant.apiKeyKey }} } }
{{- end }}
{{- if eq .Values.vectors.store "pgvector" }}
- name: CARREL_SETTING_PGVectorConnectionString
  valueFrom: { secretKeyRef: { name: {{ $secret }}, key: {{ .Values.vectors.pgvector.connectionKey }} } }
{{- end }}
{{- end }}

{{- define "carrel.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{- /* Arguments: userId. */}}
{{- define "carrel.podSecurity" -}}
runAsNonRoot: true
runAsUser: {{ . }}
runAsGroup: {{ . }}
fsGroup: {{ . }}
fsGroupChangePolicy: OnRootMismatch
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- /* Fails with what to do if the values contradict each other. */}}
{{- define "carrel.check" -}}
{{- if and (not .Values.secret.existing) (not (and .Values.postgresql.enabled .Values.redis.enabled)) -}}
{{- fail "Set secret.existing to a Secret with CARREL_SECRET, DATABASE_URL and REDIS_URL, or enable postgresql and redis for an evaluation." -}}
{{- end -}}
{{- if and .Values.secret.existing (or .Values.postgresql.enabled .Values.redis.enabled) -}}
{{- fail "postgresql and redis of the chart get their passwords from the chart's own Secret: leave secret.existing empty, or disable them." -}}
{{- end -}}
{{- if and (eq .Values.vectors.store "qdrant") (not .Values.vectors.qdrant.url) (not .Values.qdrant.enabled) -}}
{{- fail "Set vectors.qdrant.url, enable qdrant, or choose another vectors.store." -}}
{{- end -}}
{{- if and .Values.ingress.enabled (not .Values.ingress.host) -}}
{{- fail "Set ingress.host." -}}
{{- end -}}
{{- if and .Values.gatewayApi.enabled (not .Values.gatewayApi.parentRefs) -}}
{{- fail "Set gatewayApi.parentRefs." -}}
{{- end -}}
{{- if and .Values.keda.enabled (not .Values.redis.enabled) (not .Values.keda.redisAddress) -}}
{{- fail "Set keda.redisAddress." -}}
{{- end -}}
{{- end }}
