/** The check of pods is itself checked: each rule finds its own violation and nothing else. */

import { describe, expect, test } from 'vitest'
import type { Container, PodSpec } from './manifests.ts'
import { type PodToValidate, type RuleName, restrictedRules, validatePod } from './pod-security.ts'

const goodContainer = (changes: Partial<Container> = {}): Container => ({
  name: 'main',
  image: 'image',
  ...changes,
  securityContext: {
    allowPrivilegeEscalation: false,
    runAsNonRoot: true,
    capabilities: { drop: ['ALL'] },
    seccompProfile: { type: 'RuntimeDefault' },
    ...changes.securityContext,
  },
})

const goodPod = (spec: Partial<PodSpec> = {}, annotations: Record<string, string> = {}): PodToValidate => ({
  metadata: { annotations },
  spec: { containers: [goodContainer()], ...spec },
})

const withContainer = (changes: Partial<Container>): PodToValidate => goodPod({ containers: [goodContainer(changes)] })
const withContext = (securityContext: Container['securityContext'] & object): PodToValidate =>
  withContainer({ securityContext })

const bad: Record<RuleName, Record<string, PodToValidate>> = {
  'no host process': {
    'of the pod': goodPod({ securityContext: { windowsOptions: { hostProcess: true } } }),
    'of a container': withContext({ windowsOptions: { hostProcess: true } }),
  },
  'no host namespaces': {
    network: goodPod({ hostNetwork: true }),
    processes: goodPod({ hostPID: true }),
    ipc: goodPod({ hostIPC: true }),
  },
  'no privileged containers': { privileged: withContext({ privileged: true }) },
  'no volumes of the host': { hostPath: goodPod({ volumes: [{ name: 'v', hostPath: { path: '/' } }] }) },
  'no ports of the host': { hostPort: withContainer({ ports: [{ containerPort: 80, hostPort: 80 }] }) },
  'probes and hooks stay in the pod': {
    liveness: withContainer({ livenessProbe: { httpGet: { path: '/', port: 80, host: '169.254.169.254' } } }),
    readiness: withContainer({ readinessProbe: { tcpSocket: { port: 80, host: 'elsewhere' } } }),
    startup: withContainer({ startupProbe: { tcpSocket: { port: 80, host: 'elsewhere' } } }),
    preStop: withContainer({ lifecycle: { preStop: { httpGet: { path: '/', port: 80, host: 'elsewhere' } } } }),
    postStart: withContainer({ lifecycle: { postStart: { tcpSocket: { port: 80, host: 'elsewhere' } } } }),
  },
  'AppArmor is on': {
    'of the pod': goodPod({ securityContext: { appArmorProfile: { type: 'Unconfined' } } }),
    'of a container': withContext({ appArmorProfile: { type: 'Unconfined' } }),
    'by annotation': goodPod({}, { 'container.apparmor.security.beta.kubernetes.io/main': 'unconfined' }),
  },
  'SELinux is the usual': {
    type: withContext({ seLinuxOptions: { type: 'spc_t' } }),
    user: withContext({ seLinuxOptions: { user: 'system_u' } }),
    role: goodPod({ securityContext: { seLinuxOptions: { role: 'sysadm_r' } } }),
  },
  '/proc is masked': { unmasked: withContext({ procMount: 'Unmasked' }) },
  'sysctls are safe': { unsafe: goodPod({ securityContext: { sysctls: [{ name: 'kernel.msgmax', value: '1' }] } }) },
  'volumes are of harmless types': { nfs: goodPod({ volumes: [{ name: 'v', nfs: { server: 's', path: '/' } }] }) },
  'no escalation of privileges': {
    allowed: withContext({ allowPrivilegeEscalation: true }),
    unsaid: goodPod({ containers: [{ ...goodContainer(), securityContext: bare('allowPrivilegeEscalation') }] }),
  },
  'runs as non-root': {
    'said nowhere': goodPod({ containers: [{ ...goodContainer(), securityContext: bare('runAsNonRoot') }] }),
    'taken back by a container': goodPod({
      securityContext: { runAsNonRoot: true },
      containers: [goodContainer({ securityContext: { runAsNonRoot: false } })],
    }),
    'false for the pod': goodPod({
      securityContext: { runAsNonRoot: false },
      containers: [{ ...goodContainer(), securityContext: bare('runAsNonRoot') }],
    }),
    'of an init container': goodPod({ initContainers: [goodContainer({ securityContext: { runAsNonRoot: false } })] }),
  },
  'runs as no user 0': {
    'of the pod': goodPod({ securityContext: { runAsUser: 0 } }),
    'of a container': withContext({ runAsUser: 0 }),
  },
  'seccomp is on': {
    unconfined: withContext({ seccompProfile: { type: 'Unconfined' } }),
    'unconfined for the pod': goodPod({ securityContext: { seccompProfile: { type: 'Unconfined' } } }),
    'said nowhere': goodPod({ containers: [{ ...goodContainer(), securityContext: bare('seccompProfile') }] }),
  },
  'drops all capabilities': {
    unsaid: goodPod({ containers: [{ ...goodContainer(), securityContext: bare('capabilities') }] }),
    'one alone': withContext({ capabilities: { drop: ['NET_RAW'] } }),
    'of an ephemeral container': goodPod({
      ephemeralContainers: [goodContainer({ securityContext: { capabilities: {} } })],
    }),
  },
  'adds no capability but NET_BIND_SERVICE': {
    added: withContext({ capabilities: { drop: ['ALL'], add: ['NET_BIND_SERVICE', 'SYS_TIME'] } }),
  },
}

function bare(without: keyof (Container['securityContext'] & object)) {
  return Object.fromEntries(Object.entries(goodContainer().securityContext ?? {}).filter(([name]) => name !== without))
}

test('a good pod breaks no rule', () => {
  expect(validatePod(goodPod())).toEqual([])
})

test('what the standard allows breaks no rule', () => {
  const pod = goodPod(
    {
      securityContext: {
        runAsNonRoot: true,
        runAsUser: 65532,
        seccompProfile: { type: 'Localhost' },
        appArmorProfile: { type: 'RuntimeDefault' },
        seLinuxOptions: { type: 'container_t' },
        sysctls: [{ name: 'net.ipv4.tcp_keepalive_time', value: '60' }],
      },
      containers: [
        {
          name: 'main',
          image: 'image',
          ports: [{ containerPort: 80 }],
          livenessProbe: { httpGet: { path: '/live', port: 'health' } },
          securityContext: {
            allowPrivilegeEscalation: false,
            capabilities: { drop: ['ALL'], add: ['NET_BIND_SERVICE'] },
          },
        },
      ],
      volumes: [
        { name: 'a', emptyDir: {} },
        { name: 'b', configMap: { name: 'c' } },
        { name: 'c', secret: { secretName: 's' } },
      ],
    },
    { 'container.apparmor.security.beta.kubernetes.io/main': 'runtime/default' },
  )
  expect(validatePod(pod)).toEqual([])
})

describe.each(Object.keys(restrictedRules) as RuleName[])('%s', (rule) => {
  test.each(Object.entries(bad[rule]))('refuses: %s', (_, pod) => {
    expect(validatePod(pod).map((finding) => finding.rule)).toContain(rule)
  })

  test('is broken by nothing of the other rules, but where one thing breaks two', () => {
    const twice: Partial<Record<RuleName, RuleName[]>> = {
      'volumes are of harmless types': ['no volumes of the host'],
    }
    const breakers = (Object.keys(bad) as RuleName[]).filter((other) =>
      Object.values(bad[other]).some((pod) => validatePod(pod).some((finding) => finding.rule === rule)),
    )
    expect(breakers.toSorted()).toEqual([rule, ...(twice[rule] ?? [])].toSorted())
  })
})
