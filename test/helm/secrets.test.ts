/**
 * Secrets: each container refers to exactly its own Secret, under the configured name, and cannot reach another in any
 * way.
 */

import { secretOwners } from '@financial-agents/deploy/secrets/table'
import { describe, expect, test } from 'vitest'
import { type Container, containersOf, ofKind, type Pod, podsOf, type Resource } from './manifests.ts'
import { allRendered, bothProfiles, expectNone, needRendered, rendered } from './rendered.ts'

needRendered()

/** Lists every Secret that a pod refers to in any way. */
function secretsOf({ spec }: Pod): string[] {
  const ofContainers = containersOf(spec).flatMap(({ env = [], envFrom = [] }) => [
    ...env.flatMap(({ valueFrom }) => valueFrom?.secretKeyRef?.name ?? []),
    ...envFrom.flatMap(({ secretRef }) => secretRef?.name ?? []),
  ])
  const volumes = (spec.volumes ?? []) as { secret?: { secretName: string } }[]
  return [...new Set([...ofContainers, ...volumes.flatMap(({ secret }) => secret?.secretName ?? [])])]
}

const secretsOfContainer = ({ env = [] }: Container) =>
  [...new Set(env.flatMap(({ valueFrom }) => valueFrom?.secretKeyRef?.name ?? []))].toSorted()

/** Maps each container of our images to the Secrets that it refers to. */
function referencesOf(resources: readonly Resource[]): Record<string, string[]> {
  return Object.fromEntries(
    podsOf(resources)
      .filter(({ owner }) => owner.kind !== 'StatefulSet')
      .flatMap((pod) =>
        containersOf(pod.spec).map((container) => [
          `${pod.of.replace(/^(\w+)\/fa-financial-agents-api-/, '$1/').replace(/-[0-9a-f]{8}$/, '')}: ${container.name}`,
          secretsOfContainer(container),
        ]),
      ),
  )
}

const schemaOwners = secretOwners.filter((name) => name !== 'gateway')

/** The expected Secrets of Deployments and of Jobs before the installation, under the names that `nameOf` returns. */
function expected(mode: 'hook' | 'initContainer', nameOf: (owner: string, what?: 'migrations') => string) {
  const services = secretOwners.map((name) => [`Deployment/${name}: ${name}`, [nameOf(name)]])
  const migrations = schemaOwners.map((name) =>
    mode === 'hook'
      ? [`Job/${name}-migrate: migrate`, [nameOf(name, 'migrations')]]
      : [`Deployment/${name}: migrate-${name}`, [nameOf(name, 'migrations')]],
  )
  const others = [
    ['Job/streams: provision-streams', ['operations', 'provisioner', 'submitter'].map((owner) => nameOf(owner))],
    ['Job/clients: apply-clients', [nameOf('authz')]],
    ['Job/bindings: apply-bindings', [nameOf('onboarding')]],
    ['Pod/smoke: smoke', []],
  ]
  return Object.fromEntries([...services, ...migrations, ...others]) as Record<string, string[]>
}

const own = (owner: string, what?: 'migrations') => `own-${owner}${what ? '-owner' : ''}`
const prefixed = (owner: string, what?: 'migrations') => `financial-agents-${owner}${what ? '-migrations' : ''}`

describe('each container refers to its own Secret and to no other', () => {
  test('under the usual names', () => {
    expect(referencesOf(rendered('registered-clients').resources)).toEqual(expected('hook', prefixed))
  })

  test('under a prefix of its own', () => {
    const found = Object.values(referencesOf(rendered('secrets-prefix').resources)).flat()
    expect(found.filter((name) => !name.startsWith('payments-'))).toEqual([])
  })

  test('under the names of existing Secrets, jobs included', () => {
    expect(referencesOf(rendered('existing-secrets').resources)).toEqual(expected('hook', own))
  })

  test('under the names of existing Secrets where pods migrate their schemas', () => {
    const { resources } = rendered('existing-secrets-init-container')
    const found = referencesOf(resources)
    for (const [where, names] of Object.entries(expected('initContainer', own)))
      expect(found[where], where).toEqual(names)
  })

  test('in development, with the Secrets of the bundled servers', () => {
    const { resources } = rendered('development')
    const bundled = podsOf(resources).filter(({ owner }) => owner.kind === 'StatefulSet')
    expect(bundled.map((pod) => [pod.component, secretsOf(pod)])).toEqual([
      ['nats', ['financial-agents-nats']],
      ['postgres', ['financial-agents-postgres']],
    ])
  })
})

describe('a Secret', () => {
  test('is created by no template', () => {
    for (const { resources } of allRendered()) expect(ofKind(resources, 'Secret')).toEqual([])
  })

  test('of bindings is mounted by the job that applies them, and by nothing else', () => {
    for (const name of ['registered-clients', 'migrations-init-container']) {
      const pods = podsOf(rendered(name).resources).filter((pod) => secretsOf(pod).includes('registered-bindings'))
      expect(pods.map(({ component }) => component)).toEqual(['bindings'])
    }
  })

  test('of certificates is mounted by every client of that server, jobs included, and its path is set', () => {
    for (const name of ['authorities', 'authorities-init-container']) {
      expectNone(
        podsOf(rendered(name).resources).flatMap((pod) =>
          containersOf(pod.spec).flatMap((container) => {
            const env = new Set((container.env ?? []).map((entry) => entry.name))
            const mounted = new Set((container.volumeMounts ?? []).map((mount) => mount.name))
            const needed = {
              'nats-ca': env.has('NATS_URL'),
              'postgres-ca': [...env].some((name) => name.endsWith('DATABASE_URL')),
            }
            return [
              ...Object.entries(needed)
                .filter(([volume, isNeeded]) => mounted.has(volume) !== isNeeded)
                .map(
                  ([volume, isNeeded]) =>
                    `${name}: ${pod.of}: ${container.name} ${isNeeded ? 'lacks' : 'has'} ${volume}`,
                ),
              ...(env.has('NATS_URL') === env.has('NATS_CA_FILE') ? [] : [`${pod.of}: NATS_CA_FILE`]),
            ]
          }),
        ),
      )
    }
  })
})

describe('nothing secret is plain', () => {
  const secretName = /(?:KEY|KEYS|SEED|SECRET|PASSWORD|TOKEN|DATABASE_URL)$/
  /**
   * Matches JSON text. A quotation mark ends a value, so that an address and a later `@acme/package` do not match as
   * one.
   */
  const secretValue =
    /:\/\/[^/\s:@"]+:[^/\s@"]+@|-----BEGIN|\bS[UAONX][A-Z2-7]{54,}\b|SCRAM-SHA-256\$|(?<![\w:/+])[A-Za-z0-9+/]{43}=(?![\w])/

  test('no variable with the name of a secret has a value', () => {
    expectNone(
      allRendered().flatMap(({ name, resources }) =>
        podsOf(resources).flatMap((pod) =>
          containersOf(pod.spec).flatMap(({ env = [] }) =>
            env
              .filter((entry) => secretName.test(entry.name) && entry.value !== undefined)
              .map((entry) => `${name}: ${pod.of}: ${entry.name}`),
          ),
        ),
      ),
    )
  })

  test.each([
    ['an address with a password', { url: 'postgres://user:word@db:5432/app' }, true],
    ['an address with a password among others', { url: 'nats://a:4222,nats://user:word@b:4222' }, true],
    ['an address with a port', { url: 'nats://a:4222', packages: 'acme=@acme/bank-adapter' }, false],
  ])('%s is distinct from the others', (_, resource, isSecret) => {
    expect(secretValue.test(JSON.stringify(resource))).toBe(isSecret)
  })

  test('nothing that is rendered looks like a key, a seed, a verifier or a password', () => {
    expectNone(
      allRendered().flatMap(({ name, resources }) =>
        resources
          .filter(({ kind }) => kind !== 'PrometheusRule')
          .map((resource): [Resource, RegExpExecArray | null] => [resource, secretValue.exec(JSON.stringify(resource))])
          .flatMap(([{ kind, metadata }, found]) => (found ? [`${name}: ${kind}/${metadata.name}`] : [])),
      ),
    )
  })

  test('a ConfigMap has no key that is a secret’s', () => {
    for (const { resources } of bothProfiles())
      for (const { data = {} } of ofKind(resources, 'ConfigMap'))
        expect(Object.keys(data).filter((key) => secretName.test(key))).toEqual([])
  })
})
