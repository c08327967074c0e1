/**
 * The size and the import of the published client, beside another payment API's (increase). The size is that of the README's
 * program with all it imports, gzipped. The time is that of a cold import less that of an empty module, in a process of its
 * own.
 */

import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { packageFolder, readmeProgram } from '../journeys/client/packed.ts'
import { say } from './measure.ts'
import type { Figures } from './targets.ts'

const imports = 9

const reads = `import Increase from 'increase'
const client = new Increase({ apiKey: 'none' })
for await (const account of client.accounts.list()) console.log(account.id)
await client.achTransfers.create({ account_id: 'a', amount: 1, statement_descriptor: 'rent' })`

/** Measures both clients. */
export async function benchClient(): Promise<Figures> {
  execFileSync(process.execPath, [join(packageFolder, 'build.ts')])
  const folder = await mkdtemp(join(tmpdir(), 'financial-agents-client-'))
  await symlink(join(import.meta.dirname, '../node_modules'), join(folder, 'node_modules'))
  try {
    const ours = await sizeOf(folder, await readmeProgram())
    const theirs = await sizeOf(folder, reads)
    say(
      `client: a program that reads and pays  ${kB(ours)} kB gzipped (increase ${kB(theirs)} kB, ${(theirs / ours).toFixed(1)} times)`,
    )
    const empty = await importMs(folder, undefined)
    const clientImportMs = (await importMs(folder, '@financial-agents/client')) - empty
    const increaseMs = (await importMs(folder, 'increase')) - empty
    say(
      `client: cold import                    ${clientImportMs.toFixed(1)} ms (increase ${increaseMs.toFixed(1)} ms)\n`,
    )
    return { clientKb: ours / 1_000, clientImportMs }
  } finally {
    await rm(folder, { recursive: true })
  }
}

const kB = (bytes: number) => (bytes / 1_000).toFixed(2)

async function sizeOf(folder: string, program: string): Promise<number> {
  const entry = join(folder, 'program.mjs')
  await writeFile(entry, program)
  const bundled = await build({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    target: 'es2022',
    write: false,
  })
  return gzipSync(bundled.outputFiles[0]?.contents ?? '', { level: 9 }).length
}

/** The median of cold imports, each in a new process. */
async function importMs(folder: string, name: string | undefined): Promise<number> {
  const entry = join(folder, 'import.mjs')
  await writeFile(join(folder, 'empty.mjs'), '')
  const module = JSON.stringify(name ?? './empty.mjs')
  await writeFile(
    entry,
    `const begun = performance.now(); await import(${module}); console.log(performance.now() - begun)`,
  )
  const times = Array.from({ length: imports }, () =>
    Number(execFileSync(process.execPath, [entry], { encoding: 'utf8' })),
  )
  return times.toSorted((a, b) => a - b)[Math.floor(imports / 2)] ?? Number.NaN
}
