{{/* The permitted connections. files/components.yaml lists the destinations of each component, the values have their peers and ports. */}}

{{/* The rule that permits DNS queries. */}}
{{- define "financial-agents.dns" -}}
ports:
  {{- range .Values.networkPolicy.dns.ports }}
  - { protocol: UDP, port: {{ . }} }
  - { protocol: TCP, port: {{ . }} }
  {{- end }}
{{- with .Values.networkPolicy.dns.to }}
to:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/*
A policy that permits connections, in addition to the policy that denies all others. The policy of a hook's pods is a hook too: it is
created before them and removed after them. They may run while the release has no other policy yet (at the first installation, or at
an upgrade that introduces policies), in a namespace that denies everything itself. Their policy therefore also permits DNS queries,
which default-deny permits to all other pods.
(dict root name ingress egress [hook])
*/}}
{{- define "financial-agents.networkPolicy" -}}
{{- $hook := dict -}}
{{- $egress := .egress -}}
{{- if .hook -}}
{{- $egress = prepend $egress (include "financial-agents.dns" .root | fromYaml) -}}
{{- $hook = dict "helm.sh/hook" .hook "helm.sh/hook-weight" "-1" "helm.sh/hook-delete-policy" "before-hook-creation,hook-succeeded" -}}
{{- end -}}
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  {{- include "financial-agents.metadata" (dict "root" .root "name" (include "financial-agents.resource" (list .root .name)) "component" .name "annotations" $hook) | nindent 2 }}
spec:
  podSelector:
    matchLabels:
      {{- include "financial-agents.selectorLabels" (list .root .name) | nindent 6 }}
  policyTypes: [Ingress, Egress]
  {{- with .ingress }}
  ingress:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $egress }}
  egress:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end -}}

{{/* (list root component): the pods of a component, as a peer. */}}
{{- define "financial-agents.peer" -}}
podSelector:
  matchLabels:
    {{- include "financial-agents.selectorLabels" . | nindent 4 }}
{{- end -}}

{{/* (dict peers ports key): a rule, with `key` "to" or "from"; without peers it applies to everybody. */}}
{{- define "financial-agents.rule" -}}
{{- $ports := list -}}
{{- range .ports -}}
{{- $ports = append $ports (dict "protocol" "TCP" "port" .) -}}
{{- end -}}
{{- $rule := dict "ports" $ports -}}
{{- with .peers -}}{{- $_ := set $rule $.key . -}}{{- end -}}
{{- toYaml $rule -}}
{{- end -}}

{{/* (list root destination): the rule to NATS, PostgreSQL, the provider, … */}}
{{- define "financial-agents.destination" -}}
{{- $root := first . -}}
{{- $v := $root.Values -}}
{{- $to := last . -}}
{{- $given := dict -}}
{{- if or (eq $to "nats") (eq $to "postgres") -}}
{{- $given = (get $v $to).networkPolicy -}}
{{- if eq "yes" (include "financial-agents.bundles" (list $root $to)) -}}
{{- $given = dict "to" (list (include "financial-agents.peer" (list $root $to) | fromYaml)) "ports" (ternary (list 4222) (list 5432) (eq $to "nats")) -}}
{{- end -}}
{{- else if eq $to "provider" -}}
{{- $given = $v.provider.networkPolicy -}}
{{- if and $v.development.enabled (not $v.provider.url) -}}
{{- $given = dict "to" (list (include "financial-agents.peer" (list $root "fake-provider") | fromYaml)) "ports" (list "http") -}}
{{- end -}}
{{- else if eq $to "gateway" -}}
{{- $given = dict "to" (list (include "financial-agents.peer" (list $root "gateway") | fromYaml)) "ports" (list "http") -}}
{{- else if eq $to "identityProvider" -}}
{{- $given = $v.console.identityProvider.networkPolicy -}}
{{- else if eq $to "otlp" -}}
{{- $given = $v.observability.otlp.networkPolicy -}}
{{- else -}}
{{- $given = dict "to" list "ports" (list 443) -}}
{{- end -}}
{{- include "financial-agents.rule" (dict "key" "to" "peers" (default $v.networkPolicy.internet $given.to) "ports" $given.ports) -}}
{{- end -}}

{{/* (list root adapter): the peers and ports of an adapter's provider: its own, or the common ones. */}}
{{- define "financial-agents.adapterPolicy" -}}
{{- $given := default (first .).Values.provider.networkPolicy (last .).networkPolicy -}}
{{- toYaml (dict "to" (default list $given.to) "ports" (default (list 443) $given.ports)) -}}
{{- end -}}

{{/* The rules to the providers: one for each adapter with its own network policy, and the common rule if it is needed. */}}
{{- define "financial-agents.providers" -}}
{{- $rules := list -}}
{{- $isCommonNeeded := empty .Values.provider.adapters -}}
{{- range $name, $adapter := .Values.provider.adapters -}}
{{- if $adapter.networkPolicy -}}
{{- $policy := include "financial-agents.adapterPolicy" (list $ $adapter) | fromYaml -}}
{{- $peers := default $.Values.networkPolicy.internet $policy.to -}}
{{- $rules = append $rules (include "financial-agents.rule" (dict "key" "to" "peers" $peers "ports" $policy.ports) | fromYaml) -}}
{{- else -}}
{{- $isCommonNeeded = true -}}
{{- end -}}
{{- end -}}
{{- if $isCommonNeeded -}}
{{- $rules = append $rules (include "financial-agents.destination" (list . "provider") | fromYaml) -}}
{{- end -}}
{{- toYaml (uniq $rules) -}}
{{- end -}}

{{/* (dict root name component) */}}
{{- define "financial-agents.egress" -}}
{{- $root := .root -}}
{{- $facts := .component.facts -}}
{{- $reaches := concat .component.servers (default list $facts.reaches) -}}
{{- if $root.Values.observability.otlp.endpoint -}}{{- $reaches = append $reaches "otlp" -}}{{- end -}}
{{- $rules := default list .component.networkPolicy.egress -}}
{{- range $reaches -}}
{{- if eq . "provider" -}}
{{- $rules = concat $rules (include "financial-agents.providers" $root | fromYamlArray) -}}
{{- else -}}
{{- $rules = append $rules (include "financial-agents.destination" (list $root .) | fromYaml) -}}
{{- end -}}
{{- end -}}
{{- toYaml $rules -}}
{{- end -}}

{{/* (dict root name component) */}}
{{- define "financial-agents.ingress" -}}
{{- $root := .root -}}
{{- $policy := $root.Values.networkPolicy -}}
{{- $rules := default list .component.networkPolicy.ingress -}}
{{- if eq .name "gateway" -}}
{{- $inside := list -}}
{{- range list "ops-console" "smoke" -}}
{{- $inside = append $inside (include "financial-agents.peer" (list $root .) | fromYaml) -}}
{{- end -}}
{{- $peers := ternary (concat $policy.gatewayFrom $inside) (list) (not (empty $policy.gatewayFrom)) -}}
{{- $rules = append $rules (include "financial-agents.rule" (dict "key" "from" "peers" $peers "ports" (list "http")) | fromYaml) -}}
{{- else if eq .name "fake-provider" -}}
{{- $callers := list -}}
{{- range $caller, $component := include "financial-agents.components" $root | fromYaml -}}
{{- if has "provider" (default list $component.facts.reaches) -}}
{{- $callers = append $callers (include "financial-agents.peer" (list $root $caller) | fromYaml) -}}
{{- end -}}
{{- end -}}
{{- $rules = append $rules (include "financial-agents.rule" (dict "key" "from" "peers" $callers "ports" (list "http")) | fromYaml) -}}
{{- end -}}
{{- if and $policy.metricsFrom (not .component.facts.development) -}}
{{- $rules = append $rules (include "financial-agents.rule" (dict "key" "from" "peers" $policy.metricsFrom "ports" (list "health")) | fromYaml) -}}
{{- end -}}
{{- toYaml $rules -}}
{{- end -}}
