/** Clients in TypeScript: generated into a folder, compiled with this repository's strictness, and run by Node. */

import { copyFile, mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Program, run } from './run.ts'

const root = join(import.meta.dirname, '../..')
const modules = join(root, 'test/node_modules')

/** Generates the sources of a client from the document: the folder or the file `generated`. */
export type Generate = (document: string, folder: string) => Promise<void>

const node = (script: string, ...args: string[]): Program => ({
  command: process.execPath,
  args: [script, ...args],
  cwd: root,
})

/** openapi-typescript: types for openapi-fetch. */
export const byOpenapiTypescript: Generate = async (document, folder) => {
  const script = join(modules, 'openapi-typescript/bin/cli.js')
  await run(node(script, document, '-o', join(folder, 'generated.ts')))
}

/** @hey-api/openapi-ts: types and functions over `fetch`. */
export const byHeyApi: Generate = async (document, folder) => {
  const script = join(modules, '@hey-api/openapi-ts/bin/run.js')
  await run(node(script, '-i', document, '-o', join(folder, 'generated'), '--silent'))
}

/** Strict compiler options that the runtime code of a generator does not satisfy. */
type Looser = { exactOptionalPropertyTypes?: false; noUncheckedIndexedAccess?: false; noUnusedLocals?: false }

/** Generates a client, and compiles it together with the program that uses it. Returns the program. */
export async function buildTypescript(
  folder: string,
  given: { document: string; program: string; generate: Generate; looser?: Looser },
): Promise<Program> {
  await mkdir(folder, { recursive: true })
  await symlink(modules, join(folder, 'node_modules'))
  for (const name of [given.program, 'dpop-fetch.ts'])
    await copyFile(join(import.meta.dirname, 'programs', name), join(folder, name))
  await given.generate(given.document, folder)
  const compilerOptions = {
    noEmit: false,
    outDir: 'out',
    rootDir: '.',
    lib: ['esnext', 'dom', 'dom.iterable'],
    types: ['node'],
    typeRoots: [join(root, 'node_modules/@types')],
    // Generators write imports without file extensions, which Node accepts only in CommonJS.
    module: 'commonjs',
    moduleResolution: 'bundler',
    verbatimModuleSyntax: false,
    erasableSyntaxOnly: false,
    allowImportingTsExtensions: false,
    ...given.looser,
  }
  const config = { extends: join(root, 'tsconfig.json'), compilerOptions, include: ['*.ts', 'generated'], exclude: [] }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config))
  await writeFile(join(folder, 'package.json'), '{ "type": "commonjs" }')
  await run({ command: join(root, 'node_modules/.bin/tsc'), args: ['-p', folder], cwd: folder })
  const compiled = join('out', given.program.replace(/\.ts$/, '.js'))
  return { command: process.execPath, args: [compiled], cwd: folder }
}
