/**
 * The packages of a bundle, and the packages that are not bundled because OpenTelemetry patches them by name. The
 * latter are copied with all their dependencies, flat, without types, tests and documents.
 */

import { cp, mkdir, readFile, realpath } from 'node:fs/promises'
import { findPackageJSON } from 'node:module'
import { basename, dirname, extname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

export type Package = { name: string; version: string; folder: string; manifest: Manifest }

/** The members of a package.json that are read. */
export type Manifest = {
  name?: string
  version?: string
  license?: string
  description?: string
  dependencies?: Record<string, string>
}

const kept = new Set(['.js', '.cjs', '.mjs', '.json'])
const leftOut = /^(?:tests?|docs?|examples?|bench(?:marks?)?|node_modules|tsconfig.*)$|^\.|\.(?:test|spec)\./

export async function readManifest(folder: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest
}

/**
 * Returns the package `name` as the file `from` resolves it.
 * @throws Error if it is not installed
 */
export async function getPackage(name: string, from: string): Promise<Package> {
  const file = findPackageJSON(name, pathToFileURL(from))
  if (file === undefined) throw new Error(`${name} is not installed for ${from}`)
  return readPackage(dirname(file))
}

/** Returns the folder of the package that a file belongs to, or undefined for a file of this repository. */
export function packageFolderOf(file: string): string | undefined {
  return /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file)?.[0]
}

/** Reads the package in a folder of `node_modules`. */
export async function readPackage(folder: string): Promise<Package> {
  const manifest = await readManifest(folder)
  const name = folder.split('/node_modules/').at(-1) ?? ''
  return { name, version: manifest.version ?? '', folder: await realpath(folder), manifest }
}

export function distinct(packages: readonly Package[]): Package[] {
  return [...new Map(packages.map((each) => [`${each.name}@${each.version}`, each])).values()]
}

/**
 * Returns these packages and all their dependencies.
 * @throws Error if a package would be needed in two versions
 */
export async function withDependencies(packages: readonly Package[]): Promise<Package[]> {
  const found = new Map<string, Package>()
  const add = async (each: Package): Promise<void> => {
    const other = found.get(each.name)
    if (other && other.version !== each.version)
      throw new Error(`${each.name} is needed in two versions: ${other.version} and ${each.version}`)
    if (other) return
    found.set(each.name, each)
    const from = join(each.folder, 'package.json')
    for (const name of Object.keys(each.manifest.dependencies ?? {})) await add(await getPackage(name, from))
  }
  for (const each of packages) await add(each)
  return [...found.values()]
}

/** Copies the files that a package needs to run, and its licence, to `node_modules` of `folder`. */
export async function copyPackage({ name, folder: source }: Package, folder: string): Promise<void> {
  const target = join(folder, 'node_modules', name)
  await mkdir(target, { recursive: true })
  await cp(source, target, { recursive: true, filter: (path) => path === source || isKept(basename(path)) })
}

// Folders have no extension. Other names without one are licences and read-me files, which are small.
function isKept(name: string): boolean {
  return !leftOut.test(name) && (kept.has(extname(name)) || extname(name) === '' || /^licen[cs]e/i.test(name))
}
