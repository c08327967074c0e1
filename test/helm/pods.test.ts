/**
 * Every pod of every case, including those of jobs, hooks and tests: a namespace that enforces "restricted" admits it,
 * and it has no permission it does not need.
 */

import { describe, expect, test } from 'vitest'
import { type Container, containersOf, ofKind, type Pod, podsOf, type Resource } from './manifests.ts'
import { validatePod } from './pod-security.ts'
import { allRendered, expectNone, needRendered, rendered } from './rendered.ts'

needRendered()

/** Expects no finding for any pod of any case. */
function expectOfPods(findWrong: (pod: Pod) => string[]): void {
  expectNone(
    allRendered().flatMap(({ name, resources }) =>
      podsOf(resources).flatMap((pod) => findWrong(pod).map((wrong) => `${name}: ${pod.of}: ${wrong}`)),
    ),
  )
}

const expectOfContainers = (findWrong: (container: Container, pod: Pod) => string[]): void =>
  expectOfPods((pod) =>
    containersOf(pod.spec).flatMap((container) =>
      findWrong(container, pod).map((wrong) => `${container.name}: ${wrong}`),
    ),
  )

const isOfAdapter = (name: string) => name.startsWith('adapter-')

const when = (condition: boolean | undefined, finding: string): string[] => (condition ? [finding] : [])

describe('every pod', () => {
  test('is rendered: services, jobs of each mode, the test, and the bundled servers', () => {
    const kinds = new Set(allRendered().flatMap(({ resources }) => podsOf(resources).map(({ owner }) => owner.kind)))
    expect([...kinds].toSorted()).toEqual(['CronJob', 'Deployment', 'Job', 'Pod', 'StatefulSet'])
    expect(podsOf(rendered('production').resources).length).toBeGreaterThanOrEqual(12 + 11 + 1 + 1)
  })

  test('passes Pod Security "restricted"', () => {
    expectOfPods(({ metadata, spec }) =>
      validatePod({ metadata, spec }).map(({ rule, where }) => `${rule} (${where.join(', ')})`),
    )
  })

  test('has no token of the API server and no variables of Services', () => {
    expectOfPods(({ spec }) => [
      ...when(spec.automountServiceAccountToken !== false, 'mounts the token of its account'),
      ...when(spec.enableServiceLinks !== false, 'has a variable for each Service'),
      ...when(
        spec.volumes?.some((volume) => JSON.stringify(volume).includes('serviceAccountToken')),
        'projects a token',
      ),
    ])
    for (const { resources } of allRendered())
      for (const account of ofKind(resources, 'ServiceAccount'))
        expect(account.automountServiceAccountToken).toBe(false)
  })

  test('nothing in the release has permissions at the API server', () => {
    for (const { resources } of allRendered())
      expect(ofKind(resources, 'Role', 'ClusterRole', 'RoleBinding', 'ClusterRoleBinding')).toEqual([])
  })

  test('runs as a user that images need not define, on a read-only file system', () => {
    expectOfContainers(({ securityContext = {} }, { spec }) => [
      ...when((securityContext.runAsUser ?? spec.securityContext?.runAsUser ?? 0) === 0, 'no user is named'),
      ...when(securityContext.readOnlyRootFilesystem !== true, 'writes its root file system'),
    ])
  })

  test('requests CPU and memory, and has a memory limit', () => {
    expectOfContainers(({ resources = {} }) => [
      ...when(resources.requests?.['cpu'] === undefined, 'asks for no processor'),
      ...when(resources.requests?.['memory'] === undefined, 'asks for no memory'),
      ...when(resources.limits?.['memory'] === undefined, 'has no limit of memory'),
    ])
  })

  test('runs only the program of its image, and no shell; an image of an adapter runs cp', () => {
    expectOfContainers(({ name, command, lifecycle, livenessProbe, readinessProbe, startupProbe }, { owner }) => [
      ...when(
        command !== undefined && owner.kind !== 'StatefulSet' && !(isOfAdapter(name) && command[0] === 'cp'),
        `command ${command?.join(' ')}`,
      ),
      ...when(lifecycle?.preStop?.exec !== undefined, 'a preStop hook that runs a program'),
      ...when(
        [livenessProbe, readinessProbe, startupProbe].some((probe) => probe?.exec) && owner.kind !== 'StatefulSet',
        'a probe that runs a program',
      ),
    ])
  })

  test('has each variable once, names its ports, and mounts only its own volumes', () => {
    expectOfContainers(({ env = [], ports = [], volumeMounts = [] }, { owner, spec }) => {
      const names = env.map(({ name }) => name)
      const claims = new Set(
        ((owner.spec?.volumeClaimTemplates ?? []) as Resource[]).map(({ metadata }) => metadata.name),
      )
      const portNames = (spec.containers ?? []).flatMap((container) => container.ports ?? []).map(({ name }) => name)
      return [
        ...names.filter((name, index) => names.indexOf(name) !== index).map((name) => `${name} twice`),
        ...ports.filter(({ name }) => !name).map(({ containerPort }) => `port ${containerPort} has no name`),
        ...when(new Set(portNames).size !== portNames.length, 'two ports of one name'),
        ...volumeMounts
          .filter(({ name }) => !claims.has(name) && !spec.volumes?.some((volume) => volume.name === name))
          .map(({ name }) => `mounts ${name}, which the pod does not have`),
        ...volumeMounts
          .filter(({ name }) => {
            const volume = spec.volumes?.find((one) => one.name === name) ?? {}
            return !('emptyDir' in volume || 'persistentVolumeClaim' in volume)
          })
          .filter(({ name, readOnly }) => !readOnly && !claims.has(name))
          .map(({ name }) => `may write ${name}`),
      ]
    })
  })

  test('has a ServiceAccount that the release creates or that exists already', () => {
    for (const { name, resources } of allRendered()) {
      if (name === 'no-service-accounts') continue
      const made = new Set(ofKind(resources, 'ServiceAccount').map(({ metadata }) => metadata.name))
      const used = podsOf(resources).map(({ spec }) => spec.serviceAccountName ?? 'default')
      expect(used.filter((account) => account !== 'default' && !made.has(account))).toEqual([])
    }
    const accounts = podsOf(rendered('no-service-accounts').resources).map(({ spec }) => spec.serviceAccountName)
    expect(new Set(accounts)).toEqual(new Set(['payments', undefined]))
    expect(ofKind(rendered('no-service-accounts').resources, 'ServiceAccount')).toEqual([])
  })
})
