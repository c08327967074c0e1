{{/*
A server on one node, for development: a StatefulSet of one pod, and its Service. Its data is in a claim if `storage` gives a size;
otherwise it is lost with the pod. (dict root name port values container volumes checksum [user])
*/}}
{{- define "financial-agents.server" -}}
{{- $name := include "financial-agents.resource" (list .root .name) -}}
apiVersion: v1
kind: Service
metadata:
  {{- include "financial-agents.metadata" (dict "root" .root "name" $name "component" .name) | nindent 2 }}
spec:
  selector:
    {{- include "financial-agents.selectorLabels" (list .root .name) | nindent 4 }}
  ports:
    - { name: {{ .name }}, port: {{ .port }}, targetPort: {{ .name }} }
---
apiVersion: apps/v1
kind: StatefulSet
metadata:
  {{- include "financial-agents.metadata" (dict "root" .root "name" $name "component" .name) | nindent 2 }}
spec:
  replicas: 1
  serviceName: {{ $name }}
  selector:
    matchLabels:
      {{- include "financial-agents.selectorLabels" (list .root .name) | nindent 6 }}
  template:
    metadata:
      labels:
        {{- include "financial-agents.labels" (list .root .name) | nindent 8 }}
      annotations:
        checksum/config: {{ .checksum }}
    spec:
      {{- include "financial-agents.podDefaults" (dict "root" .root "user" (default 65532 .user)) | nindent 6 }}
      containers:
        - name: {{ .name }}
          image: {{ include "financial-agents.foreignImage" (dict "root" .root "image" .values.image) }}
          imagePullPolicy: {{ .root.Values.image.pullPolicy }}
          {{- .container | nindent 10 }}
          resources:
            {{- toYaml .values.resources | nindent 12 }}
          {{- include "financial-agents.containerSecurity" . | nindent 10 }}
      volumes:
        {{- .volumes | nindent 8 }}
        {{- if not .values.storage }}
        - { name: data, emptyDir: {} }
        {{- end }}
  {{- with .values.storage }}
  volumeClaimTemplates:
    - metadata:
        name: data
      spec:
        accessModes: [ReadWriteOnce]
        {{- with $.values.storageClassName }}
        storageClassName: {{ . }}
        {{- end }}
        resources:
          requests:
            storage: {{ . }}
  {{- end }}
{{- end -}}
