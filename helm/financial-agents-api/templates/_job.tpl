{{/*
A Job that runs a command of an image and ends. With `hook` it is a hook of Helm (and of Argo CD). A hook before the installation
needs nothing that the same release creates. Without `hook` it is an ordinary Job. Its name changes with its content, because an
existing Job cannot be changed.
Where pods migrate their own schemas, it first migrates those of the components that `migrates` names.
(dict root name label service args env ca [image] [hook] [weight] [migrates] [volumes] [mounts] [content] [component])
*/}}
{{- define "financial-agents.job" -}}
{{- $root := .root -}}
{{- $jobs := $root.Values.jobs -}}
{{- $pod := include "financial-agents.jobPod" . -}}
{{- $annotations := dict -}}
{{- $name := include "financial-agents.resource" (list $root .name) -}}
{{- if .hook -}}
{{- $annotations = dict "helm.sh/hook" .hook "helm.sh/hook-weight" (default "0" .weight) "helm.sh/hook-delete-policy" "before-hook-creation,hook-succeeded" -}}
{{- else -}}
{{- $name = printf "%s-%s" ($name | trunc 54 | trimSuffix "-") (sha256sum (print $pod (default "" .content)) | trunc 8) -}}
{{- end -}}
apiVersion: batch/v1
kind: Job
metadata:
  {{- include "financial-agents.metadata" (dict "root" $root "name" $name "component" .label "annotations" $annotations) | nindent 2 }}
spec:
  backoffLimit: {{ $jobs.backoffLimit }}
  activeDeadlineSeconds: {{ $jobs.activeDeadlineSeconds }}
  ttlSecondsAfterFinished: {{ int $jobs.ttlSecondsAfterFinished }}
  template:
    {{- $pod | nindent 4 }}
{{- end -}}

{{- define "financial-agents.jobPod" -}}
{{- $root := .root -}}
metadata:
  labels:
    {{- include "financial-agents.labels" (list $root .label) | nindent 4 }}
    {{- with $root.Values.jobs.podLabels }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  {{- with merge (dict) $root.Values.jobs.podAnnotations $root.Values.commonAnnotations }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  restartPolicy: Never
  {{- include "financial-agents.podDefaults" (dict "root" $root) | nindent 2 }}
  {{- include "financial-agents.placement" (dict "component" $root.Values.jobs) | trim | nindent 2 }}
  {{- if and .migrates (eq $root.Values.migrations.mode "initContainer") }}
  {{- $components := include "financial-agents.components" $root | fromYaml }}
  initContainers:
    {{- range .migrates }}
    - {{- include "financial-agents.migration" (dict "root" $root "name" . "component" (get $components .)) | nindent 6 }}
    {{- end }}
  {{- end }}
  containers:
    - name: {{ first .args }}
      image: {{ include "financial-agents.image" (dict "root" $root "service" .service "image" .image) }}
      imagePullPolicy: {{ $root.Values.image.pullPolicy }}
      args:
        {{- toYaml .args | nindent 8 }}
      env:
        {{- include "financial-agents.envVars" .env | nindent 8 }}
      {{- $mounts := list (include "financial-agents.caMounts" (dict "root" $root "names" .ca) | trim) (default "" .mounts) | compact | join "\n" }}
      {{- with $mounts }}
      volumeMounts:
        {{- . | nindent 8 }}
      {{- end }}
      resources:
        {{- toYaml $root.Values.jobs.resources | nindent 8 }}
      {{- include "financial-agents.containerSecurity" . | nindent 6 }}
  {{- $volumes := list (include "financial-agents.caVolumes" (dict "root" $root "names" .ca)) (default "" .volumes) | compact | join "\n" }}
  {{- with $volumes }}
  volumes:
    {{- . | nindent 4 }}
  {{- end }}
{{- end -}}
