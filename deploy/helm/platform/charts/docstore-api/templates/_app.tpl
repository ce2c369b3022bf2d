{{- define "docstore-api.app" -}}
prefix: DOCSTORE_
ports: { http: 8082, probe: 9082 }
portSettings: { http: DOCSTORE_PORT, probe: DOCSTORE_PROBE_PORT }
hosts: [DOCSTORE_HOST]
env:
  DOCSTORE_AUTHZ_URL: {{ include "common.authzTarget" . | quote }}
{{- end }}
