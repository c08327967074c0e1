{{/* The names of resources, and the labels by which resources select each other. */}}

{{- define "financial-agents.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{/* Truncated, so that the longest name derived from it fits. */}}
{{- define "financial-agents.fullname" -}}
{{- $name := include "financial-agents.name" . -}}
{{- $full := ternary .Release.Name (printf "%s-%s" .Release.Name $name) (contains $name .Release.Name) -}}
{{- default $full .Values.fullnameOverride | trunc 36 | trimSuffix "-" -}}
{{- end -}}

{{/* (list root suffix): the name of a resource. */}}
{{- define "financial-agents.resource" -}}
{{- printf "%s-%s" (include "financial-agents.fullname" (first .)) (last .) -}}
{{- end -}}

{{/* (list root component) */}}
{{- define "financial-agents.selectorLabels" -}}
app.kubernetes.io/name: {{ include "financial-agents.name" (first .) }}
app.kubernetes.io/instance: {{ (first .).Release.Name }}
app.kubernetes.io/component: {{ last . }}
{{- end -}}

{{/* (list root component) */}}
{{- define "financial-agents.labels" -}}
{{ include "financial-agents.selectorLabels" . }}
app.kubernetes.io/version: {{ (first .).Chart.AppVersion | quote }}
app.kubernetes.io/part-of: financial-agents
app.kubernetes.io/managed-by: {{ (first .).Release.Service }}
{{- with (first .).Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* Every resource's metadata: (dict root name component [labels] [annotations]). */}}
{{- define "financial-agents.metadata" -}}
{{- $root := .root -}}
name: {{ .name }}
namespace: {{ $root.Release.Namespace }}
labels:
  helm.sh/chart: {{ printf "%s-%s" $root.Chart.Name $root.Chart.Version | replace "+" "_" }}
  {{- include "financial-agents.labels" (list $root .component) | nindent 2 }}
  {{- with .labels }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- with merge (dict) (default dict .annotations) $root.Values.commonAnnotations }}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* (dict root service [image]): the image of a service; the component's own settings override the common ones. */}}
{{- define "financial-agents.image" -}}
{{- $image := mustMergeOverwrite (deepCopy .root.Values.image) .root.Values.defaults.image (default dict .image) -}}
{{- $registry := default $image.registry .root.Values.global.imageRegistry -}}
{{- $path := list $registry $image.repository .service | compact | join "/" -}}
{{- with $image.digest -}}
{{ $path }}@{{ . }}
{{- else -}}
{{ $path }}:{{ default $.root.Chart.AppVersion $image.tag }}
{{- end -}}
{{- end -}}

{{/* (dict root image): an image that is not ours, from the global registry if one is set. */}}
{{- define "financial-agents.foreignImage" -}}
{{- list (default .image.registry .root.Values.global.imageRegistry) .image.repository | compact | join "/" -}}
{{- ternary (printf "@%s" .image.digest) (printf ":%s" .image.tag) (not (empty .image.digest)) -}}
{{- end -}}

{{/* (list root component suffix): the Secret of a component. */}}
{{- define "financial-agents.secret" -}}
{{- $root := index . 0 -}}
{{- $given := index . 2 -}}
{{- default (printf "%s-%s" $root.Values.secrets.prefix (index . 1)) $given -}}
{{- end -}}

{{/* The hosts of the API and, where it has one of its own, of the console. */}}
{{- define "financial-agents.hosts" -}}
{{- $hosts := list (urlParse .Values.publicBaseUrl).hostname -}}
{{- with .Values.console.baseUrl -}}{{- $hosts = append $hosts (urlParse .).hostname -}}{{- end -}}
{{- toYaml (uniq $hosts) -}}
{{- end -}}
