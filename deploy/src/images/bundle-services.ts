/**
 * Bundles services as folders that need only node. An image has such a folder at /app, and a live update copies its
 * files there. All services share the same preloaded telemetry files, and equal sources give equal bytes.
 */

import { cp, mkdir, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { build, type Metafile, type OutputFile } from 'esbuild'
import { assets } from './assets.ts'
import { billOfMaterials } from './bill-of-materials.ts'
import { externalPackages, preloadOptions, servicesOptions, telemetryOptions } from './esbuild-options.ts'
import {
  copyPackage,
  distinct,
  getPackage,
  type Package,
  packageFolderOf,
  readManifest,
  readPackage,
  withDependencies,
} from './packages.ts'
import { folderOf, tools } from './tools.ts'

export { distinct } from './packages.ts'

export const root = join(import.meta.dirname, '../../..')

/** The services of the installation, by the names of their folders. */
export async function findServices(): Promise<string[]> {
  const entries = await readdir(join(root, 'services'), { withFileTypes: true })
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
}

/** Everything that has an image: the services, and the tools. */
export async function findPrograms(): Promise<string[]> {
  return [...(await findServices()), ...Object.keys(tools)]
}

/** The programs to bundle, the version, and the folder `out` that gets a folder for each service. */
export type Bundling = {
  services: readonly string[]
  out: string
  version: string
  /** The built documentation site, which the gateway has beside its program. */
  documentation?: string | undefined
}

/**
 * Makes these folders again from the start.
 * @throws Error if a folder would be incomplete
 */
export async function bundleServices(bundling: Bundling): Promise<void> {
  const { services, out, version, documentation } = bundling
  for (const service of services) await rm(join(out, service), { recursive: true, force: true })
  const [{ metafile }, preload, telemetry] = await Promise.all([
    build({ ...servicesOptions(root, bundling), outdir: out }),
    build({ ...preloadOptions(root), write: false }),
    build({ ...telemetryOptions(root, version), write: false }),
  ])
  const textOf = ({ outputFiles }: { outputFiles: OutputFile[] }) => outputFiles.map(({ text }) => text).join('')
  const shared = { 'telemetry.cjs': textOf(preload), 'telemetry-sdk.cjs': textOf(telemetry) }
  const preloaded = await bundledPackages(Object.values(telemetry.metafile.outputs)[0])
  for (const service of services) {
    const folder = join(out, service)
    const output = Object.entries(metafile.outputs).find(([file]) => join(root, file) === join(folder, 'main.cjs'))?.[1]
    const files = Object.keys(output?.inputs ?? {})
    const packages = await withDependencies(await externalsOf(metafile, files))
    for (const [name, text] of Object.entries(shared)) await writeFile(join(folder, name), text)
    // The images copy this folder, which a tool leaves empty.
    await mkdir(join(folder, 'node_modules'), { recursive: true })
    for (const each of packages) await copyPackage(each, folder)
    await copyAssets(files, folder)
    if (service === 'gateway' && documentation)
      await cp(documentation, join(folder, 'documentation'), { recursive: true })
    const inside = [...packages, ...(await bundledPackages(output)), ...preloaded]
    const { description = '' } = await readManifest(join(root, folderOf(service)))
    const bill = billOfMaterials({ service, version, description }, distinct(inside))
    await writeFile(join(folder, 'sbom.cdx.json'), bill)
    await forgetTimes(folder)
  }
}

async function externalsOf({ inputs }: Metafile, files: readonly string[]): Promise<Package[]> {
  const found = files.flatMap((file) =>
    externalPackages
      .filter((name) => inputs[file]?.imports.some(({ external, path }) => external === true && path === name))
      .map((name) => getPackage(name, join(root, file))),
  )
  return distinct(await Promise.all(found))
}

/** Returns the packages that are at least partly in the output. */
export async function bundledPackages(output: Metafile['outputs'][string] | undefined): Promise<Package[]> {
  const files = Object.entries(output?.inputs ?? {}).filter(([, { bytesInOutput }]) => bytesInOutput > 0)
  const folders = new Set(files.map(([file]) => packageFolderOf(join(root, file))))
  return Promise.all([...folders].filter((folder) => folder !== undefined).map(readPackage))
}

/** @throws Error if a source asks `import.meta` where it lies and `assets` does not list it */
async function copyAssets(files: readonly string[], folder: string): Promise<void> {
  for (const file of files.filter((path) => /^(?:services|libs)\//.test(path))) {
    const source = join(root, file)
    const wanted = assets[file]
    if (!wanted && /import\.meta\.(?!main)/.test(await readFile(source, 'utf8')))
      throw new Error(`${file} reads files where it lies: say in deploy/src/images/assets.ts which`)
    for (const name of wanted ?? []) await cp(join(dirname(source), name), join(folder, name))
  }
}

// Layers of images are compared by their bytes, which include file times.
async function forgetTimes(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true })
  for (const path of [...entries.map((entry) => join(folder, entry)), folder]) await utimes(path, 0, 0)
}
