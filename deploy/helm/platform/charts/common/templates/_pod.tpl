{{/*
Every template here takes a dict: `root`, the subchart's own scope, and `app`, what the subchart says of itself:
  prefix    of the settings: AUTHZ_
  ports     name -> number; `http`, `probe`, and `grpc` where there is one
  hosts     settings that name an address to listen on
  env       further settings, name -> text
  secretEnv settings out of Secrets, name -> {secret, key}
*/}}

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
{{- with $values.global.otlpEndpoint }}
- name: OTEL_EXPORTER_OTLP_ENDPOINT
  value: {{ . | quote }}
{{- end }}
{{- with $values.extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/* A value as it was written: Helm reads numbers as float64, which by itself would print 16777216 as 1.6777216e+07. */}}
{{- define "common.text" -}}
{{- if not (kindIs "float64" .) }}{{ . | toString }}
{{- else if eq (floor .) . }}{{ printf "%.0f" . }}
{{- else }}{{ . | toString }}
{{- end }}
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
{{- $own := list "DATABASE_URL" "REDIS_URL" "OTEL_EXPORTER_OTLP_ENDPOINT" -}}
{{- range list "REPLICAS" "DATA_DIR" "DRAIN_DELAY_MS" "DRAIN_MAX_MS" }}{{ $own = append $own (print $app.prefix .) }}{{ end -}}
{{- range $app.portSettings }}{{ $own = append $own . }}{{ end -}}
{{- range $name, $ref := $app.secretEnv }}{{ $own = append $own $name }}{{ end -}}
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
      labels:
        {{- include "common.labels" $root | nindent 8 }}
        {{- with $values.podLabels }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      {{- with $values.podAnnotations }}
      annotations: {{- toYaml . | nindent 8 }}
      {{- end }}
    spec:
      serviceAccountName: {{ include "common.serviceAccountName" $root }}
      automountServiceAccountToken: false
      {{- with $values.imagePullSecrets }}
      imagePullSecrets: {{- toYaml . | nindent 8 }}
      {{- end }}
      securityContext: {{- include "common.podSecurity" $root | nindent 8 }}
      # Longer than the pause before and the drain itself, so that nothing begun is cut off.
      terminationGracePeriodSeconds: {{ add $values.drain.preStopSeconds $values.drain.delaySeconds $values.drain.maxSeconds 5 }}
      containers:
        - name: {{ $root.Chart.Name }}
          image: {{ include "common.image" $root | quote }}
          imagePullPolicy: {{ $values.image.pullPolicy }}
          args: [serve]
          ports:
            {{- range $name, $port := $app.ports }}
            - name: {{ $name }}
              containerPort: {{ $port }}
              protocol: TCP
            {{- end }}
          env: {{- include "common.env" . | nindent 12 }}
          {{- with $values.extraEnvFrom }}
          envFrom: {{- toYaml . | nindent 12 }}
          {{- end }}
          startupProbe:
            httpGet: { path: /livez, port: probe }
            periodSeconds: 2
            failureThreshold: 60
          livenessProbe:
            httpGet: { path: /livez, port: probe }
            periodSeconds: 10
            timeoutSeconds: 5
            failureThreshold: 6
          readinessProbe:
            httpGet: { path: /readyz, port: probe }
            periodSeconds: 2
            timeoutSeconds: 2
            failureThreshold: 1
          lifecycle:
            preStop:
              # Balancers stop sending before the service stops taking.
              exec: { command: [sleep, {{ $values.drain.preStopSeconds | quote }}] }
          securityContext: {{- include "common.containerSecurity" $root | nindent 12 }}
          {{- with $values.resources }}
          resources: {{- toYaml . | nindent 12 }}
          {{- end }}
          volumeMounts:
            - name: tmp
              mountPath: /tmp
            {{- if $embedded }}
            - name: data
              mountPath: /data
            {{- end }}
      volumes:
        - name: tmp
          emptyDir: {}
        {{- if $embedded }}
        - name: data
          {{- if $values.persistence.enabled }}
          persistentVolumeClaim:
            claimName: {{ include "common.fullname" $root }}
          {{- else }}
          emptyDir: {}
          {{- end }}
        {{- end }}
      {{- with $values.nodeSelector }}
      nodeSelector: {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $values.affinity }}
      affinity: {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $values.tolerations }}
      tolerations: {{- toYaml . | nindent 8 }}
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

{{- define "common.migrationJob" -}}
{{- $root := .root -}}{{- $app := .app -}}{{- $values := $root.Values -}}
{{- if and $values.migrations.enabled $values.database.existingSecret -}}
apiVersion: batch/v1
kind: Job
metadata:
  name: {{ include "common.fullname" $root }}-migrate
  labels: {{- include "common.labels" $root | nindent 4 }}
  annotations:
    helm.sh/hook: pre-install,pre-upgrade
    helm.sh/hook-delete-policy: before-hook-creation,hook-succeeded
spec:
  backoffLimit: {{ $values.migrations.backoffLimit }}
  activeDeadlineSeconds: {{ $values.migrations.timeoutSeconds }}
  template:
    metadata:
      # Not the service's own labels: it would be sent calls.
      labels:
        app.kubernetes.io/name: {{ $root.Chart.Name }}-migrate
        app.kubernetes.io/instance: {{ $root.Release.Name }}
        app.kubernetes.io/component: migrate
    spec:
      # The service account of the release does not exist yet when this runs.
      serviceAccountName: default
      automountServiceAccountToken: false
      restartPolicy: Never
      {{- with $values.imagePullSecrets }}
      imagePullSecrets: {{- toYaml . | nindent 8 }}
      {{- end }}
      securityContext: {{- include "common.podSecurity" $root | nindent 8 }}
      containers:
        - name: migrate
          image: {{ include "common.image" $root | quote }}
          imagePullPolicy: {{ $values.image.pullPolicy }}
          args: [migrate]
          env: {{- include "common.env" . | nindent 12 }}
          securityContext: {{- include "common.containerSecurity" $root | nindent 12 }}
          {{- with $values.resources }}
          resources: {{- toYaml . | nindent 12 }}
          {{- end }}
          volumeMounts:
            - name: tmp
              mountPath: /tmp
      volumes:
        - name: tmp
          emptyDir: {}
{{- end }}
{{- end }}
