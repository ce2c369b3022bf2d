{{- define "common.service" -}}
{{- $root := .root -}}{{- $app := .app -}}
apiVersion: v1
kind: Service
metadata:
  name: {{ include "common.fullname" $root }}
  labels: {{- include "common.labels" $root | nindent 4 }}
spec:
  type: {{ $root.Values.service.type }}
  selector: {{- include "common.selectorLabels" $root | nindent 4 }}
  ports:
    {{- range $name, $port := $app.ports }}
    - name: {{ $name }}
      port: {{ $port }}
      targetPort: {{ $name }}
      protocol: TCP
      {{- if eq $name "grpc" }}
      appProtocol: kubernetes.io/h2c
      {{- end }}
    {{- end }}
{{- end }}

{{/* A name that answers with every pod: a gRPC client behind one address would stay with one pod. */}}
{{- define "common.headlessService" -}}
{{- $root := .root -}}{{- $app := .app -}}
apiVersion: v1
kind: Service
metadata:
  name: {{ include "common.fullname" $root }}-headless
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
{{- $root := .root -}}{{- $ingress := $root.Values.ingress -}}
{{- if $ingress.enabled -}}
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: {{ include "common.fullname" $root }}
  labels: {{- include "common.labels" $root | nindent 4 }}
  {{- with $ingress.annotations }}
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
    - host: {{ required (printf "%s: ingress.host must be set when ingress.enabled is true" $root.Chart.Name) $ingress.host | quote }}
      http:
        paths:
          - path: /
            pathType: Prefix
            backend:
              service:
                name: {{ include "common.fullname" $root }}
                port: { name: http }
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
  egress:
    - ports:
        - { port: 53, protocol: UDP }
        - { port: 53, protocol: TCP }
    {{- if $root.Values.database.existingSecret }}
    - ports:
        - { port: {{ $policy.databasePort }}, protocol: TCP }
      {{- with $policy.databaseTo }}
      to: {{- toYaml . | nindent 8 }}
      {{- end }}
    {{- end }}
    {{- if ($root.Values.redis | default dict).existingSecret }}
    - ports:
        - { port: {{ $policy.redisPort }}, protocol: TCP }
      {{- with $policy.redisTo }}
      to: {{- toYaml . | nindent 8 }}
      {{- end }}
    {{- end }}
    {{- if not (hasKey $app.ports "grpc") }}
    - ports:
        - { port: 50051, protocol: TCP }
      to:
        - podSelector:
            matchLabels:
              app.kubernetes.io/name: authz-grpc
              app.kubernetes.io/instance: {{ $root.Release.Name }}
    {{- end }}
    {{- with $policy.extraEgress }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
{{- end }}
{{- end }}
