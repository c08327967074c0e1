{{/* The environment of containers: plain variables from the values, and secrets by reference, key by key. */}}

{{/* Every variable that comes from the values. files/components.yaml lists those of each service. An empty one is left out. */}}
{{- define "financial-agents.variables" -}}
{{- $v := .Values -}}
ENVIRONMENT: {{ $v.environment | quote }}
LOG_LEVEL: {{ $v.logLevel | quote }}
NATS_URL: {{ include "financial-agents.natsUrl" . | quote }}
NATS_CA_FILE: {{ include "financial-agents.caFile" (list "nats" $v.nats.ca) | quote }}
DATABASE_MAX_CONNECTIONS: {{ $v.postgres.maxConnections | quote }}
PUBLIC_BASE_URL: {{ $v.publicBaseUrl | quote }}
DOCUMENTATION_URL: {{ $v.documentationUrl | quote }}
ENABLED_CAPABILITIES: {{ join "," $v.capabilities | quote }}
CONSOLE_BASE_URL: {{ $v.console.baseUrl | quote }}
GATEWAY_URL: {{ include "financial-agents.gatewayUrl" . | quote }}
TRUSTED_PROXIES: {{ join "," $v.gateway.trustedProxies | quote }}
CONNECTION_DRAIN_MS: {{ mul $v.gateway.connectionDrainSeconds 1000 | quote }}
FORWARDED_HEADER: {{ $v.gateway.forwardedHeader | quote }}
GRANT_RATE_PER_S: {{ include "financial-agents.text" $v.gateway.limits.grantRatePerSecond | quote }}
GRANT_BURST: {{ include "financial-agents.text" $v.gateway.limits.grantBurst | quote }}
ADDRESS_RATE_PER_S: {{ include "financial-agents.text" $v.gateway.limits.addressRatePerSecond | quote }}
ADDRESS_BURST: {{ include "financial-agents.text" $v.gateway.limits.addressBurst | quote }}
PROVIDER_URL: {{ include "financial-agents.providerUrl" . | quote }}
PROVIDER_ADAPTERS: {{ include "financial-agents.providerAdapters" $v.provider | quote }}
PROVIDER_ADAPTERS_PATH: {{ ternary $v.provider.adaptersPath "" (gt (len $v.provider.adapters) 0) | quote }}
PROVIDER_PAGES_ORIGIN: {{ $v.provider.pagesOrigin | quote }}
SIGN_IN_ORIGIN: {{ $v.provider.signInOrigin | quote }}
PAGE_LANGUAGES: {{ join "," $v.pageLanguages | quote }}
{{- with $v.branding }}
BRAND_NAME: {{ .name | quote }}
BRAND_LOGO_FILE: {{ include "financial-agents.logoFile" . | quote }}
BRAND_ACCENTS: {{ ternary (printf "%s,%s" .accent.light .accent.dark) "" (ne "" .accent.light) | quote }}
BRAND_SUPPORT: {{ .support | quote }}
BRAND_PRIVACY_URL: {{ .privacyUrl | quote }}
BRAND_TERMS_URL: {{ .termsUrl | quote }}
{{- end }}
DEVICE_AUTHENTICATION: {{ $v.provider.deviceAuthentication | quote }}
CLIENT_SUSPENSION_BY_TWO: {{ $v.console.clientSuspensionByTwo | quote }}
{{- with $v.webhooks }}
{{- if and .enabled .ownerEvents.url }}
OWNER_EVENTS_URL: {{ .ownerEvents.url | quote }}
OWNER_EVENTS_CAP_PERCENT: {{ .ownerEvents.capPercent | quote }}
{{- end }}
{{- end }}
LOG_URL_TEMPLATE: {{ $v.console.links.logs | quote }}
TRACE_URL_TEMPLATE: {{ $v.console.links.traces | quote }}
RUNBOOK_BASE_URL: {{ $v.observability.runbookBaseUrl | quote }}
{{- with $v.console.identityProvider }}
OPERATOR_IDP_ISSUER: {{ .issuer | quote }}
OPERATOR_IDP_CLIENT_ID: {{ .clientId | quote }}
OPERATOR_IDP_SCOPES: {{ .scopes | quote }}
OPERATOR_GROUPS_CLAIM: {{ .groupsClaim | quote }}
{{- $groups := list }}
{{- range $group, $scopes := .groups }}
{{- $groups = append $groups (printf "%s=%s" $group (join " " $scopes)) }}
{{- end }}
OPERATOR_GROUPS: {{ join ";" $groups | quote }}
# For the fake provider and the fake identity provider.
HOST: 0.0.0.0
PUBLIC_URL: {{ $v.provider.pagesOrigin | quote }}
ISSUER: {{ .issuer | quote }}
CLIENT_ID: {{ .clientId | quote }}
REDIRECT_URIS: {{ printf "%s/ops/signed-in" (default $v.publicBaseUrl $v.console.baseUrl) | quote }}
{{- end }}
{{- end -}}

{{- define "financial-agents.natsUrl" -}}
{{- $bundled := printf "nats://%s:4222" (include "financial-agents.resource" (list . "nats")) -}}
{{- default (ternary $bundled "" (eq "yes" (include "financial-agents.bundles" (list . "nats")))) .Values.nats.url -}}
{{- end -}}

{{- define "financial-agents.providerUrl" -}}
{{- $bundled := printf "http://%s:4010" (include "financial-agents.resource" (list . "fake-provider")) -}}
{{- default (ternary $bundled "" .Values.development.enabled) .Values.provider.url -}}
{{- end -}}

{{/* The adapters for PROVIDER_ADAPTERS: name=package, separated by commas. `firstAdapter` comes first, the others are sorted by name. */}}
{{- define "financial-agents.providerAdapters" -}}
{{- $first := .firstAdapter -}}
{{- $named := list -}}
{{- range $name, $adapter := .adapters -}}
{{- $one := printf "%s=%s" $name $adapter.package -}}
{{- if eq $name $first -}}{{- $named = prepend $named $one -}}{{- else -}}{{- $named = append $named $one -}}{{- end -}}
{{- end -}}
{{- join "," $named -}}
{{- end -}}

{{/* The adapters' own variables, each with its prefix: plain values, and keys of the Secret of the adapter. */}}
{{- define "financial-agents.adapterVariables" -}}
{{- $variables := dict -}}
{{- range $name, $adapter := . -}}
{{- $prefix := printf "PROVIDER_%s__" (upper $name | replace "-" "_") -}}
{{- range $variable, $value := $adapter.env -}}
{{- $_ := set $variables (printf "%s%s" $prefix $variable) (include "financial-agents.text" $value) -}}
{{- end -}}
{{- range $variable, $key := $adapter.secrets -}}
{{- $from := dict "name" (required (printf "provider.adapters.%s: existingSecret names the Secret of its secrets" $name) $adapter.existingSecret) "key" (default $variable $key) -}}
{{- $_ := set $variables (printf "%s%s" $prefix $variable) (dict "valueFrom" (dict "secretKeyRef" $from)) -}}
{{- end -}}
{{- end -}}
{{- toYaml $variables -}}
{{- end -}}

{{/* The address of the gateway for pods of the release. */}}
{{- define "financial-agents.gatewayUrl" -}}
{{- printf "http://%s:%d" (include "financial-agents.resource" (list . "gateway")) (int .Values.gateway.service.port) -}}
{{- end -}}

{{/* A number as it was written: 2000000 and not 2e+06. */}}
{{- define "financial-agents.text" -}}
{{- if and (kindIs "float64" .) (eq . (floor .)) }}{{ int64 . }}{{ else }}{{ toString . }}{{ end -}}
{{- end -}}

{{/* (dict VARIABLE value): a list of EnvVar, in the order of their names. A value that is a map is the EnvVar's own `valueFrom`. */}}
{{- define "financial-agents.envVars" -}}
{{- $entries := list -}}
{{- range $variable, $value := . -}}
{{- if kindIs "map" $value -}}
{{- $entries = append $entries (merge (dict "name" $variable) $value) -}}
{{- else -}}
{{- $entries = append $entries (dict "name" $variable "value" (include "financial-agents.text" $value)) -}}
{{- end -}}
{{- end -}}
{{- toYaml $entries -}}
{{- end -}}

{{/* (list secret key optional) */}}
{{- define "financial-agents.secretKey" -}}
valueFrom:
  secretKeyRef:
    name: {{ index . 0 }}
    key: {{ index . 1 }}
    {{- if index . 2 }}
    optional: true
    {{- end }}
{{- end -}}

{{/* (dict root name component): the environment of a service. */}}
{{- define "financial-agents.environment" -}}
{{- $values := .root.Values -}}
{{- $facts := .component.facts -}}
{{- $wanted := concat (list "LOG_LEVEL") $facts.variables -}}
{{- $keys := default list $facts.secrets -}}
{{- if not $facts.development -}}
{{- $wanted = concat $wanted (list "ENVIRONMENT" "NATS_URL" "NATS_CA_FILE") -}}
{{- $keys = append $keys "NATS_NKEY_SEED" -}}
{{- end -}}
{{- if $facts.schema -}}
{{- $wanted = append $wanted "DATABASE_MAX_CONNECTIONS" -}}
{{- $keys = append $keys "DATABASE_URL" -}}
{{- end -}}
{{- $reachesProvider := has "provider" (default list $facts.reaches) -}}
{{- if $reachesProvider -}}{{- $wanted = concat $wanted (list "PROVIDER_ADAPTERS" "PROVIDER_ADAPTERS_PATH") -}}{{- end -}}
{{- if not $values.webhooks.enabled -}}{{- $keys = without $keys "WEBHOOK_SIGNING_KEYS" -}}{{- end -}}
{{- if $values.console.identityProvider.publicClient -}}{{- $keys = without $keys "OPERATOR_IDP_CLIENT_SECRET" -}}{{- end -}}
{{- $environment := dict -}}
{{- $all := include "financial-agents.variables" .root | fromYaml -}}
{{- range $variable := $wanted -}}
{{- with get $all $variable -}}{{- $_ := set $environment $variable . -}}{{- end -}}
{{- end -}}
{{- $secret := include "financial-agents.secret" (list .root .name .component.existingSecret) -}}
{{- range $keys -}}
{{- $_ := set $environment . (include "financial-agents.secretKey" (list $secret . false) | fromYaml) -}}
{{- end -}}
{{- range $facts.optional -}}
{{- $_ := set $environment . (include "financial-agents.secretKey" (list $secret . true) | fromYaml) -}}
{{- end -}}
{{- if eq .name "fake-identity-provider" -}}
{{- $console := index .root.Values.components "ops-console" -}}
{{- $secret = include "financial-agents.secret" (list .root "ops-console" $console.existingSecret) -}}
{{- $_ := set $environment "CLIENT_SECRET" (include "financial-agents.secretKey" (list $secret "OPERATOR_IDP_CLIENT_SECRET" true) | fromYaml) -}}
{{- end -}}
{{- if $reachesProvider -}}
{{- $environment = mustMergeOverwrite $environment (include "financial-agents.adapterVariables" $values.provider.adapters | fromYaml) -}}
{{- end -}}
{{- $telemetry := include "financial-agents.telemetry" (list .root .name) | fromYaml -}}
{{- include "financial-agents.envVars" (mustMergeOverwrite (dict) $environment $telemetry .component.env) -}}
{{- end -}}

{{/* (list root service): the variables of OpenTelemetry, if an endpoint is set. */}}
{{- define "financial-agents.telemetry" -}}
{{- $otlp := (first .).Values.observability.otlp -}}
{{- if $otlp.endpoint -}}
# Variables are sorted by name, and these names come before the variable that refers to them.
K8S_NAMESPACE_NAME: { valueFrom: { fieldRef: { fieldPath: metadata.namespace } } }
K8S_NODE_NAME: { valueFrom: { fieldRef: { fieldPath: spec.nodeName } } }
K8S_POD_NAME: { valueFrom: { fieldRef: { fieldPath: metadata.name } } }
OTEL_EXPORTER_OTLP_ENDPOINT: {{ $otlp.endpoint | quote }}
OTEL_EXPORTER_OTLP_PROTOCOL: {{ $otlp.protocol | quote }}
{{- with $otlp.headersSecret.name }}
OTEL_EXPORTER_OTLP_HEADERS: { valueFrom: { secretKeyRef: { name: {{ . }}, key: {{ $otlp.headersSecret.key }} } } }
{{- end }}
OTEL_SERVICE_NAME: {{ last . }}
OTEL_RESOURCE_ATTRIBUTES: {{ printf "service.namespace=financial-agents,service.version=%s,k8s.namespace.name=$(K8S_NAMESPACE_NAME),k8s.node.name=$(K8S_NODE_NAME),k8s.pod.name=$(K8S_POD_NAME)" (first .).Chart.AppVersion | quote }}
{{- end -}}
{{- end -}}
