/** The output of helm as data: the resources, the pods in them, and the resources that labels select. */

import { parseAllDocuments } from 'yaml'

export type Labels = Record<string, string>

export type Selector = {
  matchLabels?: Labels
  matchExpressions?: { key: string; operator: string; values?: string[] }[]
}

export type EnvironmentVariable = {
  name: string
  value?: string
  valueFrom?: {
    secretKeyRef?: { name: string; key: string; optional?: boolean }
    configMapKeyRef?: { name: string; key: string; optional?: boolean }
    fieldRef?: { fieldPath: string }
    resourceFieldRef?: { resource: string }
  }
}

export type Probe = {
  httpGet?: { path: string; port: string | number; host?: string }
  tcpSocket?: { port: string | number; host?: string }
  exec?: { command: string[] }
  periodSeconds?: number
  failureThreshold?: number
  initialDelaySeconds?: number
  timeoutSeconds?: number
}

export type SecurityContext = {
  privileged?: boolean
  allowPrivilegeEscalation?: boolean
  readOnlyRootFilesystem?: boolean
  runAsNonRoot?: boolean
  runAsUser?: number
  procMount?: string
  capabilities?: { add?: string[]; drop?: string[] }
  seccompProfile?: { type?: string }
  appArmorProfile?: { type?: string }
  seLinuxOptions?: { type?: string; user?: string; role?: string }
  windowsOptions?: { hostProcess?: boolean }
}

type LifecycleHandler = Pick<Probe, 'httpGet' | 'tcpSocket' | 'exec'> & { sleep?: { seconds: number } }

export type Container = {
  name: string
  image: string
  imagePullPolicy?: string
  command?: string[]
  args?: string[]
  env?: EnvironmentVariable[]
  envFrom?: { secretRef?: { name: string }; configMapRef?: { name: string } }[]
  ports?: { name?: string; containerPort: number; hostPort?: number; protocol?: string }[]
  resources?: { requests?: Record<string, string>; limits?: Record<string, string> }
  securityContext?: SecurityContext
  livenessProbe?: Probe
  readinessProbe?: Probe
  startupProbe?: Probe
  lifecycle?: { preStop?: LifecycleHandler; postStart?: LifecycleHandler }
  volumeMounts?: { name: string; mountPath: string; readOnly?: boolean }[]
  restartPolicy?: string
}

export type Volume = { name: string } & Record<string, unknown>

export type PodSpec = {
  containers: Container[]
  initContainers?: Container[]
  ephemeralContainers?: Container[]
  volumes?: Volume[]
  securityContext?: SecurityContext & { sysctls?: { name: string; value: string }[]; fsGroup?: number }
  serviceAccountName?: string
  automountServiceAccountToken?: boolean
  enableServiceLinks?: boolean
  hostNetwork?: boolean
  hostPID?: boolean
  hostIPC?: boolean
  terminationGracePeriodSeconds?: number
  topologySpreadConstraints?: {
    topologyKey: string
    maxSkew: number
    whenUnsatisfiable: string
    labelSelector?: Selector
    matchLabelKeys?: string[]
  }[]
  restartPolicy?: string
  imagePullSecrets?: { name: string }[]
  priorityClassName?: string
  nodeSelector?: Labels
  tolerations?: unknown[]
  affinity?: Record<string, unknown>
}

export type Metadata = { name: string; namespace?: string; labels?: Labels; annotations?: Record<string, string> }

export type PodTemplate = { metadata?: Partial<Metadata>; spec: PodSpec }

/** The types of `spec` and `data` depend on the kind. The caller knows the kind. */
export type Resource = {
  apiVersion: string
  kind: string
  metadata: Metadata
  // oxlint-disable-next-line typescript/no-explicit-any
  spec?: any
  data?: Record<string, string>
  stringData?: Record<string, string>
  automountServiceAccountToken?: boolean
}

/** A pod and the resource that creates it. */
export type Pod = {
  /** `Deployment/release-gateway`. */
  of: string
  owner: Resource
  /** The value of its component label. */
  component: string
  metadata: Partial<Metadata>
  spec: PodSpec
}

const componentLabel = 'app.kubernetes.io/component'

export function parseManifests(text: string): Resource[] {
  return parseAllDocuments(text, { merge: false })
    .map((document) => {
      if (document.errors[0]) throw document.errors[0]
      return document.toJS() as Resource | null
    })
    .filter((resource) => resource !== null)
}

export const idOf = ({ kind, metadata }: Resource) => `${kind}/${metadata.name}`

export const componentOf = (metadata: Partial<Metadata> | undefined) => metadata?.labels?.[componentLabel] ?? ''

function templateOf(resource: Resource): PodTemplate | undefined {
  if (resource.kind === 'Pod') return { metadata: resource.metadata, spec: resource.spec as PodSpec }
  if (resource.kind === 'CronJob') return resource.spec.jobTemplate.spec.template as PodTemplate
  if (['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet', 'Job'].includes(resource.kind))
    return resource.spec.template as PodTemplate
  return undefined
}

export function podsOf(resources: readonly Resource[]): Pod[] {
  return resources.flatMap((owner) => {
    const template = templateOf(owner)
    if (!template) return []
    const metadata = template.metadata ?? {}
    return [{ of: idOf(owner), owner, component: componentOf(metadata), metadata, spec: template.spec }]
  })
}

export function containersOf({ initContainers = [], containers, ephemeralContainers = [] }: PodSpec): Container[] {
  return [...initContainers, ...containers, ...ephemeralContainers]
}

export function ofKind(resources: readonly Resource[], ...kinds: string[]): Resource[] {
  return resources.filter(({ kind }) => kinds.includes(kind))
}

/** The empty selector matches everything. */
export function selects({ matchLabels = {}, matchExpressions = [] }: Selector, labels: Labels = {}): boolean {
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(({ key, operator, values = [] }) => {
      const value = labels[key]
      if (operator === 'In') return value !== undefined && values.includes(value)
      if (operator === 'NotIn') return value === undefined || !values.includes(value)
      if (operator === 'Exists') return value !== undefined
      if (operator === 'DoesNotExist') return value === undefined
      throw new Error(`unknown operator ${operator}`)
    })
  )
}

/** Returns true if helm creates the resource before or after the release, and not with it. */
export const isHook = ({ metadata }: Resource) => metadata.annotations?.['helm.sh/hook'] !== undefined

export const isTest = ({ metadata }: Resource) => metadata.annotations?.['helm.sh/hook'] === 'test'
