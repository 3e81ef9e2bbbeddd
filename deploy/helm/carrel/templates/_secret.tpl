{{- define "carrel.secret" -}}
{{ .secretName | default .Values.secret.existing | default (printf "%s-secret" (include "carrel.name" .)) }}
{{- end }}

{{- /* Name of the Secret that the chart makes for the migration before an upgrade; empty if it makes none:
       Helm changes the release's Secret only after that migration. */}}
{{- define "carrel.migrationSecret" -}}
{{- if and .Values.migration.enabled (or .Values.secret.generate .Values.secret.data) -}}
{{ include "carrel.name" . }}-migration
{{- end -}}
{{- end }}

{{- /* Where a secret value is kept, for secretKeyRef. Arguments: root, key. */}}
{{- define "carrel.secretKey" -}}
{{- $elsewhere := get .root.Values.secret.from .key -}}
{ name: {{ ($elsewhere | default dict).name | default (include "carrel.secret" .root) }}, key: {{ ($elsewhere | default dict).key | default .key }} }
{{- end }}

{{- /* Key of the Secret with Qdrant's API key; empty if there is none. */}}
{{- define "carrel.qdrantKey" -}}
{{- $isOurs := and .Values.qdrant.enabled (or .Values.secret.generate (hasKey .Values.secret.data "QDRANT_API_KEY")) -}}
{{ .Values.vectors.qdrant.apiKeyKey | default (ternary "QDRANT_API_KEY" "" $isOurs) }}
{{- end }}

{{- define "carrel.optionalKey" -}}
{{ include "carrel.secretKey" . | trimSuffix " }" }}, optional: true }
{{- end }}

{{- /* Key with the URL of the user that a service logs in to PostgreSQL as. */}}
{{- define "carrel.databaseKey" -}}
DATABASE_URL_{{ . | replace "-" "_" | upper }}
{{- end }}

{{- /* Services whose URL an existing Secret lacks, as a list; none if the cluster isn't asked, as when
       the chart is only rendered. A Secret of a version without these keys has the owner's alone. */}}
{{- define "carrel.withoutDatabaseKey" -}}
{{- $lacking := list -}}
{{- if .Values.secret.existing -}}
{{- with lookup "v1" "Secret" .Release.Namespace .Values.secret.existing -}}
{{- $data := .data | default dict -}}
{{- range $service := keys (omit $.Values.services "gateway") | sortAlpha -}}
{{- $key := include "carrel.databaseKey" $service -}}
{{- if not (or (hasKey $data $key) (hasKey $.Values.secret.from $key)) -}}
{{- $lacking = append $lacking $service -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- toJson $lacking -}}
{{- end }}

{{- /* A service's own URL of PostgreSQL. Arguments: root, service. */}}
{{- define "carrel.databaseEnv" -}}
{{- $lacking := include "carrel.withoutDatabaseKey" .root | fromJsonArray -}}
{{- $key := ternary "DATABASE_URL" (include "carrel.databaseKey" .service) (has .service $lacking) -}}
- name: DATABASE_URL
  valueFrom: { secretKeyRef: {{ include "carrel.secretKey" (dict "root" .root "key" $key) }} }
{{- end }}

{{- /* The owner's URL, for migrations and backups only. Arguments: root, name (of the variable). */}}
{{- define "carrel.ownerEnv" -}}
- name: {{ .name }}
  valueFrom: { secretKeyRef: {{ include "carrel.secretKey" (dict "root" .root "key" "DATABASE_URL") }} }
{{- end }}

{{- /* Variables that come from Secrets, for a container; none of PostgreSQL. */}}
{{- define "carrel.secretEnv" -}}
{{- $keys := concat (list "CARREL_SECRET" "REDIS_URL") .Values.secret.extraKeys -}}
{{- range $keys }}
- name: {{ . }}
  valueFrom: { secretKeyRef: {{ include "carrel.secretKey" (dict "root" $ "key" .) }} }
{{- end }}
{{- include "carrel.bucketEnv" . }}
{{- range list "CARREL_SECRET_OTHER" "CARREL_OIDC_CLIENT_SECRET" "CARREL_EGRESS_PROXY" }}
{{- if not (has . $keys) }}
- name: {{ . }}
  valueFrom: { secretKeyRef: {{ include "carrel.optionalKey" (dict "root" $ "key" .) }} }
{{- end }}
{{- end }}
{{- with .Values.certificates }}
{{- if or .configMap .secret }}
- name: CARREL_CA
  valueFrom: { {{ ternary "configMapKeyRef" "secretKeyRef" (ne .configMap "") }}: { name: {{ .configMap | default .secret }}, key: {{ .key }} } }
{{- end }}
{{- end }}
{{- end }}

{{- /* Settings that come from Secrets, for workspace only: it keeps the settings and gives them to the
       services that use them. */}}
{{- define "carrel.settingEnv" -}}
{{- if eq .Values.vectors.store "qdrant" }}
{{- with include "carrel.qdrantKey" . }}
- name: CARREL_SETTING_QdrantApiKey
  valueFrom: { secretKeyRef: {{ include "carrel.secretKey" (dict "root" $ "key" .) }} }
{{- end }}
{{- end }}
{{- if eq .Values.vectors.store "pgvector" }}
- name: CARREL_SETTING_PGVectorConnectionString
  valueFrom: { secretKeyRef: {{ include "carrel.secretKey" (dict "root" . "key" .Values.vectors.pgvector.connectionKey) }} }
{{- end }}
{{- end }}

{{- define "carrel.bucketEnv" -}}
{{- range list "S3_ACCESS_KEY_ID" "S3_SECRET_ACCESS_KEY" }}
{{- if not (has . $.Values.secret.extraKeys) }}
- name: {{ . }}
  valueFrom: { secretKeyRef: {{ include "carrel.optionalKey" (dict "root" $ "key" .) }} }
{{- end }}
{{- end }}
{{- end }}
