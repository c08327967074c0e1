/**
 * The environment of each container matches its command: no variable is missing or unknown, and every value passes the
 * service's own schema. New secrets of the right kind replace the real ones.
 */

import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { type SecretOwner, serviceSecrets } from '@financial-agents/deploy/secrets/table'
import { createValue, isOwnKind } from '@financial-agents/deploy/secrets/values'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Container, containersOf, type Pod, podsOf } from './manifests.ts'
import type { Question, Result } from './read-config.ts'
import { allRendered, expectNone, needRendered, rendered } from './rendered.ts'

needRendered()

/** Variables that the platform, OpenTelemetry and adapters read, and no schema of ours. */
const notOurs = /^(?:OTEL_|K8S_|NODE_OPTIONS$|PROVIDER_[A-Z0-9_]+?__)/

const fakes: Record<string, string> = {
  nkeySeed: 'SUAAA',
  databaseUrl: 'postgres://role:password@postgres:5432/financial_agents?sslmode=verify-full',
  given: 'secret',
}

function fake(key: string): string {
  const keys = Object.values(serviceSecrets).flatMap((owned) => Object.entries(owned))
  const kind = keys.find(([name]) => name === key)?.[1].kind
  if (kind === undefined) return `no secret is called ${key}`
  return isOwnKind(kind) ? createValue(kind, 'id') : (fakes[kind] ?? '')
}

const serviceOf = ({ image }: Container) => /([a-z-]+)(?:[:@][^/]*)?$/.exec(image.replace(/@.*$/, ''))?.[1] ?? ''
const isOurs = ({ owner }: Pod) => owner.kind !== 'StatefulSet'

type VariableQuestion = { where: string; container: Container; question: Question }

function questionsOf(name: string): VariableQuestion[] {
  return podsOf(rendered(name).resources)
    .filter(isOurs)
    .flatMap((pod) =>
      containersOf(pod.spec)
        // The images of adapters are not ours: they run cp.
        .filter(({ name }) => !name.startsWith('adapter-'))
        .map((container) => {
          const entries = (container.env ?? [])
            .filter(({ valueFrom }) => valueFrom?.secretKeyRef?.optional !== true)
            .map(({ name, value, valueFrom }) => [
              name,
              valueFrom?.secretKeyRef ? fake(valueFrom.secretKeyRef.key) : (value ?? ''),
            ])
          const [command = 'serve'] = container.args ?? []
          const question = { service: serviceOf(container), command, env: Object.fromEntries(entries) }
          return { where: `${name}: ${pod.of}: ${container.name}`, container, question }
        }),
    )
}

function ask(questions: Question[]): Promise<Result[]> {
  return new Promise((resolve, reject) => {
    const child = execFile(
      process.execPath,
      [join(import.meta.dirname, 'read-config.ts')],
      { maxBuffer: 64 * 1024 * 1024 },
      (error, stdout, stderr) => {
        if (error) reject(new Error(stderr || error.message))
        else resolve(JSON.parse(stdout) as Result[])
      },
    )
    child.stdin?.end(JSON.stringify(questions))
  })
}

const results = new Map<VariableQuestion, Result>()
beforeAll(async () => {
  const asked = allRendered().flatMap(({ name }) => questionsOf(name))
  const answers = await ask(asked.map(({ question }) => question))
  for (const [index, one] of asked.entries()) results.set(one, answers[index] as Result)
})

const all = () => [...results]

describe('every container', () => {
  test('of every case is checked, also for the commands of jobs', () => {
    const commands = new Set(all().map(([{ question }]) => question.command))
    expect([...commands].toSorted()).toEqual([
      'apply-bindings',
      'apply-clients',
      'archive',
      'migrate',
      'provision-streams',
      'serve',
      'smoke',
    ])
  })

  test('has every variable that its command needs, with a value that it takes', () => {
    expectNone(all().flatMap(([{ where }, { problem }]) => (problem === undefined ? [] : [`${where}: ${problem}`])))
  })

  test('has no variable that its command does not know', () => {
    expectNone(
      all().flatMap(([{ where, container }, { known }]) =>
        (container.env ?? [])
          .filter(({ name }) => !notOurs.test(name) && !known.includes(name))
          .map(({ name }) => `${where}: ${name}`),
      ),
    )
  })

  test('has a variable of the platform only if something reads it', () => {
    expectNone(
      all().flatMap(([{ where, container, question }]) =>
        (container.env ?? [])
          .filter(({ name }) => notOurs.test(name) && (question.command !== 'serve' || where.startsWith('production')))
          .map(({ name }) => `${where}: ${name}`),
      ),
    )
  })
})

describe('the environment', () => {
  const valueOf = (container: Container, name: string) => container.env?.find((entry) => entry.name === name)

  test('is production by default, and local in development', () => {
    for (const [{ where, container, question }] of all()) {
      if (question.command !== 'serve' || question.service.startsWith('fake-')) continue
      expect(valueOf(container, 'ENVIRONMENT')?.value, where).toBe(
        where.startsWith('development') ? 'local' : 'production',
      )
    }
  })

  test('has the secrets of the table, each from a Secret, and nothing else from one', () => {
    for (const [{ where, container, question }] of all()) {
      if (!where.startsWith('production:') || question.command !== 'serve') continue
      const fromSecret = (container.env ?? [])
        .filter(({ valueFrom }) => valueFrom?.secretKeyRef)
        .map(({ name }) => name)
      const expected = Object.keys(serviceSecrets[question.service as SecretOwner])
      expect(fromSecret.toSorted(), where).toEqual(expected.toSorted())
    }
  })

  test('passes through the values of the case', () => {
    const { resources } = rendered('capabilities')
    const gateway = podsOf(resources).find(({ component }) => component === 'gateway')?.spec.containers[0] as Container
    expect(valueOf(gateway, 'ENABLED_CAPABILITIES')?.value).toBe('transfers.execute,cards.reveal')
    expect(valueOf(gateway, 'GRANT_RATE_PER_S')?.value).toBe('0')
    expect(valueOf(gateway, 'GRANT_BURST')?.value).toBe('1000000')
    expect(valueOf(gateway, 'ADDRESS_RATE_PER_S')?.value).toBe('0.5')
  })
})
