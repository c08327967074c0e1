{{/* The settings of every pod and container of the release: Pod Security "restricted", no API token, no variables of Services. */}}

{{/* (dict root [account]) */}}
{{- define "financial-agents.podDefaults" -}}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .account }}
serviceAccountName: {{ . }}
{{- end }}
{{- with concat (default list .root.Values.global.imagePullSecrets) .root.Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: {{ default 65532 .user }}
  runAsGroup: {{ default 65532 .user }}
  {{- with .user }}
  fsGroup: {{ . }}
  {{- end }}
  seccompProfile:
    type: RuntimeDefault
{{- end -}}

{{- define "financial-agents.containerSecurity" -}}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
{{- end -}}

{{/* (dict root component): the scheduling of pods, from the component's values. */}}
{{- define "financial-agents.placement" -}}
{{- range $key := list "nodeSelector" "tolerations" "affinity" "priorityClassName" }}
{{- with get $.component $key }}
{{- if kindIs "string" . }}
{{ $key }}: {{ . }}
{{- else }}
{{ $key }}:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
{{- end }}
{{- end -}}

{{/* The file of a certificate authority as containers see it: (list "nats" ca). */}}
{{- define "financial-agents.caFile" -}}
{{- with last . -}}
{{- if or .secret .configMap -}}/etc/financial-agents/{{ first $ }}-ca/ca.crt{{- end -}}
{{- end -}}
{{- end -}}

{{/* (dict root names): volumes of the certificate authorities of "nats" and "postgres". */}}
{{- define "financial-agents.caVolumes" -}}
{{- $volumes := list -}}
{{- range $name := .names -}}
{{- $ca := (get $.root.Values $name).ca -}}
{{- $items := list (dict "key" $ca.key "path" "ca.crt") -}}
{{- if $ca.secret -}}
{{- $volumes = append $volumes (dict "name" (printf "%s-ca" $name) "secret" (dict "secretName" $ca.secret "items" $items)) -}}
{{- else if $ca.configMap -}}
{{- $volumes = append $volumes (dict "name" (printf "%s-ca" $name) "configMap" (dict "name" $ca.configMap "items" $items)) -}}
{{- end -}}
{{- end -}}
{{- if $volumes -}}{{- toYaml $volumes -}}{{- end -}}
{{- end -}}

{{- define "financial-agents.caMounts" -}}
{{- range $name := .names }}
{{- with include "financial-agents.caFile" (list $name (get $.root.Values $name).ca) }}
- name: {{ $name }}-ca
  mountPath: {{ dir . }}
  readOnly: true
{{- end }}
{{- end }}
{{- end -}}

{{/* The file of the installation's logo as containers see it; empty where there is none. */}}
{{- define "financial-agents.logoFile" -}}
{{- if .logo.configMap -}}/etc/financial-agents/branding/logo{{- end -}}
{{- end -}}

{{/* (dict root component): the volume with the logo, for components that show pages to owners. */}}
{{- define "financial-agents.logoVolumes" -}}
{{- $logo := .root.Values.branding.logo -}}
{{- if and $logo.configMap (has "BRAND_LOGO_FILE" .component.facts.variables) -}}
{{- $items := list (dict "key" $logo.key "path" "logo") -}}
{{- toYaml (list (dict "name" "branding" "configMap" (dict "name" $logo.configMap "items" $items))) -}}
{{- end -}}
{{- end -}}

{{- define "financial-agents.logoMounts" -}}
{{- if include "financial-agents.logoVolumes" . -}}
{{- toYaml (list (dict "name" "branding" "mountPath" (dir (include "financial-agents.logoFile" .root.Values.branding)) "readOnly" true)) -}}
{{- end -}}
{{- end -}}

{{/* (dict root component): the adapters whose packages come in images of their own, for components that reach the provider. */}}
{{- define "financial-agents.adapterImages" -}}
{{- $found := dict -}}
{{- if has "provider" (default list .component.facts.reaches) -}}
{{- range $name, $adapter := .root.Values.provider.adapters -}}
{{- with $adapter.image -}}{{- $_ := set $found $name . -}}{{- end -}}
{{- end -}}
{{- end -}}
{{- toYaml $found -}}
{{- end -}}

{{/* (dict root component): the volumes with the packages of adapters: one for all, or one for each image. */}}
{{- define "financial-agents.adapterVolumes" -}}
{{- $provider := .root.Values.provider -}}
{{- $volumes := list -}}
{{- if and $provider.adapterVolume (has "provider" (default list .component.facts.reaches)) -}}
{{- $volumes = append $volumes (merge (dict "name" "adapters") $provider.adapterVolume) -}}
{{- end -}}
{{- range $name, $image := include "financial-agents.adapterImages" . | fromYaml -}}
{{- $volume := dict "emptyDir" (dict "sizeLimit" $provider.adapterImages.sizeLimit) -}}
{{- if eq $provider.adapterImages.mode "volume" -}}
{{- $reference := include "financial-agents.foreignImage" (dict "root" $.root "image" $image) -}}
{{- $volume = dict "image" (dict "reference" $reference "pullPolicy" $.root.Values.image.pullPolicy) -}}
{{- end -}}
{{- $volumes = append $volumes (merge (dict "name" (printf "adapter-%s" $name)) $volume) -}}
{{- end -}}
{{- if $volumes -}}{{- toYaml $volumes -}}{{- end -}}
{{- end -}}

{{- define "financial-agents.adapterMounts" -}}
{{- $provider := .root.Values.provider -}}
{{- $mounts := list -}}
{{- if and $provider.adapterVolume (has "provider" (default list .component.facts.reaches)) -}}
{{- $mounts = append $mounts (dict "name" "adapters" "mountPath" $provider.adaptersPath "readOnly" true) -}}
{{- end -}}
{{- range $name, $image := include "financial-agents.adapterImages" . | fromYaml -}}
{{- $mount := dict "name" (printf "adapter-%s" $name) "mountPath" (printf "%s/%s" $provider.adaptersPath $name) "readOnly" true -}}
{{- if eq $provider.adapterImages.mode "volume" -}}
{{- $_ := set $mount "subPath" (trimPrefix "/" $provider.adapterImages.path) -}}
{{- end -}}
{{- $mounts = append $mounts $mount -}}
{{- end -}}
{{- if $mounts -}}{{- toYaml $mounts -}}{{- end -}}
{{- end -}}

{{/* (dict root name image): copies the packages of an adapter out of its image. The image needs `cp` and nothing else. */}}
{{- define "financial-agents.adapterCopy" -}}
{{- $provider := .root.Values.provider -}}
name: adapter-{{ .name }}
image: {{ include "financial-agents.foreignImage" (dict "root" .root "image" .image) }}
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
command: [cp, -R, {{ $provider.adapterImages.path }}/., {{ $provider.adaptersPath }}/{{ .name }}]
volumeMounts:
  - name: adapter-{{ .name }}
    mountPath: {{ $provider.adaptersPath }}/{{ .name }}
resources:
  {{- toYaml .root.Values.jobs.resources | nindent 2 }}
{{ include "financial-agents.containerSecurity" . }}
{{- end -}}

{{/* (dict root name component): the containers that end before the service starts, as a list. */}}
{{- define "financial-agents.initContainers" -}}
{{- if and .component.facts.schema (eq .root.Values.migrations.mode "initContainer") }}
- {{- include "financial-agents.migration" . | nindent 2 }}
{{- end }}
{{- if eq .root.Values.provider.adapterImages.mode "copy" }}
{{- range $name, $image := include "financial-agents.adapterImages" . | fromYaml }}
- {{- include "financial-agents.adapterCopy" (dict "root" $.root "name" $name "image" $image) | nindent 2 }}
{{- end }}
{{- end }}
{{- end -}}

{{/* (dict root name component): brings the schema up to date before the service or Job starts. */}}
{{- define "financial-agents.migration" -}}
name: migrate-{{ .name }}
image: {{ include "financial-agents.image" (dict "root" .root "service" .name "image" .component.image) }}
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
args: [migrate]
env:
  {{- $secret := include "financial-agents.secret" (list .root (printf "%s-migrations" .name) .component.migrations.existingSecret) }}
  {{- include "financial-agents.envVars" (dict "DATABASE_URL" (include "financial-agents.secretKey" (list $secret "DATABASE_URL" false) | fromYaml)) | nindent 2 }}
{{- with include "financial-agents.caMounts" (dict "root" .root "names" (list "postgres")) }}
volumeMounts:
  {{- . | nindent 2 }}
{{- end }}
resources:
  {{- toYaml .root.Values.jobs.resources | nindent 2 }}
{{ include "financial-agents.containerSecurity" . }}
{{- end -}}

{{/* The container of a component: (dict root name component). */}}
{{- define "financial-agents.container" -}}
{{- $component := .component -}}
{{- $facts := $component.facts -}}
{{- $health := dict "port" "health" "ready" "/ready" "live" "/live" -}}
{{- if $facts.development -}}{{- $health = dict "port" $facts.port.name "ready" "/health" "live" "/health" -}}{{- end -}}
image: {{ include "financial-agents.image" (dict "root" .root "service" .name "image" $component.image) }}
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
env:
  {{- include "financial-agents.environment" . | nindent 2 }}
ports:
  {{- with $facts.port }}
  - name: {{ .name }}
    containerPort: {{ .number }}
  {{- end }}
  {{- if not $facts.development }}
  - name: health
    containerPort: 9090
  {{- end }}
readinessProbe:
  httpGet: { path: {{ $health.ready }}, port: {{ $health.port }} }
  {{- toYaml $component.probes.readiness | nindent 2 }}
# A container that fails these is restarted. They do not check NATS and PostgreSQL, because a restart would repair neither.
startupProbe:
  httpGet: { path: {{ $health.live }}, port: {{ $health.port }} }
  {{- toYaml $component.probes.startup | nindent 2 }}
livenessProbe:
  httpGet: { path: {{ $health.live }}, port: {{ $health.port }} }
  {{- toYaml $component.probes.liveness | nindent 2 }}
{{- if $component.preStopSleepSeconds }}
lifecycle:
  preStop:
    sleep:
      seconds: {{ $component.preStopSleepSeconds }}
{{- end }}
resources:
  {{- toYaml $component.resources | nindent 2 }}
{{- $mounts := list (include "financial-agents.caMounts" (dict "root" .root "names" $component.servers) | trim) (include "financial-agents.adapterMounts" (dict "root" .root "component" $component)) (include "financial-agents.logoMounts" (dict "root" .root "component" $component)) (include "financial-agents.list" $component.extraVolumeMounts) | compact | join "\n" }}
{{- with $mounts }}
volumeMounts:
  {{- . | nindent 2 }}
{{- end }}
{{ include "financial-agents.containerSecurity" . }}
{{- end -}}

{{- define "financial-agents.list" -}}
{{- with . -}}{{- toYaml . -}}{{- end -}}
{{- end -}}
