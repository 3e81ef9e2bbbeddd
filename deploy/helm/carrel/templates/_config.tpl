{{- /* Variables of all processes. */}}
{{- define "carrel.config" -}}
CARREL_HOME: /data
CARREL_HOST: "0.0.0.0"
CARREL_PORT: "3001"
CARREL_HEALTH_HOST: "0.0.0.0"
CARREL_HEALTH_PORT: "3002"
{{- /* What remains after the gateway's delay and 20 s to close what hasn't ended. */}}
CARREL_DRAIN_SECONDS: {{ max 0 (sub (sub .Values.pod.terminationGracePeriodSeconds .Values.pod.stopDelaySeconds) 20) | quote }}
CARREL_TRUST_PROXY: {{ .Values.trustProxy | quote }}
{{- with .Values.publicUrl }}
CARREL_PUBLIC_URL: {{ . | quote }}
{{- end }}
{{- with .Values.models.existingClaim }}
CARREL_MODELS_DIR: /models
{{- end }}
{{- with .Values.files.s3 }}
{{- if .bucket }}
S3_BUCKET: {{ .bucket | quote }}
S3_REGION: {{ .region | quote }}
S3_FORCE_PATH_STYLE: {{ .forcePathStyle | quote }}
{{- with .endpoint }}
S3_ENDPOINT: {{ . | quote }}
{{- end }}
{{- with .prefix }}
S3_PREFIX: {{ . | quote }}
{{- end }}
{{- end }}
{{- end }}
{{- if ne .Values.vectors.store "none" }}
CARREL_SETTING_VectorDB: {{ .Values.vectors.store }}
{{- end }}
{{- if eq .Values.vectors.store "qdrant" }}
CARREL_SETTING_QdrantEndpoint: {{ .Values.vectors.qdrant.url | default (printf "http://%s-qdrant:6333" (include "carrel.name" .)) | quote }}
{{- end }}
{{- range $name, $value := .Values.config }}
{{ $name }}: {{ $value | toString | quote }}
{{- end }}
{{- end }}
{{- /* Variables of the ConfigMap as a list, for hooks: they run while it is still the previous release's. */}}
{{- define "carrel.configEnv" -}}
{{- range $name, $value := include "carrel.config" . | fromYaml }}
- { name: {{ $name }}, value: {{ $value | quote }} }
{{- end }}
{{- end }}

{{- /* Variables of one service besides the ConfigMap's. Arguments: root, service. */}}
{{- define "carrel.serviceEnv" -}}
{{- include "carrel.secretEnv" .root }}
{{- if eq .service "gateway" }}
- { name: CARREL_STOP_DELAY_SECONDS, value: {{ .root.Values.pod.stopDelaySeconds | quote }} }
{{- else }}
{{ include "carrel.databaseEnv" . }}
{{- end }}
{{- if eq .service "workspace" }}
{{- include "carrel.settingEnv" .root }}
{{- end }}
{{- range $name, $value := (get .root.Values.services .service).env }}
- { name: {{ $name }}, value: {{ $value | toString | quote }} }
{{- end }}
{{- if and (eq .service "connectors") .root.Values.sourceFolders }}
{{- $paths := list }}
{{- range .root.Values.sourceFolders }}{{ $paths = append $paths .path }}{{ end }}
- { name: CARREL_SOURCE_FOLDERS, value: {{ join "," $paths | quote }} }
{{- end }}
{{- if and (eq .service "chat") .root.Values.agentFolders }}
{{- $entries := list }}
{{- range .root.Values.agentFolders }}{{ $entries = append $entries (printf "%s%s" .path (ternary ":rw" "" (default false .writable))) }}{{ end }}
- { name: CARREL_AGENT_FOLDERS, value: {{ join "," $entries | quote }} }
{{- end }}
{{- end }}

{{- /* Variables of a service's migration. Arguments: root, service, config (variables as a list). */}}
{{- define "carrel.migrationEnv" -}}
{{- .config }}
{{- include "carrel.secretEnv" .root }}
{{ include "carrel.databaseEnv" . }}
{{ include "carrel.ownerEnv" (dict "root" .root "name" "DATABASE_OWNER_URL") }}
{{- end }}

{{- /* A container's `env` in which each name appears once, the last: a server-side apply refuses two.
       Arguments: env (YAML), extra. */}}
{{- define "carrel.env" -}}
{{- $all := concat (.env | fromYamlArray) (.extra | default list) -}}
{{- $last := dict -}}
{{- range $n, $entry := $all }}{{ $_ := set $last $entry.name $n }}{{ end -}}
{{- $kept := list -}}
{{- range $n, $entry := $all }}{{ if eq $n (get $last $entry.name) }}{{ $kept = append $kept $entry }}{{ end }}{{ end -}}
{{ toYaml $kept }}
{{- end }}
