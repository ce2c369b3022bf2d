{{/* <release>-<chart>, at most 63 characters, as a DNS label. */}}
{{- define "common.fullname" -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 63 | trimSuffix "-" -}}
{{- end }}

{{- define "common.selectorLabels" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "common.labels" -}}
{{ include "common.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/part-of: platform
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "common.serviceAccountName" -}}
{{- if .Values.serviceAccount.create -}}
{{ .Values.serviceAccount.name | default (include "common.fullname" .) }}
{{- else -}}
{{ .Values.serviceAccount.name | default "default" }}
{{- end -}}
{{- end }}

{{/* A digest names one image for ever and wins over the tag. */}}
{{- define "common.image" -}}
{{- $image := .Values.image -}}
{{- $registry := .Values.global.imageRegistry | default "" -}}
{{- if $registry }}{{ $registry }}/{{ end -}}
{{ $image.repository }}
{{- if $image.digest }}@{{ $image.digest }}{{ else }}:{{ $image.tag | default .Chart.AppVersion }}{{ end -}}
{{- end }}

{{/* gRPC target of authz-grpc: every pod behind the headless service, so that clients spread calls themselves. */}}
{{- define "common.authzTarget" -}}
{{- .Values.global.authzTarget | default (printf "dns:///%s-authz-grpc-headless:50051" .Release.Name) -}}
{{- end }}

{{/* The most replicas that may run at one time. */}}
{{- define "common.replicas" -}}
{{- if .Values.autoscaling.enabled }}{{ .Values.autoscaling.maxReplicas }}{{ else }}{{ .Values.replicaCount }}{{ end -}}
{{- end }}
