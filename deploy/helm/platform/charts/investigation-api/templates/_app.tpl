{{- define "investigation-api.app" -}}
prefix: INVESTIGATION_
docstoreUrl: {{ include "common.docstoreUrl" . | quote }}
ports: { http: 8080, probe: 9080 }
portSettings: { http: INVESTIGATION_PORT, probe: INVESTIGATION_PROBE_PORT }
hosts: [INVESTIGATION_HOST]
secretEnv:
  INVESTIGATION_QUEUE_URL: { secret: {{ .Values.queue.existingSecret | quote }}, key: {{ .Values.queue.key | quote }} }
env:
  INVESTIGATION_WORKERS: {{ .Values.workers }}
  INVESTIGATION_WORKER_MEMORY_MIB: {{ .Values.workerMemoryMiB }}
  INVESTIGATION_AUTHZ_URL: {{ include "common.authzTarget" . | quote }}
  {{- with include "common.docstoreUrl" . }}
  INVESTIGATION_DOCSTORE_URL: {{ . | quote }}
  {{- end }}
  {{- if .Values.ingress.enabled }}
  INVESTIGATION_PUBLIC_URL: {{ printf "%s://%s" (ternary "https" "http" (ne .Values.ingress.tlsSecret "")) .Values.ingress.host | quote }}
  {{- end }}
{{ include "common.authzTls" (dict "root" . "prefix" "INVESTIGATION_") }}
{{- end }}
