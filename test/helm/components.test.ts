/**
 * The resources of every component besides its pods, in every case, and the roll-out, shutdown and spreading of its
 * pods.
 */

import { describe, expect, test } from 'vitest'
import { type Container, componentOf, ofKind, podsOf, type Resource, type Selector, selects } from './manifests.ts'
import { allRendered, expectNone, needRendered, type Rendered, rendered, resourceOf } from './rendered.ts'

needRendered()

/** The longest time that a service may take to finish its work: `stop` of libs/platform/runtime. */
const shutdownSeconds = 20

const services = [
  'authz',
  'beneficiaries',
  'cards',
  'catalog',
  'gateway',
  'notifier',
  'onboarding',
  'operations',
  'ops-console',
  'reconciler',
  'spending',
  'submitter',
]

const deployments = ({ resources }: Rendered) => ofKind(resources, 'Deployment')
const templateOf = (deployment: Resource) => podsOf([deployment])[0]
const mainOf = (deployment: Resource) => templateOf(deployment)?.spec.containers[0] as Container
const isService = (deployment: Resource) => services.includes(componentOf(deployment.metadata))

function expectOfDeployments(findWrong: (deployment: Resource, of: Rendered) => string[]): void {
  expectNone(
    allRendered().flatMap((of) =>
      deployments(of).flatMap((deployment) =>
        findWrong(deployment, of).map((wrong) => `${of.name}: ${deployment.metadata.name}: ${wrong}`),
      ),
    ),
  )
}

const choosing = (resources: readonly Resource[], kind: string, labels: Record<string, string> | undefined) =>
  ofKind(resources, kind).filter(({ spec }) => selects((spec.selector ?? spec.podSelector) as Selector, labels))

describe('every component', () => {
  test('is a Deployment in both profiles, and is absent when disabled', () => {
    expect(
      deployments(rendered('production'))
        .map(({ metadata }) => componentOf(metadata))
        .toSorted(),
    ).toEqual(services)
    expect(
      deployments(rendered('development'))
        .map(({ metadata }) => componentOf(metadata))
        .toSorted(),
    ).toEqual([...services, 'fake-provider'].toSorted())
    const without = rendered('no-console').resources.filter(({ metadata }) => componentOf(metadata) === 'ops-console')
    expect(without).toEqual([])
  })

  test('has one policy of its own in addition to the one that refuses everything', () => {
    expectOfDeployments((deployment, { name, resources }) => {
      const found = choosing(resources, 'NetworkPolicy', templateOf(deployment)?.metadata.labels)
      return found.length === (name === 'no-network-policies' ? 0 : 2) ? [] : [`${found.length} policies`]
    })
  })

  test('has a PodDisruptionBudget that never blocks a drain', () => {
    expectOfDeployments((deployment, { name, resources }) => {
      const budgets = choosing(resources, 'PodDisruptionBudget', templateOf(deployment)?.metadata.labels)
      if (name === 'no-budgets') return budgets.length > 0 ? ['a budget'] : []
      if (!isService(deployment)) return budgets.length > 1 ? ['two budgets'] : []
      if (budgets.length !== 1) return [`${budgets.length} budgets`]
      const { maxUnavailable, minAvailable, unhealthyPodEvictionPolicy } = budgets[0]?.spec ?? {}
      return [
        ...(minAvailable === undefined ? [] : ['a minimum']),
        ...(maxUnavailable >= 1 || /^[1-9]\d?%$/.test(String(maxUnavailable))
          ? []
          : [`maxUnavailable ${maxUnavailable}`]),
        ...(unhealthyPodEvictionPolicy === 'AlwaysAllow' ? [] : ['keeps pods that are not ready']),
      ]
    })
  })

  test('has three separate probes, and no probe that depends on NATS or PostgreSQL restarts it', () => {
    expectOfDeployments((deployment) => {
      const { livenessProbe, readinessProbe, startupProbe, ports = [] } = mainOf(deployment)
      const probes = { livenessProbe, readinessProbe, startupProbe }
      const expected = isService(deployment)
        ? { livenessProbe: '/live', readinessProbe: '/ready', startupProbe: '/live' }
        : { livenessProbe: '/health', readinessProbe: '/health', startupProbe: '/health' }
      return Object.entries(probes).flatMap(([name, probe]) => {
        if (!probe) return [`no ${name}`]
        const port = ports.find((candidate) => candidate.name === probe.httpGet?.port)
        return [
          ...(probe.httpGet?.path === expected[name as keyof typeof expected]
            ? []
            : [`${name}: ${probe.httpGet?.path}`]),
          ...(port ? [] : [`${name}: port ${probe.httpGet?.port}`]),
          ...(isService(deployment) && port?.containerPort !== 9090 ? [`${name}: port ${port?.containerPort}`] : []),
        ]
      })
    })
  })

  test('is taken out of service before it is restarted, and has at least a minute to start', () => {
    expectOfDeployments((deployment) => {
      const { livenessProbe: live = {}, readinessProbe: ready = {}, startupProbe: start = {} } = mainOf(deployment)
      const seconds = ({ periodSeconds = 10, failureThreshold = 3 }) => periodSeconds * failureThreshold
      return [
        ...(seconds(live) > seconds(ready) ? [] : ['restarted before it is taken out of service']),
        ...(seconds(start) >= 60 ? [] : [`${seconds(start)} s to start`]),
      ]
    })
  })

  test('finishes its work: the grace period exceeds the sleep plus the shutdown time', () => {
    expectOfDeployments((deployment) => {
      if (!isService(deployment)) return []
      const { terminationGracePeriodSeconds = 30 } = templateOf(deployment)?.spec ?? {}
      const sleep = mainOf(deployment).lifecycle?.preStop?.sleep?.seconds ?? 0
      const needs = sleep + shutdownSeconds
      return terminationGracePeriodSeconds > needs
        ? []
        : [`${terminationGracePeriodSeconds} s, and needs over ${needs}`]
    })
  })

  test('of HTTP sleeps until it gets no more requests', () => {
    const gateway = mainOf(resourceOf(rendered('production'), 'Deployment/fa-financial-agents-api-gateway'))
    expect(gateway.lifecycle?.preStop?.sleep?.seconds).toBeGreaterThanOrEqual(5)
  })

  test('is spread over nodes and zones, each revision by itself', () => {
    expectOfDeployments((deployment) => {
      const { topologySpreadConstraints = [] } = templateOf(deployment)?.spec ?? {}
      const labels = templateOf(deployment)?.metadata.labels
      const keys = new Set(topologySpreadConstraints.map(({ topologyKey }) => topologyKey))
      return [
        ...['kubernetes.io/hostname', 'topology.kubernetes.io/zone'].filter((key) => !keys.has(key)),
        ...topologySpreadConstraints
          .filter(({ labelSelector }) => !labelSelector || !selects(labelSelector, labels))
          .map(({ topologyKey }) => `${topologyKey} does not choose it`),
        ...topologySpreadConstraints
          .filter(({ matchLabelKeys }) => matchLabelKeys?.join() !== 'pod-template-hash')
          .map(({ topologyKey }) => `${topologyKey} mixes revisions`),
      ]
    })
  })

  test('is replaced without a missing replica', () => {
    expectOfDeployments((deployment) => {
      if (!isService(deployment)) return []
      const { strategy } = deployment.spec
      return strategy.rollingUpdate?.maxUnavailable === 0 && strategy.rollingUpdate.maxSurge ? [] : ['may be missing']
    })
  })

  test('has at least two replicas in production, and three for the critical components', () => {
    const replicas = Object.fromEntries(
      deployments(rendered('production')).map(({ metadata, spec }) => [componentOf(metadata), spec.replicas as number]),
    )
    for (const service of services) expect(replicas[service], service).toBeGreaterThanOrEqual(2)
    for (const service of ['gateway', 'authz', 'operations', 'submitter', 'onboarding'])
      expect(replicas[service], service).toBeGreaterThanOrEqual(3)
  })
})

describe('a HorizontalPodAutoscaler', () => {
  test('exists for every component, and then nothing else sets the number of replicas', () => {
    const { resources } = rendered('autoscaling')
    const scaled = new Map(
      ofKind(resources, 'HorizontalPodAutoscaler').map(({ spec }) => [spec.scaleTargetRef.name, spec]),
    )
    for (const deployment of deployments(rendered('autoscaling'))) {
      const scaler = scaled.get(deployment.metadata.name)
      expect(scaler, deployment.metadata.name).toBeDefined()
      expect(scaler?.scaleTargetRef).toMatchObject({ apiVersion: 'apps/v1', kind: 'Deployment' })
      expect(scaler?.minReplicas).toBeGreaterThanOrEqual(2)
      expect(scaler?.maxReplicas).toBeGreaterThanOrEqual(scaler?.minReplicas as number)
      expect(deployment.spec).not.toHaveProperty('replicas')
    }
  })

  test('is absent otherwise, and the number of replicas is set', () => {
    expectOfDeployments((deployment, { name, resources }) =>
      name !== 'autoscaling' && (ofKind(resources, 'HorizontalPodAutoscaler').length > 0 || !deployment.spec.replicas)
        ? ['wrong']
        : [],
    )
  })
})

describe('selectors', () => {
  test('of workloads select their own pods and no others', () => {
    expectNone(
      allRendered().flatMap(({ name, resources }) => {
        const pods = podsOf(resources)
        return ofKind(resources, 'Deployment', 'StatefulSet').flatMap(({ kind, metadata, spec }) => {
          const chosen = pods
            .filter((pod) => selects(spec.selector as Selector, pod.metadata.labels))
            .map(({ of }) => of)
          return chosen.join() === `${kind}/${metadata.name}`
            ? []
            : [`${name}: ${metadata.name} chooses ${chosen.join()}`]
        })
      }),
    )
  })

  test('of Services select pods of one component, which have the port', () => {
    expectNone(
      allRendered().flatMap(({ name, resources }) =>
        ofKind(resources, 'Service').flatMap(({ metadata, spec }) => {
          const pods = podsOf(resources).filter((pod) => selects({ matchLabels: spec.selector }, pod.metadata.labels))
          const ports = pods.flatMap((pod) => pod.spec.containers.flatMap((container) => container.ports ?? []))
          const missing = (spec.ports as { name: string; targetPort: string | number }[]).filter(
            ({ targetPort }) => !ports.some((port) => port.name === targetPort || port.containerPort === targetPort),
          )
          return [
            ...(pods.length === 1 ? [] : [`${name}: ${metadata.name} chooses ${pods.map(({ of }) => of).join()}`]),
            ...missing.map(({ name: port }) => `${name}: ${metadata.name}: no pod has the port ${port}`),
          ]
        }),
      ),
    )
  })

  test('of policies and budgets select at least one pod', () => {
    expectNone(
      allRendered().flatMap(({ name, resources }) =>
        ofKind(resources, 'NetworkPolicy', 'PodDisruptionBudget').flatMap(({ kind, metadata, spec }) => {
          const selector = (spec.podSelector ?? spec.selector) as Selector
          const chosen = podsOf(resources).some((pod) => selects(selector, pod.metadata.labels))
          return chosen ? [] : [`${name}: ${kind}/${metadata.name} chooses nothing`]
        }),
      ),
    )
  })
})
