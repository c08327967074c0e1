/** The values of the official NATS chart: three servers, and the accounts for the services' messages. */

import { stringify } from 'yaml'
import { natsSecretName } from '../secrets/names.ts'
import { chartAccounts } from './accounts.ts'

const secretPlace = 'SECRET_WITH_PUBLIC_KEYS'

const head = `# Written by \`pnpm gen\`: the accounts from libs/bus/src/topology.ts, the rest from deploy/src/nats/chart-values.ts.
#
# For the chart \`nats\` of https://nats-io.github.io/k8s/helm/charts, 1.2 and newer. What is your own (storage class, resources, TLS)
# goes into a file of yours behind it: \`helm upgrade --install nats nats/nats -f values.yaml -f yours.yaml\`. README.md says more.

config:
  cluster:
    enabled: true
    replicas: 3
  jetstream:
    enabled: true
    fileStore:
      # Each server holds a replica of each stream: STREAM_MAX_BYTES_SUBMIT and STREAM_MAX_BYTES_EVENT together, and room beside.
      maxSize: 8Gi
      pvc:
        size: 10Gi
  monitor:
    enabled: true
  # TLS for the services' connections: \`nats.tls.enabled\` and a secret with a certificate for the service's name. See README.md.
  nats:
    tls:
      enabled: false

container:
  # The users' public keys: nothing in it is secret, but it belongs to the seeds that the services have.
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
  # The server's memory limit, a little below that of the container.
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

# It would need a user of its own.
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
    '  # Who may say what to whom. An account for each side, a user for each service, and no permission beyond its work.'
  return head
    .replace(secretPlace, natsSecretName(prefix))
    .replace('\n\ncontainer:', `\n${note}\n${accounts}\n\ncontainer:`)
    .trimEnd()
}
