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

{{- define "carrel.image" -}}
{{ printf "%s%s-%s:%s" .root.Values.image.registry .root.Values.image.repository .service (.root.Values.image.tag | default .root.Chart.AppVersion) }}
{{- end }}

{{- define "carrel.filesClaim" -}}
{{ .Values.files.volume.existingClaim | default (printf "%s-files" (include "carrel.name" .)) }}
{{- end }}

{{- define "carrel.redisAddress" -}}
{{ .Values.keda.redisAddress | default (printf "%s-redis:6379" (include "carrel.name" .)) }}
{{- end }}

{{- define "carrel.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{- /* Of PostgreSQL and Redis beside Carrel: as their images' own user, which PostgreSQL has to know. */}}
{{- define "carrel.storeSecurity" -}}
{{ include "carrel.containerSecurity" . }}
runAsUser: 999
runAsGroup: 999
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
