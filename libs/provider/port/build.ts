/**
 * Builds `dist` of the package in the working folder, as it is published: JavaScript, declarations and a manifest of their own. An adapter
 * outside this repository is written against the port, and validated by the cases of `provider-conformance`. `npm pack ./dist` packs it.
 *
 * Invariant: nothing in `dist` names a package that is not published. Code of other packages is bundled, and their declarations lie
 * beside ours. Nothing in the repository needs `dist`: it imports the sources.
 */

import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { build } from 'esbuild'

type Manifest = {
  name: string
  version: string
  description: string
  license: string
  exports: Record<string, string>
}

const folder = process.cwd()
const libs = join(import.meta.dirname, '../..')
const own = `${relative(libs, folder)}/src/`
const root = join(libs, '..')
const dist = join(folder, 'dist')
const emitted = join(dist, 'emitted')
const scope = '@financial-agents/'
const manifest = readManifest(folder)
/** The packages that a published package may name. */
const published = ['zod', '@financial-agents/provider-port'].filter((name) => name !== manifest.name)
const isPublished = (specifier: string) => published.some((name) => `${specifier}/`.startsWith(`${name}/`))

function readManifest(of: string): Manifest {
  return JSON.parse(readFileSync(join(of, 'package.json'), 'utf8')) as Manifest
}

/** `./src/port.ts` is `port`. */
const nameOf = (source: string) => source.replace(/^\.\/src\//, '').replace(/\.ts$/, '')
const entries = Object.entries(manifest.exports).map(([subpath, source]) => ({ subpath, name: nameOf(source) }))

rmSync(dist, { recursive: true, force: true })
const { metafile } = await build({
  metafile: true,
  absWorkingDir: folder,
  entryPoints: Object.values(manifest.exports),
  outdir: dist,
  outbase: 'src',
  bundle: true,
  splitting: true,
  external: published,
  platform: 'node',
  format: 'esm',
  target: 'es2024',
  chunkNames: 'chunks/[hash]',
  logLevel: 'warning',
})

const tsc = join(root, 'node_modules/typescript/bin/tsc')
const declared = spawnSync(
  process.execPath,
  [tsc, '-p', join(import.meta.dirname, 'tsconfig.build.json'), '--outDir', emitted],
  {
    stdio: 'inherit',
  },
)
if (declared.status !== 0) process.exit(declared.status ?? 1)

/** The folder of each package within `libs`, by its name. */
const folders = new Map(
  globSync('*/*/package.json', { cwd: libs }).map((file) => [
    readManifest(join(libs, dirname(file))).name,
    dirname(file),
  ]),
)

/** Returns the source file of a workspace specifier, without its extension: `<room>/<package>/src/<name>`. */
function sourceOf(specifier: string): string {
  const [, name = '', ...rest] = specifier.split('/')
  const of = folders.get(scope + name)
  const source = of && readManifest(join(libs, of)).exports[`./${rest.join('/')}`]
  if (of === undefined || source === undefined) throw new Error(`${specifier} is not exported`)
  return join(of, 'src', nameOf(source))
}

/**
 * Returns the place of a workspace declaration in the package. Our declarations are beside the code, and those of other
 * packages are under `declared`.
 */
const placeOf = (source: string) =>
  source.startsWith(own) ? source.slice(own.length) : join('declared', source.replace('/src/', '/'))

/** Copies a declaration, and all declarations to which it refers. */
function declare(source: string): void {
  const target = join(dist, `${placeOf(source)}.d.ts`)
  if (existsSync(target)) return
  const named: string[] = []
  const text = readFileSync(join(emitted, `${source}.d.ts`), 'utf8').replaceAll(
    /((?:from|import\()\s*)['"]([^'"]+)['"]/g,
    (whole, before: string, specifier: string) => {
      const isOurs = specifier.startsWith('.') || (specifier.startsWith(scope) && !isPublished(specifier))
      if (!isOurs) return whole
      const other = specifier.startsWith('.')
        ? join(dirname(source), specifier.replace(/\.(?:js|ts)$/, ''))
        : sourceOf(specifier)
      named.push(other)
      const path = relative(dirname(placeOf(source)), placeOf(other))
      return `${before}'${path.startsWith('.') ? path : `./${path}`}.js'`
    },
  )
  mkdirSync(dirname(target), { recursive: true })
  writeFileSync(target, text)
  for (const other of named) declare(other)
}
for (const { name } of entries) declare(join(own, name))
rmSync(emitted, { recursive: true })

/** The version of zod that the whole repository uses. */
const [, zod] = /^ {2}zod: (\S+)$/m.exec(readFileSync(join(root, 'pnpm-workspace.yaml'), 'utf8')) ?? []
if (zod === undefined) throw new Error('pnpm-workspace.yaml has no version of zod')

const imported = Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => `${path}/`))
const used = published.filter((of) => imported.some((path) => path.startsWith(`${of}/`)))

const { name, version, description, license } = manifest
const packed = {
  name,
  version,
  type: 'module',
  description,
  license,
  keywords: ['financial-agents', 'payments', 'provider', 'adapter', 'conformance'],
  engines: { node: '>=24' },
  sideEffects: false,
  exports: {
    ...Object.fromEntries(
      entries.map(({ subpath, name: entry }) => [subpath, { types: `./${entry}.d.ts`, default: `./${entry}.js` }]),
    ),
    './package.json': './package.json',
  },
  dependencies: Object.fromEntries(used.map((name) => [name, name === 'zod' ? zod : `^${version}`])),
}
writeFileSync(join(dist, 'package.json'), `${JSON.stringify(packed, null, 2)}\n`)
for (const file of [join(root, 'LICENSE'), join(folder, 'README.md')])
  cpSync(file, join(dist, file.split('/').at(-1) ?? ''))
