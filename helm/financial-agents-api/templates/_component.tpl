{{/*
The installed components, by name. Each has the defaults, overridden by the component's own values, and in addition `facts`
(its row of files/components.yaml), `fullname`, `account` and `servers` (nats and postgres, if it connects to them).
Used as `include "financial-agents.components" . | fromYaml`.
*/}}
{{- define "financial-agents.components" -}}
{{- include "financial-agents.checks" . -}}
{{- $installed := dict -}}
{{- range $name, $facts := .Files.Get "files/components.yaml" | fromYaml -}}
{{- $component := mustMergeOverwrite (deepCopy $.Values.defaults) (deepCopy (default dict (get $.Values.components $name))) -}}
{{- $wanted := and $component.enabled (or (not $facts.development) $.Values.development.enabled) -}}
{{- if and $wanted (not $facts.sidecarOf) -}}
{{- $account := default "default" $component.serviceAccount.name -}}
{{- if $component.serviceAccount.create -}}
{{- $account = default (include "financial-agents.resource" (list $ $name)) $component.serviceAccount.name -}}
{{- end -}}
{{- $servers := list -}}
{{- if not $facts.development -}}{{- $servers = append $servers "nats" -}}{{- end -}}
{{- if $facts.schema -}}{{- $servers = append $servers "postgres" -}}{{- end -}}
{{- $extra := dict "facts" $facts "fullname" (include "financial-agents.resource" (list $ $name)) "account" $account "servers" $servers -}}
{{- $_ := set $installed $name (merge $extra $component) -}}
{{- end -}}
{{- end -}}
{{- toYaml $installed -}}
{{- end -}}

{{/* Checks that the schema cannot express. Each error names the value. */}}
{{- define "financial-agents.checks" -}}
{{- $clients := or .Values.clients.declarations .Values.clients.existingConfigMap -}}
{{- $streams := ne .Values.streams.mode "external" -}}
{{- range $service, $wanted := dict "authz" $clients "onboarding" .Values.bindings.existingSecret "operations" $streams "submitter" $streams -}}
{{- if and $wanted (eq false (get $.Values.components $service).enabled) -}}
{{- fail (printf "components.%s is not enabled, and a Job of the release would use its image or its Secret" $service) -}}
{{- end -}}
{{- end -}}
{{- if and .Values.networkPolicy.enabled (not .Values.development.enabled) -}}
{{- include "financial-agents.checkPort" (dict "value" "provider.url" "url" .Values.provider.url "networkPolicy" .Values.provider.networkPolicy) -}}
{{- range $name, $adapter := .Values.provider.adapters -}}
{{- $url := toString (default "" (get (default dict $adapter.env) "URL")) -}}
{{- if regexMatch "^https?://" $url -}}
{{- $policy := ternary "provider" (printf "provider.adapters.%s" $name) (empty $adapter.networkPolicy) -}}
{{- include "financial-agents.checkPort" (dict "value" (printf "provider.adapters.%s.env.URL" $name) "url" $url "policy" $policy "networkPolicy" (include "financial-agents.adapterPolicy" (list $ $adapter) | fromYaml)) -}}
{{- end -}}
{{- end -}}
{{- with .Values.console.identityProvider -}}
{{- include "financial-agents.checkPort" (dict "value" "console.identityProvider.issuer" "url" .issuer "networkPolicy" .networkPolicy) -}}
{{- end -}}
{{- end -}}
{{- with .Values.provider -}}
{{- if and .firstAdapter (not (hasKey .adapters .firstAdapter)) -}}
{{- fail (printf "provider.firstAdapter: %s is not in provider.adapters" .firstAdapter) -}}
{{- end -}}
{{- end -}}
{{- range $name, $adapter := .Values.provider.adapters -}}
{{- if $adapter.image -}}
{{- if $.Values.provider.adapterVolume -}}
{{- fail (printf "provider.adapters.%s: give its image or provider.adapterVolume, not both: images are mounted below that volume's folder" $name) -}}
{{- end -}}
{{- if or (has $adapter.package (list "http" "increase")) (gt (len $name) 55) (hasSuffix "-" $name) -}}
{{- fail (printf "provider.adapters.%s: an adapter with an image has a package that is not built in, and a name of at most 55 characters that does not end with a hyphen" $name) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- with .Values.observability.serviceMonitor -}}
{{- $seconds := dict "ms" 0.001 "s" 1 "m" 60 -}}
{{- $interval := mulf (regexFind "^[0-9]+" .interval) (get $seconds (regexFind "[a-z]+$" .interval)) -}}
{{- $timeout := mulf (regexFind "^[0-9]+" .scrapeTimeout) (get $seconds (regexFind "[a-z]+$" .scrapeTimeout)) -}}
{{- if gt $timeout $interval -}}
{{- fail "observability.serviceMonitor: scrapeTimeout is longer than interval" -}}
{{- end -}}
{{- end -}}
{{- $all := .Files.Get "files/components.yaml" | fromYaml -}}
{{- range $name, $given := .Values.components -}}
{{- $component := mustMergeOverwrite (deepCopy $.Values.defaults) (deepCopy $given) -}}
{{- $least := add $component.preStopSleepSeconds 21 -}}
{{- if lt (int $component.terminationGracePeriodSeconds) (int $least) -}}
{{- fail (printf "components.%s: terminationGracePeriodSeconds must be at least %d: preStopSleepSeconds, and 20 seconds to finish what is under way" $name $least) -}}
{{- end -}}
{{- if and $component.hpa.enabled (lt (int $component.hpa.max) (int (default $component.replicas $component.hpa.min))) -}}
{{- fail (printf "components.%s: hpa.max is less than hpa.min (or than replicas, where that is not set)" $name) -}}
{{- end -}}
{{- $most := ternary $component.hpa.max $component.replicas $component.hpa.enabled -}}
{{- $each := add $.Values.postgres.maxConnections (default 0 (get $all $name).connections) -}}
{{- if and (get $all $name).schema (gt (int (mul (add $most 1) $each)) (int $.Values.postgres.connectionsPerRole)) -}}
{{- fail (printf "components.%s: %d connections each for %d replicas, and one more while they are replaced, are more than postgres.connectionsPerRole (%d)" $name $each (int $most) (int $.Values.postgres.connectionsPerRole)) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/*
Fails if the network policy lacks the port of an address. Checks only destinations without named peers: behind an address, a
named peer may have another port.
*/}}
{{- define "financial-agents.checkPort" -}}
{{- if and .url (not .networkPolicy.to) -}}
{{- $url := urlParse .url -}}
{{- $port := regexFind "[0-9]+$" (regexFind ":[0-9]+$" $url.host) | default (ternary "443" "80" (eq $url.scheme "https")) -}}
{{- $ports := list -}}
{{- range .networkPolicy.ports -}}{{- $ports = append $ports (toString .) -}}{{- end -}}
{{- if not (has $port $ports) -}}
{{- fail (printf "%s: port %s is not in %s.networkPolicy.ports" .value $port (default (regexReplaceAll "\\.[a-z]+$" .value "") .policy)) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* (list root key): "yes" if the server `key` is bundled for development, else empty. */}}
{{- define "financial-agents.bundles" -}}
{{- $development := (first .).Values.development -}}
{{- if and $development.enabled (index $development (last .)).enabled -}}yes{{- end -}}
{{- end -}}

{{/* The development identity provider, which is a container in the pod of the console; empty where there is none. */}}
{{- define "financial-agents.sidecar" -}}
{{- $name := "fake-identity-provider" -}}
{{- $facts := get (.Files.Get "files/components.yaml" | fromYaml) $name -}}
{{- $component := mustMergeOverwrite (deepCopy .Values.defaults) (deepCopy (get .Values.components $name)) -}}
{{- if and .Values.development.enabled $component.enabled -}}
{{- toYaml (merge (dict "facts" $facts "servers" list) $component) -}}
{{- end -}}
{{- end -}}
