/**
 * helm accepts the chart: it passes helm's linter, renders every case the same each time, and refuses a version of
 * Kubernetes that is too old.
 */

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { cases, chart, namespace, profile, release } from './cases.ts'
import { idOf, parseManifests } from './manifests.ts'
import { helmTemplate, run, usualKubeVersion } from './render.ts'
import { allRendered, bothProfiles, expectNone, failures, needRendered, rendered } from './rendered.ts'
import { needTools, toolPath } from './tools.ts'

const profiles = ['production', 'development'] as const

describe('the chart', () => {
  needRendered()

  test.each(profiles)('passes helm lint with the profile %s', async (name) => {
    const values = profile(name).flatMap((file) => ['--values', file])
    const options = ['--strict', '--namespace', namespace, '--kube-version', usualKubeVersion]
    const { code, stdout, stderr } = await run(toolPath('helm'), ['lint', chart, ...options, ...values])
    expect(code, stdout + stderr).toBe(0)
    expect(stdout).not.toMatch(/\[(?:WARNING|ERROR)\]/)
  })

  test('renders in every case, each resource once, in the namespace of the release', () => {
    expectNone([...failures].map(([name, said]) => `${name}: ${said}`))
    expectNone(
      allRendered().flatMap(({ name, resources }) => {
        const ids = resources.map(idOf)
        const own = resources.filter((resource) => !resource.metadata.name.endsWith('-notes'))
        return [
          ...(ids.length > 20 ? [] : [`${name} renders ${ids.length} resources`]),
          ...ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `${name} has ${id} twice`),
          ...own
            .filter((resource) => resource.metadata.namespace !== namespace)
            .map((resource) => `${name}: ${idOf(resource)} is in ${resource.metadata.namespace}`),
        ]
      }),
    )
  })

  test('has the usual labels on everything', () => {
    expectNone(
      bothProfiles().flatMap(({ name, resources }) =>
        resources.flatMap((resource) => {
          const { labels = {} } = resource.metadata
          const expected = { instance: release, 'part-of': 'financial-agents', 'managed-by': 'Helm', version: '1.0.0' }
          const wrong = Object.entries(expected).filter(
            ([label, value]) => labels[`app.kubernetes.io/${label}`] !== value,
          )
          const unset = ['name', 'component'].filter((label) => !labels[`app.kubernetes.io/${label}`])
          return [...wrong.map(([label]) => label), ...unset].map((label) => `${name}: ${idOf(resource)}: ${label}`)
        }),
      ),
    )
  })

  test.each(profiles)('renders the same twice: %s', async (name) => {
    const again = await helmTemplate({ helm: toolPath('helm'), values: cases[name] ?? [] })
    expect(again.stdout).toBe(rendered(name).text)
  })

  test.each(['1.30.0', '1.32.4-gke.100', '1.35.1-eks-abc'])('renders for Kubernetes %s', async (kubeVersion) => {
    const values = cases['production'] ?? []
    const { code, stdout, stderr } = await helmTemplate({ helm: toolPath('helm'), values, kubeVersion })
    expect(code, stderr).toBe(0)
    expect(stdout).toBe(rendered('production').text)
  })

  test('is refused by a Kubernetes that is too old, with both versions', async () => {
    const values = cases['production'] ?? []
    const { code, stderr } = await helmTemplate({ helm: toolPath('helm'), values, kubeVersion: '1.29.9' })
    expect(code).not.toBe(0)
    expect(stderr).toContain('chart requires kubeVersion: >=1.30.0-0 which is incompatible with Kubernetes v1.29.9')
  })
})

describe('newer helm', () => {
  needRendered('helm4')

  test.each(profiles)('renders the same: %s', async (name) => {
    const { code, stdout, stderr } = await helmTemplate({ helm: toolPath('helm4'), values: cases[name] ?? [] })
    expect(code, stderr).toBe(0)
    const sorted = (text: string) => parseManifests(text).toSorted((a, b) => (idOf(a) < idOf(b) ? -1 : 1))
    expect(sorted(stdout)).toEqual(sorted(rendered(name).text))
  })
})

/** Returns the paths of values that are not maps; `components.x` counts as `defaults`. */
function pathsOf(values: unknown, path: string[] = []): string[] {
  if (typeof values !== 'object' || values === null || Array.isArray(values)) return [path.join('.')]
  const isComponent = path[0] === 'components' && path.length === 2
  const inner = Object.entries(values).flatMap(([key, value]) =>
    pathsOf(value, [...(isComponent ? ['defaults'] : path), key]),
  )
  return [path.join('.'), ...inner]
}

test('every value of the chart is changed in some case', () => {
  const read = (file: string): unknown => parse(readFileSync(file, 'utf8'))
  const changed = new Set(Object.values(cases).flatMap((files) => files.flatMap((file) => pathsOf(read(file)))))
  const isSaid = (path: string) =>
    changed.has(path) || path.startsWith('components') || /^development\.\w+\.(?:image|resources)/.test(path)
  expectNone(pathsOf(read(join(chart, 'values.yaml'))).filter((path) => path !== '' && !isSaid(path)))
})

test('templates use no random value and no cluster, so GitOps always renders the same', () => {
  const unsteady = /\b(?:rand\w+|lookup|now|uuidv4|gen(?:CA|SelfSignedCert|SignedCert|PrivateKey)\w*|shuffle)\b/
  expectNone(
    globSync('templates/**/*', { cwd: chart, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .flatMap((entry) => {
        const actions = readFileSync(join(entry.parentPath, entry.name), 'utf8').match(/\{\{[^}]*\}\}/g) ?? []
        return actions.filter((action) => unsteady.test(action)).map((action) => `${entry.name}: ${action}`)
      }),
  )
})

describe('tools', () => {
  needTools('helm')
  test('are what they say', async () => {
    expect((await run(toolPath('helm'), ['version', '--short'])).stdout).toMatch(/^v3\./)
  })
})
