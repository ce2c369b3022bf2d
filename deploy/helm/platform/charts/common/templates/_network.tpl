{{- define "common.service" -}}
{{- $root := .root -}}{{- $app := .app -}}
apiVersion: v1
kind: Service
metadata:
  name: {{ include "common.fullname" $root }}
  labels: {{- include "common.labels" $root | nindent 4 }}
  {{- with $root.Values.service.annotations }}
  annotations: {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  type: {{ $root.Values.service.type }}
  {{- with $root.Values.service.loadBalancerClass }}
  loadBalancerClass: {{ . }}
  {{- end }}
  selector: {{- include "common.selectorLabels" $root | nindent 4 }}
  ports:
    {{- range $name, $port := $app.ports }}
    {{- if or (ne $name "probe") (eq $root.Values.service.type "ClusterIP") }}
    - name: {{ $name }}
      port: {{ $port }}
      targetPort: {{ $name }}
      protocol: TCP
      {{- with include "common.appProtocol" (dict "root" $root "port" $name) }}
      appProtocol: {{ . }}
      {{- end }}
    {{- end }}
    {{- end }}
{{- if ne $root.Values.service.type "ClusterIP" }}
---
# Metrics and probes stay inside the cluster when the service itself is published.
apiVersion: v1
kind: Service
metadata:
  name: {{ include "common.label" (dict "root" $root "chart" $root.Chart.Name "suffix" "-probe") }}
  labels: {{- include "common.labels" $root | nindent 4 }}
spec:
  type: ClusterIP
  selector: {{- include "common.selectorLabels" $root | nindent 4 }}
  ports:
    - name: probe
      port: {{ $app.ports.probe }}
      targetPort: probe
      protocol: TCP
{{- end }}
{{- end }}

{{/* What is spoken on a port of a Service, where a balancer could not tell; "" for plain HTTP. */}}
{{- define "common.appProtocol" -}}
{{- if and (ne .port "probe") (include "common.servesTls" .root) -}}https
{{- else if eq .port "grpc" -}}kubernetes.io/h2c
{{- end -}}
{{- end }}

{{/* A name that resolves to every pod: a gRPC client behind one address would stay with one pod. */}}
{{- define "common.headlessService" -}}
{{- $root := .root -}}{{- $app := .app -}}
apiVersion: v1
kind: Service
metadata:
  name: {{ include "common.authzHeadless" $root }}
  labels: {{- include "common.labels" $root | nindent 4 }}
spec:
  clusterIP: None
  selector: {{- include "common.selectorLabels" $root | nindent 4 }}
  ports:
    - name: grpc
      port: {{ $app.ports.grpc }}
      targetPort: grpc
      protocol: TCP
{{- end }}

{{- define "common.ingress" -}}
{{- include "common.ingressTo" (dict "root" .root "value" "ingress" "port" "http" "suffix" "") -}}
{{- end }}

{{/* gRPC has an Ingress of its own: controllers speak HTTP/2 to what is behind it only where an annotation says so. */}}
{{- define "common.grpcIngress" -}}
{{- include "common.ingressTo" (dict "root" .root "value" "grpcIngress" "port" "grpc" "suffix" "-grpc") -}}
{{- end }}

{{/* How the most common controller is told what is spoken behind it; annotations of the values win. */}}
{{- define "common.backendAnnotations" -}}
{{- $protocol := ternary "GRPC" "HTTP" (eq .port "grpc") -}}
{{- if include "common.servesTls" .root }}{{ $protocol = printf "%sS" $protocol }}{{ end -}}
{{- if ne $protocol "HTTP" -}}
nginx.ingress.kubernetes.io/backend-protocol: {{ $protocol }}
{{- end -}}
{{- end }}

{{/* An Ingress to one port of the Service. Takes a dict: root, value (name of the values), port, suffix of its name. */}}
{{- define "common.ingressTo" -}}
{{- $root := .root -}}{{- $ingress := index $root.Values .value -}}
{{- if $ingress.enabled -}}
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: {{ include "common.label" (dict "root" $root "chart" $root.Chart.Name "suffix" .suffix) }}
  labels: {{- include "common.labels" $root | nindent 4 }}
  {{- with merge (dict) $ingress.annotations (include "common.backendAnnotations" . | fromYaml) }}
  annotations: {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  {{- with $ingress.className }}
  ingressClassName: {{ . }}
  {{- end }}
  {{- if $ingress.tlsSecret }}
  tls:
    - hosts: [{{ $ingress.host | quote }}]
      secretName: {{ $ingress.tlsSecret }}
  {{- end }}
  rules:
    - host: {{ required (printf "%s: %s.host must be set when %s.enabled is true" $root.Chart.Name .value .value) $ingress.host | quote }}
      http:
        paths:
          - path: /
            pathType: Prefix
            backend:
              service:
                name: {{ include "common.fullname" $root }}
                port: { name: {{ .port }} }
{{- end }}
{{- end }}

{{/* In: the API from where values say, gRPC from the platform, metrics from where values say. Out: DNS, the stores, authz-grpc. */}}
{{- define "common.networkPolicy" -}}
{{- $root := .root -}}{{- $app := .app -}}{{- $policy := $root.Values.networkPolicy -}}
{{- if $policy.enabled -}}
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: {{ include "common.fullname" $root }}
  labels: {{- include "common.labels" $root | nindent 4 }}
spec:
  podSelector:
    matchLabels: {{- include "common.selectorLabels" $root | nindent 6 }}
  policyTypes: [Ingress, Egress]
  ingress:
    - ports:
        - port: http
      {{- with $policy.apiFrom }}
      from: {{- toYaml . | nindent 8 }}
        {{- range $app.apiPeers }}
        - podSelector:
            matchLabels:
              app.kubernetes.io/name: {{ . }}
              app.kubernetes.io/instance: {{ $root.Release.Name }}
        {{- end }}
      {{- end }}
    {{- if hasKey $app.ports "grpc" }}
    - ports:
        - port: grpc
      from:
        - podSelector:
            matchLabels:
              app.kubernetes.io/part-of: platform
              app.kubernetes.io/instance: {{ $root.Release.Name }}
        {{- with $policy.grpcFrom }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
    {{- end }}
    - ports:
        - port: probe
      {{- with $policy.metricsFrom }}
      from: {{- toYaml . | nindent 8 }}
      {{- end }}
  egress: {{- include "common.storeEgress" $root | nindent 4 }}
    {{- if not (hasKey $app.ports "grpc") }}
    - ports:
        - { port: {{ include "common.portOf" (include "common.authzTarget" $root) }}, protocol: TCP }
      {{- if $root.Values.global.authzTarget }}
      {{- with $root.Values.global.authzTo }}
      to: {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- else }}
      to:
        - podSelector:
            matchLabels:
              app.kubernetes.io/name: authz-grpc
              app.kubernetes.io/instance: {{ $root.Release.Name }}
      {{- end }}
    {{- end }}
    {{- with $app.docstoreUrl }}
    - ports:
        - { port: {{ include "common.portOf" . }}, protocol: TCP }
      {{- if $root.Values.global.docstoreUrl }}
      {{- with $root.Values.global.docstoreTo }}
      to: {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- else }}
      to:
        - podSelector:
            matchLabels:
              app.kubernetes.io/name: docstore-api
              app.kubernetes.io/instance: {{ $root.Release.Name }}
      {{- end }}
    {{- end }}
    {{- with $root.Values.global.otlpEndpoint }}
    - ports:
        - { port: {{ include "common.portOf" . }}, protocol: TCP }
      {{- with $root.Values.global.otlpTo }}
      to: {{- toYaml . | nindent 8 }}
      {{- end }}
    {{- end }}
    {{- with $policy.extraEgress }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
{{- end }}
{{- end }}

{{/* Out to DNS and the stores: what the service and its migration Job both need. */}}
{{- define "common.storeEgress" -}}
{{- $policy := .Values.networkPolicy -}}
- ports:
    - { port: 53, protocol: UDP }
    - { port: 53, protocol: TCP }
{{- if .Values.database.existingSecret }}
- ports:
    - { port: {{ $policy.databasePort }}, protocol: TCP }
  {{- with $policy.databaseTo }}
  to: {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end }}
{{- if or (.Values.redis | default dict).existingSecret (.Values.queue | default dict).existingSecret }}
- ports:
    - { port: {{ $policy.redisPort }}, protocol: TCP }
  {{- with $policy.redisTo }}
  to: {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end }}
{{- end }}

{{/* The port that ends an address (host:port, https://host/path): the scheme's own where none stands there. */}}
{{- define "common.portOf" -}}
{{- $port := regexFind ":[0-9]+(/|$)" . | trimPrefix ":" | trimSuffix "/" -}}
{{- $port | default (ternary "443" "80" (hasPrefix "https:" .)) -}}
{{- end }}

{{/* Lets the migration Job reach the database in a namespace that denies by default. Exists before the Job, as a hook. */}}
{{- define "common.migrationNetworkPolicy" -}}
{{- $root := .root -}}
{{- if and $root.Values.networkPolicy.enabled $root.Values.migrations.enabled $root.Values.database.existingSecret -}}
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: {{ include "common.migrateName" $root }}
  labels: {{- include "common.labels" $root | nindent 4 }}
  annotations:
    helm.sh/hook: pre-install,pre-upgrade
    helm.sh/hook-weight: '-5'
    helm.sh/hook-delete-policy: before-hook-creation
spec:
  podSelector:
    matchLabels: {{- include "common.migrateLabels" $root | nindent 6 }}
  policyTypes: [Ingress, Egress]
  egress: {{- include "common.storeEgress" $root | nindent 4 }}
    {{- with $root.Values.networkPolicy.extraEgress }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
{{- end }}
{{- end }}
