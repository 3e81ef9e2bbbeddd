{{- /* What the values say about one pod, as YAML: `pod` for all pods, then the workload's own. Lists
       are appended to, maps merged; affinity and priority are replaced. Stores don't run Carrel,
       so they get no containers, variables and volumes of all pods.
       Arguments: root, component, own, and foreign for a store. */}}
{{- define "carrel.pod" -}}
{{- $all := .root.Values.pod -}}
{{- $own := .own | default dict -}}
{{- $pod := dict -}}
{{- range $key := list "labels" "annotations" "nodeSelector" }}
{{- $_ := set $pod $key (mergeOverwrite (dict) (deepCopy (get $all $key)) (deepCopy (get $own $key | default dict))) }}
{{- end }}
{{- $chart := merge (include "carrel.labels" .root | fromYaml) (include "carrel.selector" . | fromYaml) }}
{{- $_ := set $pod "labels" (mergeOverwrite $pod.labels $chart) }}
{{- range $key := list "tolerations" "initContainers" "extraEnv" "extraEnvFrom" "extraVolumes" "extraVolumeMounts" }}
{{- $common := ternary list (get $all $key) (and (default false $.foreign) (ne $key "tolerations")) }}
{{- $_ := set $pod $key (concat $common (get $own $key | default list)) }}
{{- end }}
{{- range $key := list "affinity" "priorityClassName" }}
{{- $_ := set $pod $key (get $own $key | default (get $all $key)) }}
{{- end }}
{{- toYaml $pod }}
{{- end }}

{{- /* Metadata of a pod's template. Arguments: pod (of carrel.pod), annotations. */}}
{{- define "carrel.podMetadata" -}}
labels: {{- toYaml .pod.labels | nindent 2 }}
{{- with mergeOverwrite (deepCopy .pod.annotations) (.annotations | default dict) }}
annotations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- /* The part of a pod's spec that is alike everywhere. Arguments: root, pod, userId, foreign. */}}
{{- define "carrel.podSpec" -}}
automountServiceAccountToken: false
enableServiceLinks: false
{{- if not .foreign }}
serviceAccountName: {{ include "carrel.serviceAccount" .root }}
{{- end }}
securityContext: {{- include "carrel.podSecurity" (.userId | default .root.Values.pod.userId) | nindent 2 }}
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
{{- range $key := list "priorityClassName" "nodeSelector" "tolerations" "affinity" }}
{{- with get $.pod $key }}
{{ toYaml (dict $key .) }}
{{- end }}
{{- end }}
{{- end }}

{{- /* The part of a CronJob that is alike for all. Arguments: its values. */}}
{{- define "carrel.cronJob" -}}
schedule: {{ .schedule | quote }}
{{- with .timeZone }}
timeZone: {{ . | quote }}
{{- end }}
suspend: {{ .suspend }}
concurrencyPolicy: Forbid
{{- /* Later than this, a missed run is left to the next. */}}
startingDeadlineSeconds: 3600
successfulJobsHistoryLimit: 3
failedJobsHistoryLimit: 3
{{- end }}
