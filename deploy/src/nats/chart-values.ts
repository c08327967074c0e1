/** The values of the official NATS chart: three servers, and the accounts for the services' messages. */

import { stringify } from 'yaml'
import { natsSecretName } from '../secrets/names.ts'
import { chartAccounts } from './accounts.ts'

const secretPlace = 'SECRET_WITH_PUBLIC_KEYS'

const head = `# Written by \`pnpm gen\`: the accounts from libs/platform/bus/src/topology.ts, the rest from deploy/src/nats/chart-values.ts.
#
# For the chart \`nats\` of https://nats-io.github.io/k8s/helm/charts, 1.2 and newer. Put your own values (storage class, resources,
# TLS) into a second file: \`helm upgrade --install nats nats/nats -f values.yaml -f yours.yaml\`. README.md has the details.

config:
  cluster:
    enabled: true
    replicas: 3
  jetstream:
    enabled: true
    fileStore:
      # Each server holds a replica of each stream. The size must exceed STREAM_MAX_BYTES_SUBMIT plus STREAM_MAX_BYTES_EVENT plus 1536 MiB.
      maxSize: 8Gi
      pvc:
        size: 10Gi
  monitor:
    enabled: true
  # TLS for the services' connections needs \`enabled\`, and a Secret with a certificate for the name of NATS's Service. See README.md.
  nats:
    tls:
      enabled: false

container:
  # The users' public keys. They are not secret, but they must match the seeds in the services' Secrets.
  merge:
    envFrom:
      - secretRef:
          name: ${secretPlace}
    securityContext:
      allowPrivilegeEscalation: false
      readOnlyRootFilesystem: true
      capabilities: { drop: [ALL] }
    resources:
      requests: { cpu: 500m, memory: 512Mi }
      limits: { memory: 1Gi }
  # The memory limit of the server's runtime, a little below the container's limit.
  env:
    GOMEMLIMIT: 900MiB

reloader:
  merge:
    securityContext:
      allowPrivilegeEscalation: false
      readOnlyRootFilesystem: true
      capabilities: { drop: [ALL] }

promExporter:
  enabled: true
  merge:
    securityContext:
      allowPrivilegeEscalation: false
      readOnlyRootFilesystem: true
      capabilities: { drop: [ALL] }
  # For the Prometheus operator.
  podMonitor:
    enabled: false

podTemplate:
  topologySpreadConstraints:
    kubernetes.io/hostname:
      maxSkew: 1
      whenUnsatisfiable: DoNotSchedule
  merge:
    spec:
      automountServiceAccountToken: false
      enableServiceLinks: false
      securityContext:
        runAsNonRoot: true
        runAsUser: 1000
        runAsGroup: 1000
        fsGroup: 1000
        seccompProfile: { type: RuntimeDefault }

podDisruptionBudget:
  enabled: true

# nats-box would need a user of its own.
natsBox:
  enabled: false
`

/** Returns the file as it is delivered, for Secrets with this prefix. */
export function natsChartValues(prefix: string): string {
  const merge = { max_payload: '<< 1MB >>', ...chartAccounts }
  const accounts = stringify({ merge }, { lineWidth: 0 })
    .trimEnd()
    .replaceAll(/^(?=.)/gm, '  ')
  const note =
    '  # Accounts and permissions: an account for each side, and a user for each service. A user has only the permissions that it needs.'
  return head
    .replace(secretPlace, natsSecretName(prefix))
    .replace('\n\ncontainer:', `\n${note}\n${accounts}\n\ncontainer:`)
    .trimEnd()
}
