{{/*
<release>-<chart><suffix>, at most 63 characters, as a DNS label. A long release name loses its end, so that the names of
two objects of one release never become the same. Takes a dict: release, chart, suffix.
*/}}
{{- define "common.label" -}}
{{- $tail := printf "-%s%s" .chart (.suffix | default "") -}}
{{- printf "%s%s" (.release | trunc (int (sub 63 (len $tail))) | trimSuffix "-") $tail -}}
{{- end }}

{{- define "common.fullname" -}}
{{- include "common.label" (dict "release" .Release.Name "chart" .Chart.Name) -}}
{{- end }}

{{- define "common.migrateName" -}}
{{- include "common.label" (dict "release" .Release.Name "chart" .Chart.Name "suffix" "-migrate") -}}
{{- end }}

{{/* The headless Service of authz-grpc, whichever chart of the release asks. */}}
{{- define "common.authzHeadless" -}}
{{- include "common.label" (dict "release" .Release.Name "chart" "authz-grpc" "suffix" "-headless") -}}
{{- end }}

{{- define "common.selectorLabels" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{/* Labels of pods hold nothing that changes with the chart alone: a changed label restarts every pod. */}}
{{- define "common.podLabels" -}}
{{ include "common.selectorLabels" . }}
app.kubernetes.io/version: {{ .Values.image.tag | default .Chart.AppVersion | quote }}
app.kubernetes.io/part-of: platform
{{- end }}

{{- define "common.labels" -}}
{{ include "common.podLabels" . }}
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
{{- $registry := .Values.global.imageRegistry | default "" | trimSuffix "/" -}}
{{- if $registry }}{{ $registry }}/{{ end -}}
{{ $image.repository }}
{{- if $image.digest }}@{{ $image.digest }}{{ else }}:{{ $image.tag | default .Chart.AppVersion }}{{ end -}}
{{- end }}

{{/* gRPC target of authz-grpc: every pod behind the headless service, so that clients spread calls themselves. */}}
{{- define "common.authzTarget" -}}
{{- .Values.global.authzTarget | default (printf "dns:///%s:50051" (include "common.authzHeadless" .)) -}}
{{- end }}

{{/* The most replicas that may run at one time. */}}
{{- define "common.replicas" -}}
{{- if .Values.autoscaling.enabled }}{{ .Values.autoscaling.maxReplicas }}{{ else }}{{ .Values.replicaCount }}{{ end -}}
{{- end }}
