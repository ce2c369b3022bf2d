{{/*
Every template here takes a dict: `root`, the subchart's own scope, and `app`, what the subchart says about itself:
  prefix    of the settings: AUTHZ_
  ports     name -> number; `http`, `probe`, and `grpc` where there is one
  hosts     settings that name an address to listen on
  env       further settings, name -> text
  secretEnv settings out of Secrets, name -> {secret, key}
  apiPeers  services of the release that call the API
  docstoreUrl  where this one calls docstore-api; "" = nowhere
  tls       certificates: {secret, files: setting -> key of the Secret}, mounted at /etc/platform-tls
*/}}

{{/* "true" for a service whose servers speak TLS, else "". */}}
{{- define "common.servesTls" -}}
{{- if (.Values.tls | default dict).existingSecret }}true{{ end -}}
{{- end }}

{{/* What a client of authz-grpc is told about TLS, as YAML. Takes a dict: root, prefix. */}}
{{- define "common.authzTls" -}}
{{- $tls := .root.Values.authzTls -}}
{{- if $tls.existingSecret -}}
tls:
  secret: {{ $tls.existingSecret }}
  files:
    {{ .prefix }}AUTHZ_TLS_CA: {{ $tls.ca }}
    {{- if $tls.clientCertificate }}
    {{ .prefix }}AUTHZ_TLS_CERT: tls.crt
    {{ .prefix }}AUTHZ_TLS_KEY: tls.key
    {{- end }}
{{- end }}
{{- end }}

{{- define "common.env" -}}
{{- $root := .root -}}{{- $app := .app -}}{{- $values := $root.Values -}}
{{- range $app.hosts }}
{{- if not (hasKey $values.settings .) }}
- name: {{ . }}
  value: 0.0.0.0
{{- end }}
{{- end }}
{{- range $name, $setting := $app.portSettings }}
- name: {{ $setting }}
  value: {{ get $app.ports $name | quote }}
{{- end }}
- name: {{ $app.prefix }}REPLICAS
  value: {{ include "common.replicas" $root | quote }}
- name: {{ $app.prefix }}DATA_DIR
  value: /data
- name: {{ $app.prefix }}DRAIN_DELAY_MS
  value: {{ mul $values.drain.delaySeconds 1000 | quote }}
- name: {{ $app.prefix }}DRAIN_MAX_MS
  value: {{ mul $values.drain.maxSeconds 1000 | quote }}
{{- with $values.database.existingSecret }}
- name: DATABASE_URL
  valueFrom:
    secretKeyRef:
      name: {{ . }}
      key: {{ $values.database.key }}
{{- end }}
{{- with ($values.redis | default dict).existingSecret }}
- name: REDIS_URL
  valueFrom:
    secretKeyRef:
      name: {{ . }}
      key: {{ $values.redis.key }}
{{- end }}
{{- range $name, $ref := $app.secretEnv }}
{{- if $ref.secret }}
- name: {{ $name }}
  valueFrom:
    secretKeyRef:
      name: {{ $ref.secret }}
      key: {{ $ref.key }}
{{- end }}
{{- end }}
{{- range $name, $value := merge (dict) $values.settings ($app.env | default dict) }}
- name: {{ $name }}
  value: {{ include "common.text" $value | quote }}
{{- end }}
{{- range $name, $file := ($app.tls | default dict).files }}
- name: {{ $name }}
  value: /etc/platform-tls/{{ $file }}
{{- end }}
{{- with $values.global.otlpEndpoint }}
- name: OTEL_EXPORTER_OTLP_ENDPOINT
  value: {{ . | quote }}
{{- end }}
{{- with $values.global.caSecret.name }}
- name: NODE_EXTRA_CA_CERTS
  value: /etc/platform-ca/{{ $values.global.caSecret.key }}
{{- end }}
{{- with $values.extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/* What the pods of a service and of its migration Job have in common: identity, pull secrets, placement. */}}
{{- define "common.placement" -}}
{{- $values := .Values -}}
automountServiceAccountToken: false
{{- with (concat ($values.global.imagePullSecrets | default list) $values.imagePullSecrets) }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
securityContext: {{- include "common.podSecurity" . | nindent 2 }}
{{- with $values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with $values.runtimeClassName }}
runtimeClassName: {{ . }}
{{- end }}
{{- with $values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $values.affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{/* Image, environment, mounts and bounds of a container, for the service and for its migration Job. */}}
{{- define "common.container" -}}
{{- $root := .root -}}{{- $app := .app -}}{{- $values := $root.Values -}}
image: {{ include "common.image" $root | quote }}
imagePullPolicy: {{ $values.image.pullPolicy }}
env: {{- include "common.env" . | nindent 2 }}
{{- with $values.extraEnvFrom }}
envFrom: {{- toYaml . | nindent 2 }}
{{- end }}
securityContext: {{- include "common.containerSecurity" $root | nindent 2 }}
{{- with $values.resources }}
resources: {{- toYaml . | nindent 2 }}
{{- end }}
volumeMounts:
  - name: tmp
    mountPath: /tmp
  {{- if $values.global.caSecret.name }}
  - name: ca
    mountPath: /etc/platform-ca
    readOnly: true
  {{- end }}
  {{- if $app.tls }}
  - name: tls
    mountPath: /etc/platform-tls
    readOnly: true
  {{- end }}
  {{- with $values.extraVolumeMounts }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end }}

{{- define "common.volumes" -}}
{{- $app := .app -}}
{{- with .root -}}
- name: tmp
  emptyDir: {}
{{- with $app.tls }}
- name: tls
  secret:
    secretName: {{ .secret }}
    # 0440 in octal: the group of the pod reads the key.
    defaultMode: 288
{{- end }}
{{- with .Values.global.caSecret.name }}
- name: ca
  secret:
    secretName: {{ . }}
{{- end }}
{{- with .Values.extraVolumes }}
{{ toYaml . }}
{{- end }}
{{- end }}
{{- end }}

{{/* A value as it was written: Helm reads numbers as float64, which by itself would print 16777216 as 1.6777216e+07. */}}
{{- define "common.text" -}}
{{- if not (kindIs "float64" .) }}{{ . | toString }}
{{- else if eq (floor .) . }}{{ printf "%.0f" . }}
{{- else }}{{ . | toString }}
{{- end }}
{{- end }}

{{/* Refuses a memory limit that the worker threads of one replica would exceed: the kernel would end the pod. */}}
{{- define "common.checkMemory" -}}
{{- $values := .root.Values -}}
{{- if and $values.workers $values.resources.limits.memory -}}
{{- $limit := include "common.mebibytes" $values.resources.limits.memory | int -}}
{{- $needed := add (mul (int $values.workers) (int $values.workerMemoryMiB)) 512 -}}
{{- if lt $limit (int $needed) -}}
{{- fail (printf "%s: resources.limits.memory (%v) is less than workers (%v) x workerMemoryMiB (%v) + 512 MiB = %dMi" .root.Chart.Name $values.resources.limits.memory $values.workers $values.workerMemoryMiB $needed) -}}
{{- end -}}
{{- end -}}
{{- end }}

{{/* A Kubernetes quantity of memory in whole MiB. */}}
{{- define "common.mebibytes" -}}
{{- $text := include "common.text" . -}}
{{- $number := regexFind "^[0-9.]+" $text | float64 -}}
{{- $unit := regexReplaceAll "^[0-9.]+" $text "" -}}
{{- $factors := dict "Ki" 0.0009765625 "Mi" 1.0 "Gi" 1024.0 "Ti" 1048576.0 "M" 0.95367431640625 "G" 953.67431640625 "" 0.00000095367431640625 -}}
{{- mulf $number (get $factors $unit | default 0.0) | floor | int -}}
{{- end }}

{{- define "common.podSecurity" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
seccompProfile:
  type: RuntimeDefault
{{- end }}

{{- define "common.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end }}

{{- define "common.deployment" -}}
{{- $root := .root -}}{{- $app := .app -}}{{- $values := $root.Values -}}
{{- $embedded := not $values.database.existingSecret -}}
{{- if and $embedded (gt (int (include "common.replicas" $root)) 1) -}}
{{- fail (printf "%s: %s replicas need database.existingSecret: the embedded database has one replica" $root.Chart.Name (include "common.replicas" $root)) -}}
{{- end -}}
{{- if and $values.redis (not ($values.redis | default dict).existingSecret) (gt (int (include "common.replicas" $root)) 1) -}}
{{- fail (printf "%s: %s replicas need redis.existingSecret: counters of one process cannot be shared" $root.Chart.Name (include "common.replicas" $root)) -}}
{{- end -}}
{{- include "common.checkMemory" . -}}
{{- $own := list "DATABASE_URL" "REDIS_URL" "OTEL_EXPORTER_OTLP_ENDPOINT" -}}
{{- range list "REPLICAS" "DATA_DIR" "DRAIN_DELAY_MS" "DRAIN_MAX_MS" }}{{ $own = append $own (print $app.prefix .) }}{{ end -}}
{{- range $app.portSettings }}{{ $own = append $own . }}{{ end -}}
{{- range $name, $value := $app.env }}{{ $own = append $own $name }}{{ end -}}
{{- range $name, $ref := $app.secretEnv }}{{ $own = append $own $name }}{{ end -}}
{{- range $name, $file := ($app.tls | default dict).files }}{{ $own = append $own $name }}{{ end -}}
{{- range $name, $value := $values.settings -}}
{{- if has $name $own -}}
{{- fail (printf "%s: settings.%s: the chart sets it out of values of its own; leave it out" $root.Chart.Name $name) -}}
{{- end -}}
{{- end -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "common.fullname" $root }}
  labels: {{- include "common.labels" $root | nindent 4 }}
spec:
  {{- if not $values.autoscaling.enabled }}
  replicas: {{ $values.replicaCount }}
  {{- end }}
  revisionHistoryLimit: 5
  # gRPC clients find a replica that came back within a second or two; the next one waits for them.
  minReadySeconds: 5
  strategy:
    {{- if $embedded }}
    # Two processes must not open one embedded database.
    type: Recreate
    {{- else }}
    type: RollingUpdate
    rollingUpdate:
      maxUnavailable: 0
      maxSurge: 1
    {{- end }}
  selector:
    matchLabels: {{- include "common.selectorLabels" $root | nindent 6 }}
  template:
    metadata:
      labels: {{- include "common.podLabels" $root | nindent 8 }}
      {{- with $values.podAnnotations }}
      annotations: {{- toYaml . | nindent 8 }}
      {{- end }}
    spec:
      serviceAccountName: {{ include "common.serviceAccountName" $root }}
      {{- include "common.placement" $root | nindent 6 }}
      # Longer than the pause before and the drain itself, so that nothing begun is cut off.
      terminationGracePeriodSeconds: {{ add $values.drain.preStopSeconds $values.drain.delaySeconds $values.drain.maxSeconds 5 }}
      {{- with $values.initContainers }}
      initContainers: {{- toYaml . | nindent 8 }}
      {{- end }}
      containers:
        - name: {{ $root.Chart.Name }}
          args: [serve]
          {{- include "common.container" . | nindent 10 }}
            {{- if $embedded }}
            - name: data
              mountPath: /data
            {{- end }}
          ports:
            {{- range $name, $port := $app.ports }}
            - name: {{ $name }}
              containerPort: {{ $port }}
              protocol: TCP
            {{- end }}
          startupProbe:
            httpGet: { path: /livez, port: probe }
            {{- toYaml $values.probes.startup | nindent 12 }}
          livenessProbe:
            httpGet: { path: /livez, port: probe }
            {{- toYaml $values.probes.liveness | nindent 12 }}
          readinessProbe:
            httpGet: { path: /readyz, port: probe }
            {{- toYaml $values.probes.readiness | nindent 12 }}
          lifecycle:
            preStop:
              # Balancers stop sending before the service stops taking.
              exec: { command: [sleep, {{ $values.drain.preStopSeconds | quote }}] }
        {{- with $values.extraContainers }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      volumes:
        {{- include "common.volumes" . | nindent 8 }}
        {{- if $embedded }}
        - name: data
          {{- if $values.persistence.enabled }}
          persistentVolumeClaim:
            claimName: {{ include "common.fullname" $root }}
          {{- else }}
          emptyDir: {}
          {{- end }}
        {{- end }}
      topologySpreadConstraints:
        {{- range $key := $values.topologySpread.keys }}
        - maxSkew: 1
          topologyKey: {{ $key }}
          whenUnsatisfiable: {{ $values.topologySpread.whenUnsatisfiable }}
          labelSelector:
            matchLabels: {{- include "common.selectorLabels" $root | nindent 14 }}
        {{- end }}
{{- end }}

{{/* Not the service's own labels: calls would be sent to the Job. */}}
{{- define "common.migrateLabels" -}}
app.kubernetes.io/name: {{ .Chart.Name }}-migrate
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "common.migrationJob" -}}
{{- $root := .root -}}{{- $values := $root.Values -}}
{{- if and $values.migrations.enabled $values.database.existingSecret -}}
apiVersion: batch/v1
kind: Job
metadata:
  name: {{ include "common.migrateName" $root }}
  labels: {{- include "common.labels" $root | nindent 4 }}
  annotations:
    helm.sh/hook: pre-install,pre-upgrade
    helm.sh/hook-delete-policy: before-hook-creation,hook-succeeded
spec:
  backoffLimit: {{ $values.migrations.backoffLimit }}
  activeDeadlineSeconds: {{ $values.migrations.timeoutSeconds }}
  ttlSecondsAfterFinished: {{ $values.migrations.keepSeconds }}
  # Exit code 2 is a bad setting: another try meets the same one.
  podFailurePolicy:
    rules:
      - action: FailJob
        onExitCodes: { containerName: migrate, operator: In, values: [2] }
  template:
    metadata:
      labels:
        {{- include "common.migrateLabels" $root | nindent 8 }}
        app.kubernetes.io/component: migrate
        {{- include "common.furtherPodLabels" $root | nindent 8 }}
      {{- with (merge (dict) $values.migrations.podAnnotations $values.podAnnotations) }}
      annotations: {{- toYaml . | nindent 8 }}
      {{- end }}
    spec:
      # The service account that the chart creates does not exist yet when this runs.
      serviceAccountName: {{ $values.migrations.serviceAccountName | default (ternary "default" (include "common.serviceAccountName" $root) $values.serviceAccount.create) }}
      restartPolicy: Never
      {{- include "common.placement" $root | nindent 6 }}
      containers:
        - name: migrate
          args: [migrate]
          {{- include "common.container" . | nindent 10 }}
      volumes:
        {{- include "common.volumes" . | nindent 8 }}
{{- end }}
{{- end }}
