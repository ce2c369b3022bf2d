{{- define "common.serviceAccount" -}}
{{- $root := .root -}}
{{- if $root.Values.serviceAccount.create -}}
apiVersion: v1
kind: ServiceAccount
metadata:
  name: {{ include "common.serviceAccountName" $root }}
  labels: {{- include "common.labels" $root | nindent 4 }}
  {{- with $root.Values.serviceAccount.annotations }}
  annotations: {{- toYaml . | nindent 4 }}
  {{- end }}
automountServiceAccountToken: false
{{- end }}
{{- end }}

{{- define "common.persistentVolumeClaim" -}}
{{- $root := .root -}}{{- $persistence := $root.Values.persistence -}}
{{- if and $persistence.enabled (not $root.Values.database.existingSecret) -}}
apiVersion: v1
kind: PersistentVolumeClaim
metadata:
  name: {{ include "common.fullname" $root }}
  labels: {{- include "common.labels" $root | nindent 4 }}
spec:
  accessModes: [ReadWriteOnce]
  {{- with $persistence.storageClass }}
  storageClassName: {{ . }}
  {{- end }}
  resources:
    requests:
      storage: {{ $persistence.size }}
{{- end }}
{{- end }}

{{- define "common.horizontalPodAutoscaler" -}}
{{- $root := .root -}}{{- $scaling := $root.Values.autoscaling -}}
{{- if $scaling.enabled -}}
{{- if gt (int $scaling.minReplicas) (int $scaling.maxReplicas) -}}
{{- fail (printf "%s: autoscaling.minReplicas (%v) must not exceed autoscaling.maxReplicas (%v)" $root.Chart.Name $scaling.minReplicas $scaling.maxReplicas) -}}
{{- end -}}
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: {{ include "common.fullname" $root }}
  labels: {{- include "common.labels" $root | nindent 4 }}
spec:
  scaleTargetRef:
    apiVersion: apps/v1
    kind: Deployment
    name: {{ include "common.fullname" $root }}
  minReplicas: {{ $scaling.minReplicas }}
  maxReplicas: {{ $scaling.maxReplicas }}
  metrics:
    - type: Resource
      resource:
        name: cpu
        target:
          type: Utilization
          averageUtilization: {{ $scaling.targetCPUUtilizationPercentage }}
    {{- with $scaling.targetMemoryUtilizationPercentage }}
    - type: Resource
      resource:
        name: memory
        target:
          type: Utilization
          averageUtilization: {{ . }}
    {{- end }}
  {{- with $scaling.behavior }}
  behavior: {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end }}
{{- end }}

{{- define "common.podDisruptionBudget" -}}
{{- $root := .root -}}
{{- if and $root.Values.podDisruptionBudget.enabled (gt (int (include "common.replicas" $root)) 1) -}}
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ include "common.fullname" $root }}
  labels: {{- include "common.labels" $root | nindent 4 }}
spec:
  maxUnavailable: {{ $root.Values.podDisruptionBudget.maxUnavailable }}
  selector:
    matchLabels: {{- include "common.selectorLabels" $root | nindent 6 }}
{{- end }}
{{- end }}

{{- define "common.serviceMonitor" -}}
{{- $root := .root -}}{{- $monitor := $root.Values.serviceMonitor -}}
{{- if $monitor.enabled -}}
apiVersion: monitoring.coreos.com/v1
kind: ServiceMonitor
metadata:
  name: {{ include "common.fullname" $root }}
  labels:
    {{- include "common.labels" $root | nindent 4 }}
    {{- with $monitor.labels }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
spec:
  selector:
    matchLabels: {{- include "common.selectorLabels" $root | nindent 6 }}
  endpoints:
    - port: probe
      path: /metrics
      interval: {{ $monitor.interval }}
      {{- with $monitor.scrapeTimeout }}
      scrapeTimeout: {{ . }}
      {{- end }}
      {{- with $monitor.relabelings }}
      relabelings: {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $monitor.metricRelabelings }}
      metricRelabelings: {{- toYaml . | nindent 8 }}
      {{- end }}
{{- end }}
{{- end }}
