/**
 * Jobs: a hook before the installation needs nothing that the release creates. An ordinary Job gets a new name when its
 * content changes.
 */

import { describe, expect, test } from 'vitest'
import {
  containersOf,
  idOf,
  isHook,
  isTest,
  ofKind,
  podsOf,
  type Resource,
  type Selector,
  selects,
} from './manifests.ts'
import { allRendered, expectNone, needRendered, rendered } from './rendered.ts'

needRendered()

const weightOf = ({ metadata }: Resource) => Number(metadata.annotations?.['helm.sh/hook-weight'] ?? 0)
const hookOf = ({ metadata }: Resource) => metadata.annotations?.['helm.sh/hook'] ?? ''

describe('a hook', () => {
  test('before the installation refers to nothing that the release creates', () => {
    expectNone(
      allRendered().flatMap(({ name, resources }) => {
        const made = new Set(
          ofKind(resources, 'ConfigMap', 'Secret', 'ServiceAccount', 'PersistentVolumeClaim').map(
            ({ kind, metadata }) => `${kind}/${metadata.name}`,
          ),
        )
        return podsOf(resources)
          .filter(({ owner }) => hookOf(owner).startsWith('pre-'))
          .flatMap((pod) => {
            const { spec } = pod
            const volumes = (spec.volumes ?? []) as {
              configMap?: { name: string }
              secret?: { secretName: string }
              persistentVolumeClaim?: { claimName: string }
            }[]
            const needs = [
              ...(spec.serviceAccountName ? [`ServiceAccount/${spec.serviceAccountName}`] : []),
              ...volumes.flatMap(({ configMap, secret, persistentVolumeClaim }) => [
                ...(configMap ? [`ConfigMap/${configMap.name}`] : []),
                ...(secret ? [`Secret/${secret.secretName}`] : []),
                ...(persistentVolumeClaim ? [`PersistentVolumeClaim/${persistentVolumeClaim.claimName}`] : []),
              ]),
              ...containersOf(spec).flatMap(({ env = [] }) =>
                env.flatMap(({ valueFrom }) =>
                  valueFrom?.configMapKeyRef ? [`ConfigMap/${valueFrom.configMapKeyRef.name}`] : [],
                ),
              ),
            ]
            return needs.filter((need) => made.has(need)).map((need) => `${name}: ${pod.of} needs ${need}`)
          })
      }),
    )
  })

  test('exists only in its own mode', () => {
    const kinds = (name: string) => ofKind(rendered(name).resources, 'Job').filter(isHook)
    expect(kinds('production').map(hookOf).toSorted()).toEqual(
      Array.from({ length: 12 }, () => 'pre-install,pre-upgrade'),
    )
    expect(kinds('migrations-init-container')).toEqual([])
    expect(kinds('migrations-external')).toEqual([])
    expect(kinds('development')).toEqual([])
    const after = kinds('registered-clients').filter((resource) => hookOf(resource) === 'post-install,post-upgrade')
    expect(
      podsOf(after)
        .map(({ component }) => component)
        .toSorted(),
    ).toEqual(['bindings', 'clients'])
  })

  test('that makes the witnesses runs after the migrations, which make their tables', () => {
    const jobs = podsOf(rendered('production').resources).filter(({ owner }) => hookOf(owner).startsWith('pre-'))
    const weightsOf = (name: string) =>
      jobs.filter(({ component }) => component === name).map(({ owner }) => weightOf(owner))
    expect(Math.min(...weightsOf('streams'))).toBeGreaterThan(Math.max(...weightsOf('migrations')))
  })

  test('is deleted before it is created again; a successful one is deleted at once, except tests, whose logs people read', () => {
    for (const { resources } of allRendered())
      for (const hook of resources.filter(isHook)) {
        const policy = hook.metadata.annotations?.['helm.sh/hook-delete-policy']
        expect(policy, idOf(hook)).toBe(isTest(hook) ? 'before-hook-creation' : 'before-hook-creation,hook-succeeded')
      }
  })

  test('of a policy itself permits DNS, because the policy that refuses everything may be absent', () => {
    const hooks = allRendered().flatMap(({ resources }) => ofKind(resources, 'NetworkPolicy').filter(isHook))
    expect(hooks.length).toBeGreaterThan(0)
    for (const { metadata, spec } of hooks) {
      const ports = (spec.egress as { ports: { protocol: string; port: number }[] }[]).flatMap((rule) => rule.ports)
      expect(ports, metadata.name).toEqual(
        expect.arrayContaining([
          { protocol: 'UDP', port: 53 },
          { protocol: 'TCP', port: 53 },
        ]),
      )
    }
  })

  test('before the installation may connect through a policy that exists before it and is also a hook', () => {
    expectNone(
      allRendered()
        .filter(({ name }) => name !== 'no-network-policies')
        .flatMap(({ name, resources }) =>
          podsOf(resources)
            .filter(({ owner }) => hookOf(owner).startsWith('pre-'))
            .filter(({ owner, metadata }) => {
              const earlier = ofKind(resources, 'NetworkPolicy').filter(
                (policy) => hookOf(policy) === hookOf(owner) && weightOf(policy) < weightOf(owner),
              )
              return !earlier.some(({ spec }) => selects(spec.podSelector as Selector, metadata.labels))
            })
            .map(({ of }) => `${name}: ${of}`),
        ),
    )
  })
})

describe('a Job', () => {
  test('ends: it has a time limit, a number of tries, and a time after which it is deleted', () => {
    for (const { name, resources } of allRendered())
      for (const { metadata, spec } of ofKind(resources, 'Job')) {
        expect(spec.activeDeadlineSeconds, `${name}: ${metadata.name}`).toBeGreaterThan(0)
        expect(spec.backoffLimit, `${name}: ${metadata.name}`).toBeGreaterThan(0)
        expect(spec.ttlSecondsAfterFinished, `${name}: ${metadata.name}`).toBeGreaterThan(0)
        expect(['Never', 'OnFailure']).toContain(spec.template.spec.restartPolicy)
      }
  })

  test('of migrations exists for every component with a schema, in every mode', () => {
    const migrating = (name: string) =>
      podsOf(rendered(name).resources)
        .flatMap(({ spec }) => containersOf(spec))
        .filter(({ args }) => args?.[0] === 'migrate')
        .map(({ image }) => /\/([a-z-]+):/.exec(image)?.[1] ?? '')
        .toSorted()
    const owners = [
      'authz',
      'beneficiaries',
      'cards',
      'catalog',
      'notifier',
      'onboarding',
      'operations',
      'ops-console',
      'reconciler',
      'spending',
      'submitter',
    ]
    expect(migrating('production')).toEqual(owners)
    expect([...new Set(migrating('migrations-init-container'))]).toEqual(owners)
    expect(migrating('migrations-external')).toEqual([])
  })

  test('migrates the schemas that it needs first, where pods migrate their own', () => {
    const { resources } = rendered('migrations-init-container')
    const first = podsOf(resources)
      .filter(({ owner }) => owner.kind === 'Job')
      .map(({ component, spec }) => [component, (spec.initContainers ?? []).map(({ name }) => name)])
    expect(Object.fromEntries(first)).toEqual({
      streams: ['migrate-operations', 'migrate-submitter'],
      clients: ['migrate-authz'],
      bindings: ['migrate-onboarding'],
    })
  })
})

test('the test of the release calls the gateway, and is created only for `helm test`', () => {
  for (const { resources } of allRendered()) {
    const tests = resources.filter(isTest)
    expect(tests.map(({ kind }) => kind)).toEqual(['Pod'])
    const [container] = podsOf(tests)[0]?.spec.containers ?? []
    expect(container?.args?.[0]).toBe('smoke')
    const url = new URL(container?.args?.[1] ?? '')
    const service = ofKind(resources, 'Service').find(({ metadata }) => metadata.name === url.hostname)
    expect(service?.spec.ports.map(({ port }: { port: number }) => port)).toContain(Number(url.port || '80'))
  }
})
