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
  test('before the installation refers to nothing that the release makes', () => {
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

  test('is there in no mode but its own', () => {
    const kinds = (name: string) => ofKind(rendered(name).resources, 'Job').filter(isHook)
    expect(kinds('production').map(hookOf).toSorted()).toEqual(
      Array.from({ length: 12 }, () => 'pre-install,pre-upgrade'),
    )
    expect(kinds('migrations-init-container')).toEqual([])
    expect(kinds('migrations-external')).toEqual([])
    expect(kinds('development')).toEqual([])
    const after = kinds('declared-clients').filter((resource) => hookOf(resource) === 'post-install,post-upgrade')
    expect(
      podsOf(after)
        .map(({ component }) => component)
        .toSorted(),
    ).toEqual(['bindings', 'clients'])
  })

  test('goes away before it is made anew; one that succeeded is no longer needed, but what a test said is read', () => {
    for (const { resources } of allRendered())
      for (const hook of resources.filter(isHook)) {
        const policy = hook.metadata.annotations?.['helm.sh/hook-delete-policy']
        expect(policy, idOf(hook)).toBe(isTest(hook) ? 'before-hook-creation' : 'before-hook-creation,hook-succeeded')
      }
  })

  test('of a policy lets its pods ask DNS by itself: what refuses everything else may be there or not', () => {
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

  test('before the installation is let out by a policy that is there before it, a hook too', () => {
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
  test('ends: with a time limit, a number of tries, and a time after which it is cleared away', () => {
    for (const { name, resources } of allRendered())
      for (const { metadata, spec } of ofKind(resources, 'Job')) {
        expect(spec.activeDeadlineSeconds, `${name}: ${metadata.name}`).toBeGreaterThan(0)
        expect(spec.backoffLimit, `${name}: ${metadata.name}`).toBeGreaterThan(0)
        expect(spec.ttlSecondsAfterFinished, `${name}: ${metadata.name}`).toBeGreaterThan(0)
        expect(['Never', 'OnFailure']).toContain(spec.template.spec.restartPolicy)
      }
  })

  test('of migrations is there for every component with a schema, in whichever mode', () => {
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
})

test('the test of the release calls the gateway, and is made for `helm test` alone', () => {
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
