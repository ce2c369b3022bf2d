{{- define "authz-grpc.app" -}}
prefix: AUTHZ_
ports: { grpc: 50051, http: 8081, probe: 9081 }
portSettings: { grpc: AUTHZ_GRPC_PORT, http: AUTHZ_HTTP_PORT, probe: AUTHZ_PROBE_PORT }
hosts: [AUTHZ_GRPC_HOST, AUTHZ_HTTP_HOST, AUTHZ_PROBE_HOST]
secretEnv:
  AUTHZ_ROOT_PASSWORD: { secret: {{ .Values.rootPassword.existingSecret | quote }}, key: {{ .Values.rootPassword.key }} }
  AUTHZ_KEY_SECRET: { secret: {{ .Values.signingKeys.existingSecret | quote }}, key: {{ .Values.signingKeys.key }} }
{{- with .Values.tls }}
{{- if .existingSecret }}
tls:
  secret: {{ .existingSecret }}
  files:
    AUTHZ_TLS_CERT: tls.crt
    AUTHZ_TLS_KEY: tls.key
    {{- with .clientCa }}
    AUTHZ_TLS_CLIENT_CA: {{ . }}
    {{- end }}
{{- end }}
{{- end }}
{{- end }}

{{/* Not the service's own labels: calls would be sent to the CronJob's pods. */}}
{{- define "authz-grpc.auditLabels" -}}
app.kubernetes.io/name: authz-grpc-audit
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}
