/** Network policies: each pod permits exactly the connections in the hand-written table. */

import { describe, expect, test } from 'vitest'
import { ofKind, type Pod, podsOf, type Resource, type Selector, selects } from './manifests.ts'
import { developmentConnections, networkTable } from './network-table.ts'
import { allRendered, expectNone, needRendered, rendered } from './rendered.ts'

needRendered()

type Peer = {
  podSelector?: Selector
  namespaceSelector?: Selector
  ipBlock?: { cidr: string; except?: string[] }
}
type Port = { protocol?: string; port: number | string }
type Rule = { to?: Peer[]; from?: Peer[]; ports?: Port[] }
type Policy = { podSelector: Selector; policyTypes: string[]; ingress?: Rule[]; egress?: Rule[] }

const policiesOf = (resources: readonly Resource[], pod: Pod): Policy[] =>
  ofKind(resources, 'NetworkPolicy')
    .map(({ spec }) => spec as Policy)
    .filter(({ podSelector }) => selects(podSelector, pod.metadata.labels))

const rulesOf = (resources: readonly Resource[], pod: Pod, direction: 'egress' | 'ingress'): Rule[] =>
  policiesOf(resources, pod).flatMap((policy) => policy[direction] ?? [])

/** Returns names such as `nats:4222`: the case's name for a peer or the selected component, and the port. */
function namesOf(rule: Rule, resources: readonly Resource[]): string[] {
  const peers = rule.to ?? rule.from
  const ports = (rule.ports ?? []).map(({ protocol = 'TCP', port }) =>
    protocol === 'TCP' ? `${port}` : `${port}/${protocol}`,
  )
  const named = peers?.map(({ podSelector }) => {
    const labels = podSelector?.matchLabels ?? {}
    const within = podsOf(resources).filter((pod) => selects(podSelector ?? {}, pod.metadata.labels))
    return labels['peer'] ?? [...new Set(within.map(({ component }) => component))].join('+')
  }) ?? ['anybody']
  return named.flatMap((name) => ports.map((port) => `${name}:${port}`))
}

/** The ports in `cases/network.yaml`. Each destination has a port of its own. */
const portOf: Record<string, string> = {
  nats: '4222',
  postgres: '6432',
  provider: '8443',
  internet: '443',
  'identity-provider': '9443',
  gateway: 'http',
  otlp: '4318',
}

describe('in production', () => {
  const eachPod = () => {
    const { resources } = rendered('network')
    return podsOf(resources).map((pod) => ({ resources, pod, row: networkTable[pod.component] }))
  }

  test('the table has every component, jobs and the test included', () => {
    const components = new Set(eachPod().map(({ pod }) => pod.component))
    expect([...components].toSorted()).toEqual(Object.keys(networkTable).toSorted())
  })

  test('pods connect to the destinations in the table and to DNS, and to nothing else', () => {
    for (const { resources, pod, row } of eachPod()) {
      const found = new Set(rulesOf(resources, pod, 'egress').flatMap((rule) => namesOf(rule, resources)))
      const expected = ['dns:53/UDP', 'dns:53', ...(row?.to ?? []).map((to) => `${to}:${portOf[to]}`)]
      expect([...found].toSorted(), pod.of).toEqual(expected.toSorted())
    }
  })

  test('only the clients in the table may connect to a pod', () => {
    for (const { resources, pod, row } of eachPod()) {
      const found = rulesOf(resources, pod, 'ingress').flatMap((rule) => namesOf(rule, resources))
      const expected = Object.entries(row?.from ?? {}).flatMap(([port, names]) =>
        names.map((name) => `${name}:${port}`),
      )
      expect(found.toSorted(), pod.of).toEqual(expected.toSorted())
    }
  })

  test('the internet means public addresses: no private, loopback or link-local ones', () => {
    const { resources } = rendered('production')
    const notifier = podsOf(resources).find(({ component }) => component === 'notifier') as Pod
    const blocks = rulesOf(resources, notifier, 'egress').flatMap(({ to = [] }) =>
      to.flatMap(({ ipBlock }) => ipBlock ?? []),
    )
    const everything = blocks.filter(({ cidr }) => cidr.endsWith('/0'))
    expect(everything.map(({ cidr }) => cidr).toSorted()).toEqual(['0.0.0.0/0', '::/0'])
    const excepted = everything.flatMap(({ except = [] }) => except)
    for (const range of [
      '10.0.0.0/8',
      '172.16.0.0/12',
      '192.168.0.0/16',
      '100.64.0.0/10',
      '127.0.0.0/8',
      '169.254.0.0/16',
      'fc00::/7',
      'fe80::/10',
    ])
      expect(excepted).toContain(range)
  })

  test('each adapter has the way to its provider, and the others have the common one', () => {
    const { resources } = rendered('adapter-images')
    const submitter = podsOf(resources).find(({ component }) => component === 'submitter') as Pod
    const ways = rulesOf(resources, submitter, 'egress').map(({ to = [], ports = [] }) => ({
      ports: ports.map(({ port }) => port),
      to: to.map(({ ipBlock }) => ipBlock?.cidr),
    }))
    expect(ways.slice(-3)).toEqual([
      { ports: [9444], to: ['192.0.2.0/24'] },
      { ports: [9555], to: ['0.0.0.0/0', '::/0'] },
      { ports: [8443], to: ['0.0.0.0/0', '::/0'] },
    ])
    const gateway = podsOf(resources).find(({ component }) => component === 'gateway') as Pod
    expect(JSON.stringify(rulesOf(resources, gateway, 'egress'))).not.toMatch(/9444|9555|8443/)
  })

  test('everybody may connect to the gateway only if the values name no peers', () => {
    const { resources } = rendered('production')
    const gateway = podsOf(resources).find(({ component }) => component === 'gateway') as Pod
    expect(rulesOf(resources, gateway, 'ingress').flatMap((rule) => namesOf(rule, resources))).toEqual(['anybody:http'])
    for (const pod of podsOf(resources).filter(({ component }) => component !== 'gateway'))
      expect(rulesOf(resources, pod, 'ingress'), pod.of).toEqual([])
  })
})

describe('in every case', () => {
  const withPolicies = () => allRendered().filter(({ name }) => name !== 'no-network-policies')

  test('every pod, also of jobs and tests, refuses other connections in both directions', () => {
    expectNone(
      withPolicies().flatMap(({ name, resources }) =>
        podsOf(resources).flatMap((pod) => {
          const types = new Set(policiesOf(resources, pod).flatMap(({ policyTypes }) => policyTypes))
          return ['Ingress', 'Egress'].filter((type) => !types.has(type)).map((type) => `${name}: ${pod.of}: ${type}`)
        }),
      ),
    )
  })

  test('every pod may ask DNS, over UDP and over TCP', () => {
    expectNone(
      withPolicies().flatMap(({ name, resources }) =>
        podsOf(resources).flatMap((pod) => {
          const ports = rulesOf(resources, pod, 'egress').flatMap((rule) => rule.ports ?? [])
          const asked = new Set(ports.filter(({ port }) => port === 53).map(({ protocol }) => protocol))
          return asked.has('UDP') && asked.has('TCP') ? [] : [`${name}: ${pod.of}`]
        }),
      ),
    )
  })

  test('no rule allows every port, and only those of DNS and the gateway allow every peer', () => {
    expectNone(
      allRendered().flatMap(({ name, resources }) =>
        podsOf(resources).flatMap((pod) => {
          const rules = [...rulesOf(resources, pod, 'egress'), ...rulesOf(resources, pod, 'ingress')]
          const open = rules.filter(({ ports = [], to, from }) => {
            const isDns = ports.every(({ port }) => port === 53 || port === 5353)
            const isWayIn = pod.component === 'gateway' && ports.every(({ port }) => port === 'http')
            return ports.length === 0 || (!to?.length && !from?.length && !isDns && !isWayIn)
          })
          return open.map((rule) => `${name}: ${pod.of}: ${JSON.stringify(rule)}`)
        }),
      ),
    )
  })

  test('no policy is rendered if they are managed elsewhere', () => {
    expect(ofKind(rendered('no-network-policies').resources, 'NetworkPolicy')).toEqual([])
  })
})

describe('in the development profile', () => {
  /** Both ends must permit the connection. */
  const mayConnect = (resources: readonly Resource[], from: Pod, to: Pod, port: number): boolean => {
    const ports = to.spec.containers.flatMap((container) => container.ports ?? [])
    const isPort = (rule: Rule) =>
      (rule.ports ?? []).some(
        ({ port: wanted, protocol = 'TCP' }) =>
          protocol === 'TCP' && (wanted === port || ports.some((p) => p.name === wanted && p.containerPort === port)),
      )
    const isPeer = (peers: Peer[] | undefined, pod: Pod) =>
      peers === undefined ||
      peers.some(({ podSelector, ipBlock }) => !ipBlock && podSelector && selects(podSelector, pod.metadata.labels))
    return (
      rulesOf(resources, from, 'egress').some((rule) => isPort(rule) && isPeer(rule.to, to)) &&
      rulesOf(resources, to, 'ingress').some((rule) => isPort(rule) && isPeer(rule.from, from))
    )
  }

  test('pods reach each other exactly as in the table', () => {
    const { resources } = rendered('development-storage')
    const pods = podsOf(resources)
    const found = pods.flatMap((to) =>
      to.spec.containers
        .flatMap((container) => container.ports ?? [])
        .flatMap(({ containerPort: port }) =>
          pods
            .filter((from) => from !== to && mayConnect(resources, from, to, port))
            .map((from) => `${from.component} → ${to.component}:${port}`),
        ),
    )
    const present = new Set(pods.map(({ component }) => component))
    const expected = Object.entries(developmentConnections).flatMap(([to, { port, from }]) =>
      from
        // A pod that runs its migration at the start has no migration Job. It connects to PostgreSQL anyway.
        .filter((name) => present.has(name))
        .map((name) => `${name} → ${to}:${port}`),
    )
    expect([...new Set(found)].toSorted()).toEqual(expected.toSorted())
  })
})
