/**
 * Pod Security Standards, profile "restricted", which contains "baseline", as published for Kubernetes 1.34
 * (https://kubernetes.io/docs/concepts/security/pod-security-standards/). There is one rule for each control, in the
 * order of the page. A rule names the parts of a pod that violate it. A namespace that enforces the profile admits a
 * pod without violations.
 */

import { type Container, containersOf, type PodSpec, type Probe, type SecurityContext } from './manifests.ts'

export type PodToValidate = { metadata?: { annotations?: Record<string, string> }; spec: PodSpec }

type Rule = (pod: PodToValidate) => string[]

/** Security contexts of the pod (`pod`) and of each container, by name. */
function contexts({ spec }: PodToValidate): [string, SecurityContext][] {
  const ofContainers = containersOf(spec).map(({ name, securityContext = {} }): [string, SecurityContext] => [
    name,
    securityContext,
  ])
  return [['pod', spec.securityContext ?? {}], ...ofContainers]
}

const wrong = (pod: PodToValidate, isWrong: (context: SecurityContext) => boolean): string[] =>
  contexts(pod)
    .filter(([, context]) => isWrong(context))
    .map(([name]) => name)

const wrongContainers = (pod: PodToValidate, isWrong: (container: Container) => boolean): string[] =>
  containersOf(pod.spec)
    .filter(isWrong)
    .map(({ name }) => name)

/** A container has the setting itself, or takes it from the pod. */
const wrongWithoutPods = (pod: PodToValidate, isRight: (context: SecurityContext) => boolean | undefined): string[] => {
  const ofPod = isRight(pod.spec.securityContext ?? {})
  return wrongContainers(pod, ({ securityContext = {} }) => !(isRight(securityContext) ?? ofPod ?? false))
}

const sysctls = new Set([
  'kernel.shm_rmid_forced',
  'net.ipv4.ip_local_port_range',
  'net.ipv4.ip_local_reserved_ports',
  'net.ipv4.ip_unprivileged_port_start',
  'net.ipv4.ping_group_range',
  'net.ipv4.tcp_fin_timeout',
  'net.ipv4.tcp_keepalive_intvl',
  'net.ipv4.tcp_keepalive_probes',
  'net.ipv4.tcp_keepalive_time',
  'net.ipv4.tcp_rmem',
  'net.ipv4.tcp_syncookies',
  'net.ipv4.tcp_wmem',
])

const volumeTypes = new Set([
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  // Admitted from Kubernetes 1.33 (https://github.com/kubernetes/kubernetes/pull/130394); the page lacks it.
  'image',
  'persistentVolumeClaim',
  'projected',
  'secret',
])

const seLinuxTypes = new Set([
  undefined,
  '',
  'container_t',
  'container_init_t',
  'container_kvm_t',
  'container_engine_t',
])

const namesHost = (probe: Pick<Probe, 'httpGet' | 'tcpSocket'> | undefined) =>
  Boolean(probe?.httpGet?.host) || Boolean(probe?.tcpSocket?.host)

const isConfined = (type: string | undefined) => type === 'RuntimeDefault' || type === 'Localhost'

export const restrictedRules = {
  'no host process': (pod) => wrong(pod, ({ windowsOptions }) => windowsOptions?.hostProcess === true),
  'no host namespaces': ({ spec }) => (['hostNetwork', 'hostPID', 'hostIPC'] as const).filter((name) => spec[name]),
  'no privileged containers': (pod) => wrong(pod, ({ privileged }) => privileged === true),
  'no volumes of the host': ({ spec: { volumes = [] } }) =>
    volumes.filter((volume) => 'hostPath' in volume).map(({ name }) => name),
  'no ports of the host': (pod) => wrongContainers(pod, ({ ports = [] }) => ports.some(({ hostPort }) => hostPort)),
  'probes and hooks stay in the pod': (pod) =>
    wrongContainers(pod, ({ livenessProbe, readinessProbe, startupProbe, lifecycle }) =>
      [livenessProbe, readinessProbe, startupProbe, lifecycle?.preStop, lifecycle?.postStart].some(namesHost),
    ),
  'AppArmor is on': (pod) => [
    ...wrong(pod, ({ appArmorProfile }) => appArmorProfile !== undefined && !isConfined(appArmorProfile.type)),
    ...Object.entries(pod.metadata?.annotations ?? {})
      .filter(([name]) => name.startsWith('container.apparmor.security.beta.kubernetes.io/'))
      .filter(([, value]) => value !== 'runtime/default' && !value.startsWith('localhost/'))
      .map(([name]) => name),
  ],
  'SELinux is the usual': (pod) =>
    wrong(
      pod,
      ({ seLinuxOptions: { type, user, role } = {} }) => !seLinuxTypes.has(type) || Boolean(user) || Boolean(role),
    ),
  '/proc is masked': (pod) => wrong(pod, ({ procMount }) => procMount !== undefined && procMount !== 'Default'),
  'sysctls are safe': ({ spec }) =>
    (spec.securityContext?.sysctls ?? []).map(({ name }) => name).filter((name) => !sysctls.has(name)),
  'volumes are of harmless types': ({ spec: { volumes = [] } }) =>
    volumes
      .filter((volume) => Object.keys(volume).some((type) => type !== 'name' && !volumeTypes.has(type)))
      .map(({ name }) => name),
  'no escalation of privileges': (pod) =>
    wrongContainers(pod, ({ securityContext }) => securityContext?.allowPrivilegeEscalation !== false),
  'runs as non-root': (pod) => wrongWithoutPods(pod, ({ runAsNonRoot }) => runAsNonRoot),
  'runs as no user 0': (pod) => wrong(pod, ({ runAsUser }) => runAsUser === 0),
  'seccomp is on': (pod) => [
    ...wrong(pod, ({ seccompProfile }) => seccompProfile !== undefined && !isConfined(seccompProfile.type)),
    ...wrongWithoutPods(pod, ({ seccompProfile }) => seccompProfile && isConfined(seccompProfile.type)),
  ],
  'drops all capabilities': (pod) =>
    wrongContainers(pod, ({ securityContext }) => !securityContext?.capabilities?.drop?.includes('ALL')),
  'adds no capability but NET_BIND_SERVICE': (pod) =>
    wrongContainers(
      pod,
      ({ securityContext }) =>
        securityContext?.capabilities?.add?.some((capability) => capability !== 'NET_BIND_SERVICE') ?? false,
    ),
} satisfies Record<string, Rule>

export type RuleName = keyof typeof restrictedRules

/** Returns the rules that a pod violates, with the violating parts. */
export function validatePod(pod: PodToValidate): { rule: RuleName; where: string[] }[] {
  return Object.entries(restrictedRules)
    .map(([rule, validate]) => ({ rule: rule as RuleName, where: [...new Set(validate(pod))] }))
    .filter(({ where }) => where.length > 0)
}
