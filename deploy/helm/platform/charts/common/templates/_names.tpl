{{/*
What the names of all objects begin with: the release, or what the values put in its place. The name of the service stays at
the end, where alert rules look for it.
*/}}
{{- define "common.prefix" -}}
{{- $global := .Values.global -}}
{{- $global.fullnameOverride | default (printf "%s%s" .Release.Name (ternary (printf "-%s" $global.nameOverride) "" (ne ($global.nameOverride | default "") ""))) -}}
{{- end }}

{{/*
<prefix>-<chart><suffix>, at most `max` (63) characters, as a DNS label. A long prefix loses its end, so that the names of two
objects of one release never become the same. Takes a dict: root, chart, suffix, max.
*/}}
{{- define "common.label" -}}
{{- $tail := printf "-%s%s" .chart (.suffix | default "") -}}
{{- printf "%s%s" (include "common.prefix" .root | trunc (int (sub (.max | default 63) (len $tail))) | trimSuffix "-") $tail -}}
{{- end }}

{{- define "common.fullname" -}}
{{- include "common.label" (dict "root" . "chart" .Chart.Name) -}}
{{- end }}

{{- define "common.migrateName" -}}
{{- include "common.label" (dict "root" . "chart" .Chart.Name "suffix" "-migrate") -}}
{{- end }}

{{/* The headless Service of authz-grpc, whichever chart of the release asks. */}}
{{- define "common.authzHeadless" -}}
{{- include "common.label" (dict "root" . "chart" "authz-grpc" "suffix" "-headless") -}}
{{- end }}

{{- define "common.selectorLabels" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "common.ownLabels" -}}
{{ include "common.selectorLabels" . }}
app.kubernetes.io/version: {{ .Values.image.tag | default .Chart.AppVersion | quote }}
app.kubernetes.io/part-of: platform
{{- end }}

{{/* Labels of pods hold nothing that changes with the chart alone: a changed label restarts every pod. */}}
{{- define "common.podLabels" -}}
{{ include "common.ownLabels" . }}
{{- include "common.furtherPodLabels" . }}
{{- end }}

{{/* What the values add to the labels of a pod, on lines of their own. */}}
{{- define "common.furtherPodLabels" -}}
{{- with merge (dict) .Values.podLabels (.Values.global.commonLabels | default dict) }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/* What the values add to the labels of an object, on lines of their own. */}}
{{- define "common.furtherLabels" -}}
{{- with .Values.global.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- define "common.labels" -}}
{{ include "common.ownLabels" . }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- include "common.furtherLabels" . }}
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

{{/* Base URL of docstore-api for investigation-api; "" where there is none. */}}
{{- define "common.docstoreUrl" -}}
{{- $url := .Values.global.docstoreUrl | default (printf "http://%s:8082" (include "common.label" (dict "root" . "chart" "docstore-api"))) -}}
{{- if ne $url "none" }}{{ $url }}{{ end -}}
{{- end }}

{{/* The most replicas that may run at one time. */}}
{{- define "common.replicas" -}}
{{- if .Values.autoscaling.enabled }}{{ .Values.autoscaling.maxReplicas }}{{ else }}{{ .Values.replicaCount }}{{ end -}}
{{- end }}
