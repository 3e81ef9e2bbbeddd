{{- /* Fails with what to do if the values contradict each other. */}}
{{- define "carrel.check" -}}
{{- $secret := .Values.secret -}}
{{- if and $secret.generate (or $secret.existing (not .Values.postgresql.enabled) (not .Values.redis.enabled)) -}}
{{- fail "secret.generate is for an evaluation with postgresql and redis of the chart: enable both and leave secret.existing empty, or turn it off." -}}
{{- end -}}
{{- if and $secret.existing $secret.data -}}
{{- fail "Set secret.existing or secret.data, not both." -}}
{{- end -}}
{{- if not (or $secret.existing $secret.generate) -}}
{{- range $key, $made := dict "CARREL_SECRET" false "DATABASE_URL" (and .Values.postgresql.enabled (hasKey $secret.data "postgres-password")) "REDIS_URL" (and .Values.redis.enabled (hasKey $secret.data "redis-password")) -}}
{{- if not (or $made (hasKey $secret.data $key) (hasKey $secret.from $key)) -}}
{{- fail "Set secret.existing to a Secret with CARREL_SECRET, DATABASE_URL, DATABASE_URL_<SERVICE> of each service and REDIS_URL, or say in secret.from or secret.data where each comes from. For an evaluation, set secret.generate, as profiles/small.yaml does." -}}
{{- end -}}
{{- end -}}
{{- $own := and .Values.postgresql.enabled (hasKey $secret.data "postgres-password") -}}
{{- range $service := keys (omit .Values.services "gateway") | sortAlpha -}}
{{- $key := include "carrel.databaseKey" $service -}}
{{- if not (or $own (hasKey $secret.data $key) (hasKey $secret.from $key)) -}}
{{- fail (printf "Set %s in secret.from or secret.data: the URL of the user that %s logs in to PostgreSQL as. Or set secret.existing to a Secret with all keys." $key $service) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- if and (eq .Values.vectors.store "qdrant") (not .Values.vectors.qdrant.url) (not .Values.qdrant.enabled) -}}
{{- fail "Set vectors.qdrant.url, enable qdrant, or choose another vectors.store." -}}
{{- end -}}
{{- if and .Values.files.s3.bucket (ne .Values.vectors.store "qdrant") (not .Values.vectors.indexClaim) -}}
{{- fail "Set vectors.indexClaim to a claim that all ingest pods can mount: only Qdrant holds the full-text index, too." -}}
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
{{- if lt (int .Values.pod.terminationGracePeriodSeconds) (add 20 (int .Values.pod.stopDelaySeconds) | int) -}}
{{- fail "Set pod.terminationGracePeriodSeconds to at least 20 more than pod.stopDelaySeconds: what hasn't ended needs that to be closed." -}}
{{- end -}}
{{- if and .Values.restoreDrill.enabled (not .Values.backup.enabled) (not .Values.backup.volume.existingClaim) -}}
{{- fail "Set backup.enabled or backup.volume.existingClaim: the restore drill reads the backups there." -}}
{{- end -}}
{{- end }}
