{{- define "docstore-api.app" -}}
prefix: DOCSTORE_
# investigation-api looks quotes up here.
apiPeers: [investigation-api]
ports: { http: 8082, probe: 9082 }
portSettings: { http: DOCSTORE_PORT, probe: DOCSTORE_PROBE_PORT }
hosts: [DOCSTORE_HOST]
env:
  DOCSTORE_AUTHZ_URL: {{ include "common.authzTarget" . | quote }}
{{ include "common.authzTls" (dict "root" . "prefix" "DOCSTORE_") }}
{{- end }}
