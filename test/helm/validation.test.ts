/** The API server's view: every resource of every case fits its schema, and linters of manifests find nothing. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { run } from './render.ts'
import { allRendered, expectNone, needRendered, type Rendered, rendered } from './rendered.ts'
import { needTools, toolPath } from './tools.ts'

needRendered()

const folder = mkdtempSync(join(tmpdir(), 'helm-manifests-'))
beforeAll(() => {
  for (const { name, text } of allRendered()) writeFileSync(join(folder, `${name}.yaml`), text)
})
afterAll(() => rmSync(folder, { recursive: true }))

const filesOf = (which: Rendered[]) => which.map(({ name }) => join(folder, `${name}.yaml`))

describe('the schemas of Kubernetes and of custom resources', () => {
  needTools('kubectl-validate', 'resource-definitions')

  type Status = { status: string; message?: string }

  async function validate(version: string, files: string[]): Promise<string[]> {
    const options = ['--version', version, '--local-crds', toolPath('resource-definitions'), '--output', 'json']
    const { stdout, stderr } = await run(toolPath('kubectl-validate'), [...options, ...files])
    expect(stdout, stderr).not.toBe('')
    const said = JSON.parse(stdout) as Record<string, Status | Status[]>
    expect(Object.keys(said).toSorted()).toEqual(files.toSorted())
    return Object.entries(said).flatMap(([file, results]) =>
      [results]
        .flat()
        .filter(({ status }) => status !== 'Success')
        .map(({ message }) => `${file.slice(folder.length + 1)}: ${message}`),
    )
  }

  // The oldest version that the chart accepts, and the newest that the validator knows.
  test.each(['1.30', '1.35'])(
    'of Kubernetes %s fit every case',
    async (version) => {
      // Image volumes need a newer Kubernetes than the oldest version. The chart uses them only if a value says so.
      const fitting = allRendered().filter(({ name }) => version !== '1.30' || name !== 'adapter-image-volumes')
      expectNone(await validate(version, filesOf(fitting)))
    },
    300_000,
  )

  test.each([
    ['an unknown field', 'Deployment', 'replicas:', 'replica:'],
    ['a wrong type', 'Deployment', 'replicas: 3', 'replicas: three'],
    ['an unknown field of a custom resource', 'HTTPRoute', 'parentRefs:', 'parents:'],
    ['an unknown field of a monitor', 'ServiceMonitor', 'endpoints:', 'endpoint:'],
  ])('refuse %s', async (what, kind, good, bad) => {
    const document = allRendered()
      .flatMap(({ text }) => text.split(/^---$/m))
      .find((part) => part.includes(`kind: ${kind}\n`) && part.includes(good))
    const file = join(folder, `${what.replaceAll(' ', '-')}.bad.yaml`)
    writeFileSync(file, (document ?? '').replace(good, bad))
    expect(await validate('1.35', [file])).toHaveLength(1)
  })
})

describe('kube-linter', () => {
  needTools('kube-linter')

  test('finds nothing in any case', async () => {
    const config = join(import.meta.dirname, 'kube-linter.yaml')
    const files = filesOf(allRendered())
    const { code, stdout, stderr } = await run(toolPath('kube-linter'), ['lint', '--config', config, ...files])
    expect(code, stdout + stderr).toBe(0)
  })
})

describe('kube-score', () => {
  needTools('kube-score')

  /** kube-score's checks that the chart fails on purpose, with the reasons. */
  const notFollowed = {
    'container-image-pull-policy': 'tags of releases do not move, and digests cannot',
    'container-resources': 'a limit of CPU slows down what the node could do; the tests of pods see to the rest',
    'container-ephemeral-storage-request-and-limit': 'the root file system is read-only: nothing is written',
    'deployment-has-host-podantiaffinity': 'pods are spread by topologySpreadConstraints',
  }
  const notFollowedInDevelopment = {
    ...notFollowed,
    'deployment-replicas': 'one replica of each',
    'deployment-strategy': 'the fake provider keeps its state in memory: two of them would differ',
    'pod-probes-identical':
      'the fake provider and the fake identity provider depend on nothing: they live or they do not',
    'statefulset-has-servicename': 'they are reached through an ordinary Service',
    'container-security-context-user-group-id': 'the user that the image of PostgreSQL has is 70',
  }

  test.each([
    ['production', notFollowed],
    ['development', notFollowedInDevelopment],
  ])('finds nothing in %s but what is not followed', async (name, exceptions) => {
    const ignored = Object.keys(exceptions).flatMap((check) => ['--ignore-test', check])
    const options = ['score', '--kubernetes-version', 'v1.35', '--output-format', 'ci', ...ignored]
    const { stdout } = await run(toolPath('kube-score'), [...options, ...filesOf([rendered(name)])])
    const lines = stdout.split('\n')
    expect(lines.filter((line) => line.startsWith('[OK]')).length).toBeGreaterThan(100)
    expectNone(lines.filter((line) => line !== '' && !/^\[(?:OK|SKIPPED)\]/.test(line)))
  })

  test('finds what is wrong', async () => {
    const file = join(folder, 'privileged.bad.yaml')
    writeFileSync(file, rendered('production').text.replaceAll('allowPrivilegeEscalation: false', 'privileged: true'))
    expect((await run(toolPath('kube-score'), ['score', '--output-format', 'ci', file])).stdout).toContain('[CRITICAL]')
  })
})
