/**
 * The direction of dependencies, read from the packages themselves: services depend on libs, and base libraries depend
 * on nothing above them.
 */

import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const scope = '@financial-agents/'
/** The condition under which this repository imports the sources of a published package. */
const condition = '@financial-agents/source'

type Package = { folder: string; room: Room; name: string; manifest: Manifest }
type Manifest = {
  name: string
  private?: boolean
  /** A published package names its source by a condition beside what it publishes. */
  exports?: Record<string, string | { [condition]: string }>
  /** A published program is one file, which brings what it imports. */
  bin?: Record<string, string>
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  devDependencies?: Record<string, string>
}

/** The rooms of the packages, each with the rooms below it, on which its packages may depend. */
const below = {
  api: [],
  platform: ['api'],
  provider: ['api', 'platform'],
  frame: ['api', 'platform', 'provider'],
  services: ['api', 'platform', 'provider', 'frame'],
  clients: ['api', 'platform'],
  development: ['api', 'platform', 'provider', 'frame', 'clients', 'deploy'],
} as const
type Room = keyof typeof below

const packages: Package[] = globSync('{libs/*,services}/*/package.json', { cwd: root }).map((file) => {
  const manifest = JSON.parse(readFileSync(join(root, file), 'utf8')) as Manifest
  const folder = dirname(file)
  return {
    folder,
    room: basename(dirname(folder)) as Room,
    name: manifest.name.replace(scope, ''),
    manifest,
  }
})
const roomOf = new Map<string, string>(packages.map(({ name, room }) => [name, room]))

const importPattern =
  /(?:^|\n)\s*(?:import|export)\s+(type\s)?[^'"]*?from\s*['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)/g

type Import = { specifier: string; typeOnly: boolean }

function sources(folder: string, pattern: string): { file: string; imports: Import[] }[] {
  return globSync(join(folder, pattern), { cwd: root, exclude: (name) => /node_modules|\/dist$/.test(name) })
    .filter((file) => !/node_modules|\/dist\//.test(file))
    .map((file) => {
      const text = readFileSync(join(root, file), 'utf8')
      const imports = [...text.matchAll(importPattern)].map((match) => ({
        specifier: (match[2] ?? match[3]) as string,
        typeOnly: match[1] !== undefined,
      }))
      return { file, imports }
    })
}

/** Builds a published package, or generates its files: nothing of it is published. */
const isBuild = (file: string) =>
  /^libs\/(?:clients\/(?:cli|typescript|mcp)|provider\/port)\/(?:build|generate|generate\/[\w-]+)\.ts$/.test(file)

const isTest = (file: string) => /\.test(-helper)?\.ts$/.test(file) || file.includes('/src/testing/')

/** Packages that others use without the rest: what they may depend on, of all that is below them. */
const alone: Record<string, string[]> = {
  contract: [],
  dpop: [],
  runtime: [],
  servers: [],
  'provider-port': ['contract'],
  client: [],
  mcp: ['client'],
  'financial-agents': ['client', 'mcp'],
}

/** Packages for development and tests only. */
const isForDevelopment = ({ name, room }: Pick<Package, 'name' | 'room'>) =>
  room === 'development' || ['docs', 'provider-conformance'].includes(name)

/** The packages that may show pages to people. All others answer software. */
const mayShowPages = ['authz', 'gateway', 'ops-console', 'owner-pages', 'fake-provider', 'fake-identity-provider']

describe.each(packages)('$folder', ({ folder, room, name, manifest }) => {
  const isProgram = manifest.bin !== undefined
  const workspaceDependencies = Object.keys((isProgram ? manifest.devDependencies : manifest.dependencies) ?? {})
    .filter((dependency) => dependency.startsWith(scope))
    .map((dependency) => dependency.slice(scope.length))

  test('depends only downwards', () => {
    const rooms = new Set<string>([...below[room], ...(room === 'services' ? [] : [room])])
    const may = (dependency: string) =>
      alone[name]?.includes(dependency) ?? rooms.has(roomOf.get(dependency) ?? dependency)
    expect(workspaceDependencies.filter((dependency) => !may(dependency))).toEqual([])
    if (isForDevelopment({ name, room })) return
    const ofDevelopment = new Set(packages.filter(isForDevelopment).map((other) => other.name))
    expect(workspaceDependencies.filter((dependency) => ofDevelopment.has(dependency))).toEqual([])
  })

  test('shows pages only if the service is meant for people', () => {
    if (workspaceDependencies.includes('pages') && room !== 'development')
      expect(mayShowPages, `${folder} shows pages`).toContain(name)
  })

  test('is imported by no other package if it is a service', () => {
    if (room === 'services') expect(manifest.exports).toBeUndefined()
  })

  test('exports files one by one, without patterns or a barrel', () => {
    for (const [subpath, exported] of Object.entries(manifest.exports ?? {})) {
      if (manifest.private !== true && subpath === './package.json') continue
      // The entry of a published package is its name.
      if (manifest.private !== true && subpath === '.') expect(exported).toBeTypeOf('object')
      else expect(subpath).toMatch(/^\.\/[a-z-]+(\/[a-zA-Z-]+)*$/)
      expect(typeof exported === 'string' ? exported : exported[condition]).toMatch(/^\.\/src\/[\w/-]+\.ts$/)
    }
  })

  test('imports only declared packages, and only through their exports', () => {
    const declared = new Set([
      ...Object.keys(manifest.dependencies ?? {}),
      ...Object.keys(manifest.optionalDependencies ?? {}),
      ...Object.keys(manifest.devDependencies ?? {}),
    ])
    for (const { file, imports } of sources(folder, '**/*.ts')) {
      for (const { specifier, typeOnly } of imports) {
        if (specifier.startsWith('node:') || ['vitest', 'vitest/node'].includes(specifier)) continue
        if (specifier.startsWith('.')) {
          const target = relative(join(root, folder), join(root, dirname(file), specifier))
          expect(target.startsWith('..'), `${file} reaches out of its package with ${specifier}`).toBe(false)
          continue
        }
        const parts = specifier.split('/')
        const dependency = specifier.startsWith('@') ? parts.slice(0, 2).join('/') : (parts[0] as string)
        if (dependency === manifest.name) continue
        expect(declared.has(dependency), `${file} imports ${specifier}, which ${folder} does not declare`).toBe(true)
        if (!isProgram && !isTest(file) && !isBuild(file) && !typeOnly)
          expect(manifest.dependencies?.[dependency], `${file} needs ${specifier} at run time`).toBeDefined()
      }
    }
  })

  test('keeps test code out of production code', () => {
    if (isForDevelopment({ name, room })) return
    const importers = sources(folder, 'src/**/*.ts').filter(
      ({ file, imports }) => !isTest(file) && imports.some(({ specifier }) => specifier.includes('/testing/')),
    )
    expect(importers.map(({ file }) => file)).toEqual([])
  })

  test('only libs/platform/bus imports the NATS client', () => {
    if (folder === 'libs/platform/bus') return
    const importers = sources(folder, 'src/**/*.ts').filter(
      ({ file, imports }) => !isTest(file) && imports.some(({ specifier }) => specifier === 'nats'),
    )
    expect(importers.map(({ file }) => file)).toEqual([])
  })
})

test('the published client runs wherever there are Web standards: Node is imported only where a path says so', () => {
  const nodeOnly = [
    'libs/clients/typescript/src/auth/native.ts',
    'libs/clients/typescript/src/proxy.ts',
    'libs/clients/typescript/src/stores/file.ts',
  ]
  const importers = sources('libs/clients/typescript', 'src/**/*.ts').filter(
    ({ file, imports }) => !isTest(file) && imports.some(({ specifier }) => specifier.startsWith('node:')),
  )
  expect(importers.map(({ file }) => file).toSorted()).toEqual(nodeOnly)
})

test('the published client depends on one package, and on none of the workspace', () => {
  const { manifest } = packages.find(({ name }) => name === 'client') as Package
  expect(Object.keys(manifest.dependencies ?? {})).toEqual(['oauth4webapi'])
})

test('the published command line brings everything but the keychain, which it can do without', () => {
  const { manifest } = packages.find(({ name }) => name === 'financial-agents') as Package
  expect(manifest.dependencies).toBeUndefined()
  expect(Object.keys(manifest.optionalDependencies ?? {})).toEqual(['@napi-rs/keyring'])
})

test('no package depends on itself through others, development dependencies included', () => {
  const manifests = globSync('{libs/*/*,services/*,deploy,test,tilt}/package.json', { cwd: root }).map(
    (file) => JSON.parse(readFileSync(join(root, file), 'utf8')) as Manifest,
  )
  const uses = new Map(
    manifests.map(({ name, dependencies, devDependencies }) => [
      name,
      Object.keys({ ...dependencies, ...devDependencies }).filter((dependency) => dependency.startsWith(scope)),
    ]),
  )
  const found: string[] = []
  const done = new Set<string>()
  const visit = (name: string, path: string[]): void => {
    if (path.includes(name)) found.push([...path.slice(path.indexOf(name)), name].join(' → '))
    if (done.has(name) || path.includes(name)) return
    for (const used of uses.get(name) ?? []) visit(used, [...path, name])
    done.add(name)
  }
  for (const name of uses.keys()) visit(name, [])
  expect(found).toEqual([])
})
