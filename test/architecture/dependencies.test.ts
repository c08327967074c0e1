/**
 * The direction of dependencies, read from the packages themselves: services depend on libs, and base libraries depend
 * on nothing above them.
 */

import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const scope = '@financial-agents/'
/** The condition under which this repository imports the sources of a published package. */
const condition = '@financial-agents/source'

type Package = { folder: string; kind: 'libs' | 'services' | 'test'; name: string; manifest: Manifest }
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

const packages: Package[] = globSync('{libs,services}/*/package.json', { cwd: root }).map((file) => {
  const manifest = JSON.parse(readFileSync(join(root, file), 'utf8')) as Manifest
  const folder = dirname(file)
  return { folder, kind: folder.split('/')[0] as Package['kind'], name: folder.split('/')[1] as string, manifest }
})

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

/** Builds a published package: nothing of it is published. */
const isBuild = (file: string) => /^libs\/(?:cli|client|mcp|provider)\/build\.ts$/.test(file)

/** The name of the command line is that of its program. */
const otherNames: Record<string, string> = { cli: 'financial-agents' }

const isTest = (file: string) => /\.test(-helper)?\.ts$/.test(file) || file.includes('/src/testing/')

/** The packages that each library may depend on. A library without a row depends on no package of the workspace. */
const allowed: Record<string, string[]> = {
  'carried-http': ['bus', 'runtime'],
  cli: ['client', 'mcp'],
  client: [],
  mcp: ['client'],
  'operation-machine': [],
  contract: ['operation-machine'],
  dpop: [],
  pages: ['runtime'],
  postgres: ['runtime'],
  runtime: [],
  provider: ['contract', 'operation-machine'],
  'provider-api': ['contract', 'operation-machine'],
  'provider-conformance': ['operation-machine', 'provider', 'provider-api', 'provider-http', 'runtime'],
  'provider-http': ['dpop', 'operation-machine', 'provider', 'provider-api', 'provider-openid'],
  'provider-increase': ['operation-machine', 'provider', 'provider-http'],
  'provider-openid': ['provider'],
  'provider-reads': [
    'bus',
    'contract',
    'operation-machine',
    'postgres',
    'provider',
    'provider-http',
    'provider-increase',
    'runtime',
  ],
  bus: ['contract', 'operation-machine', 'runtime'],
  service: ['bus', 'postgres', 'provider', 'provider-reads', 'runtime'],
  writes: ['bus', 'contract', 'operation-machine', 'postgres', 'runtime'],
  servers: [],
  testkit: ['bus', 'contract', 'deploy', 'operation-machine', 'pages', 'postgres', 'runtime', 'servers'],
  dev: ['bus', 'contract', 'deploy', 'operation-machine', 'pages', 'provider-api', 'runtime', 'servers', 'testkit'],
  docs: ['client', 'contract', 'dev', 'operation-machine', 'runtime'],
}

/** Libraries for development and tests only. */
const development = new Set(['dev', 'docs', 'provider-conformance', 'servers', 'testkit'])

/** The packages that may show pages to people. All others answer software. */
const mayShowPages = ['authz', 'gateway', 'ops-console', 'fake-provider', 'fake-identity-provider']

describe.each(packages)('$folder', ({ folder, kind, name, manifest }) => {
  const isProgram = manifest.bin !== undefined
  const workspaceDependencies = Object.keys((isProgram ? manifest.devDependencies : manifest.dependencies) ?? {})
    .filter((dependency) => dependency.startsWith(scope))
    .map((dependency) => dependency.slice(scope.length))

  test('is named for its folder', () => {
    expect(manifest.name).toBe(otherNames[name] ?? scope + name)
  })

  test('depends only downwards', () => {
    const libs = new Set(packages.filter((other) => other.kind === 'libs').map((other) => other.name))
    const may = kind === 'libs' ? allowed[name] : [...libs].filter((lib) => !development.has(lib))
    expect(may, `add ${name} to the table of this test`).toBeDefined()
    expect(workspaceDependencies.filter((dependency) => !may?.includes(dependency))).toEqual([])
  })

  test('shows pages only if the service is meant for people', () => {
    if (workspaceDependencies.includes('pages') && !development.has(name))
      expect(mayShowPages, `${folder} shows pages`).toContain(name)
  })

  test('is imported by no other package if it is a service', () => {
    if (kind === 'services') expect(manifest.exports).toBeUndefined()
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
    if (development.has(name)) return
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
  const { manifest } = packages.find(({ name }) => name === 'cli') as Package
  expect(manifest.dependencies).toBeUndefined()
  expect(Object.keys(manifest.optionalDependencies ?? {})).toEqual(['@napi-rs/keyring'])
})

test('no package depends on itself through others, development dependencies included', () => {
  const manifests = globSync('{libs/*,services/*,deploy,test,tilt}/package.json', { cwd: root }).map(
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
