/**
 * The declarations of the Tiltfile, read by a real Starlark interpreter with helm's real output. Tilt itself is not
 * needed. Each rendered resource belongs to one Tilt resource, nothing starts before its dependencies, and the
 * images that are built are those that run.
 */

import { access, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startChild } from '@financial-agents/servers/child-process'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import {
  componentOf,
  containersOf,
  isTest,
  ofKind,
  parseManifests,
  podsOf,
  type Resource,
  selects,
} from './manifests.ts'
import { prepared, type ToolPath } from './tools.ts'

const root = join(import.meta.dirname, '../..')
const chart = 'helm/financial-agents-api'
const valueFiles = [`${chart}/values-dev.yaml`, 'tilt/values.yaml']
const componentsFile = `${chart}/files/components.yaml`

// oxlint-disable-next-line typescript/no-explicit-any -- the arguments depend on the call
type Call = { call: string; [argument: string]: any }
type Run = { calls: Call[]; error: string | undefined }

const [starlark, helm] = await Promise.all([prepared<ToolPath>('starlark'), prepared<ToolPath>('helm')])
const missing = starlark.missing ?? helm.missing

let folder: string
let manifests: Resource[]
let components: Record<string, { sidecarOf?: string }>

async function run(subcommand = 'up', settings: Record<string, unknown> = {}): Promise<Run> {
  const files = { [componentsFile]: components }
  const data = JSON.stringify({ subcommand, settings, manifests, files })
  const prelude = await readFile(join(import.meta.dirname, 'tiltfile-prelude.star'), 'utf8')
  const tiltfile = await readFile(join(root, 'Tiltfile'), 'utf8')
  // The interpreter does not have Tilt's modules.
  const program = `DATA = ${JSON.stringify(data)}\n${prelude}\n${tiltfile.replaceAll(/\bconfig\.(\w+)/g, 'config_$1')}`
  const lines: string[] = []
  const file = join(folder, 'Tiltfile.star')
  await writeFile(file, program)
  const child = await startChild('starlark', starlark.path ?? '', ['-globalreassign', file], {
    onLine: (line) => lines.push(line),
  })
  const { code } = await child.exited
  const calls = lines.filter((line) => line.startsWith('@')).map((line) => JSON.parse(line.slice(1)) as Call)
  return { calls, error: code === 0 ? undefined : lines.findLast((line) => line.startsWith('Error')) }
}

const named = ({ calls }: Run, call: string) => calls.filter((each) => each.call === call)
const resourcesOf = (result: Run) => [...named(result, 'k8s_resource'), ...named(result, 'local_resource')]
const workloadKinds = ['Deployment', 'StatefulSet', 'Job']

const withTools = missing === undefined ? describe : describe.skip
if (missing !== undefined) test('the Tiltfile is read', ({ skip }) => skip(missing))

withTools('the Tiltfile', () => {
  let up: Run
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'financial-agents-tiltfile-'))
    const args = ['template', 'financial-agents', chart, '--kube-version', '1.33', '--namespace', 'financial-agents']
    const values = valueFiles.flatMap((file) => ['--values', file])
    // Tilt leaves tests out too.
    manifests = parseManifests(await runHelm([...args, ...values])).filter((each) => !isTest(each))
    components = parse(await readFile(join(root, componentsFile), 'utf8')) as typeof components
    up = await run()
    expect(up.error).toBeUndefined()
  })

  afterAll(() => rm(folder, { recursive: true }))

  test('renders the development profile once, with what it adds', () => {
    expect(named(up, 'helm')).toMatchObject([{ path: chart, values: valueFiles, namespace: 'financial-agents' }])
    expect(named(up, 'k8s_yaml')).toMatchObject([{ yaml: 'manifests' }])
  })

  test('nothing rendered is a hook: what Helm would run before or after is an ordinary Job', () => {
    const hooks = manifests.filter(({ metadata }) => metadata.annotations?.['helm.sh/hook'])
    expect(hooks.map(({ metadata }) => metadata.name)).toEqual([])
    expect(
      ofKind(manifests, 'Job')
        .map(({ metadata }) => componentOf(metadata))
        .toSorted(),
    ).toEqual(['bindings', 'clients', 'streams'])
  })

  test('every workload is one resource, called as its component', () => {
    const workloads = ofKind(manifests, ...workloadKinds)
    const declared = named(up, 'k8s_resource').filter(({ workload }) => workload !== '')
    expect(Object.fromEntries(declared.map(({ workload, name }) => [workload, name]))).toEqual(
      Object.fromEntries(workloads.map(({ metadata }) => [metadata.name, componentOf(metadata)])),
    )
    const names = resourcesOf(up).map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
  })

  test('everything else is in one resource, or a Service that selects a workload', () => {
    const selectors = named(up, 'k8s_resource').flatMap(({ objects }) => objects as string[])
    const others = manifests.filter(({ kind }) => ![...workloadKinds, 'Service'].includes(kind))
    expect(selectors.toSorted()).toEqual(others.map(({ kind, metadata }) => `${metadata.name}:${kind}`).toSorted())
    const pods = podsOf(manifests)
    for (const { metadata, spec } of ofKind(manifests, 'Service'))
      expect(
        pods.some((pod) => selects({ matchLabels: spec.selector }, pod.metadata.labels)),
        metadata.name,
      ).toBe(true)
  })

  test('the Secrets come first, and a service comes after its servers, streams and image', () => {
    const byName = new Map(resourcesOf(up).map((each) => [each['name'] as string, each['needs'] as string[]]))
    const after = (name: string, path: string[] = []): string[] => {
      expect(path, 'resources that wait for each other').not.toContain(name)
      const needs = byName.get(name)
      expect(needs, `${path.at(-1)} needs ${name}, which is not there`).toBeDefined()
      return (needs ?? []).flatMap((need) => [need, ...after(need, [...path, name])])
    }
    for (const name of byName.keys()) if (!['seed', 'bundle'].includes(name)) expect(after(name)).toContain('seed')
    for (const name of Object.keys(components))
      if (!components[name]?.sidecarOf && name !== 'fake-provider')
        expect(after(name)).toEqual(expect.arrayContaining(['bundle', 'nats', 'postgres', 'streams']))
  })

  test('the images that are run are the images that are built, each of its own bundle', async () => {
    const builds = named(up, 'build')
    const run = new Set(
      podsOf(manifests).flatMap(({ spec }) => containersOf(spec).map(({ image }) => image.split(':')[0])),
    )
    const ours = [...run].filter((image) => image?.startsWith('financial-agents/'))
    expect(new Set(builds.map(({ ref }) => ref))).toEqual(new Set(ours))
    expect(builds).toHaveLength(ours.length)
    for (const { ref, build_args, only, context, dockerfile } of builds) {
      const name = ref.split('/')[1]
      expect(build_args).toEqual({ SERVICE: name })
      expect(only).toEqual(['restart.sh', `.bundle/${name}`])
      await Promise.all([`${context}/restart.sh`, dockerfile].map((file) => access(join(root, file))))
    }
  })

  test('all services, or the named ones, follow their sources; containers that share a pod do not', async () => {
    const followedIn = (result: Run) =>
      named(result, 'build')
        .filter(({ live_update }) => live_update.length > 0)
        .map(({ ref }) => ref.split('/')[1])
    const own = Object.keys(components).filter((name) => !components[name]?.sidecarOf)
    expect(followedIn(up)).toEqual(own)
    const some = await run('up', { services: ['gateway', 'cards'] })
    expect(followedIn(some)).toEqual(['gateway', 'cards'])
    const bundle = named(some, 'local_resource').find(({ name }) => name === 'bundle')
    expect(bundle?.['serve'].slice(-5)).toEqual(['--watch', '--service', 'gateway', '--service', 'cards'])
    for (const { ref, live_update } of named(some, 'build'))
      for (const step of live_update)
        expect(step).toEqual({ sync: `tilt/.bundle/${ref.split('/')[1]}/main.cjs`, to: '/live/main.cjs' })
  })

  test('the writable folder is mounted where a bundle is followed, and never twice', () => {
    for (const { spec, of } of podsOf(manifests).filter(({ owner }) => owner.kind === 'Deployment')) {
      const mounts = spec.containers.flatMap(({ volumeMounts = [] }) => volumeMounts)
      expect(
        mounts.filter(({ mountPath }) => mountPath === '/live'),
        of,
      ).toHaveLength(1)
    }
  })

  test('ports are forwarded as the addresses of the profile say', () => {
    const ports = named(up, 'k8s_resource').flatMap(({ name, ports }) =>
      (ports as { local: number }[]).map(({ local }) => [name, local]),
    )
    expect(Object.fromEntries(ports)).toEqual({ gateway: 8080, 'fake-provider': 4010, 'ops-console': 4020 })
  })

  test('`tilt ci` makes a write once everything is up, and watches nothing', async () => {
    const ci = await run('ci')
    const local = named(ci, 'local_resource')
    expect(local.map(({ name, serve, auto_init }) => ({ name, serve, auto_init }))).toEqual(
      ['seed', 'bundle', 'flow'].map((name) => ({ name, serve: '', auto_init: true })),
    )
    const flow = local.find(({ name }) => name === 'flow')
    expect(flow?.['needs'].toSorted()).toEqual(
      ofKind(manifests, ...workloadKinds)
        .map(({ metadata }) => componentOf(metadata))
        .toSorted(),
    )
    expect(named(ci, 'build').every(({ live_update }) => live_update.length === 0)).toBe(true)
    expect(named(up, 'local_resource').find(({ name }) => name === 'flow')).toMatchObject({ auto_init: false })
  })

  test('only contexts known as local, and named ones, are allowed', async () => {
    expect(named(up, 'allow_k8s_contexts')).toEqual([])
    const other = await run('up', { context: ['team-cluster'], registry: 'registry.example.com/me' })
    expect(named(other, 'allow_k8s_contexts')).toMatchObject([{ contexts: ['team-cluster'] }])
    expect(named(other, 'default_registry')).toMatchObject([{ host: 'registry.example.com/me' }])
  })

  test.each(['podman', 'buildah', 'nerdctl'])('%s builds and pushes the same image', async (builder) => {
    for (const { ref, command } of named(await run('up', { builder }), 'build'))
      expect(command).toBe(
        `${builder} build --file tilt/Dockerfile --build-arg SERVICE=${ref.split('/')[1]} --tag $EXPECTED_REF tilt && ${builder} push $EXPECTED_REF`,
      )
  })

  test('an unknown name is refused and quoted', async () => {
    expect((await run('up', { services: ['ledger'] })).error).toContain(
      'there is no service ledger: give any of gateway',
    )
    expect((await run('up', { builder: 'make' })).error).toContain('--builder make: give docker')
  })
})

/** Returns helm's whole output; `runToEnd` keeps only the last lines. */
async function runHelm(args: string[]): Promise<string> {
  const lines: string[] = []
  const onLine = (line: string, stream: string) => stream === 'stdout' && lines.push(line)
  const child = await startChild('helm', helm.path ?? '', args, { cwd: root, onLine })
  expect((await child.exited).code, child.lastLines(3).join('\n')).toBe(0)
  return lines.join('\n')
}
