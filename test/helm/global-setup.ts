/**
 * Finds the programs that these tests need, builds missing ones, and has helm render every case once. All of this runs
 * while tests of other projects run, and does not delay them. Each finished part is noted in a folder that the test
 * files read.
 */

import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getTool, type Tool } from '@financial-agents/servers/get-tool'
import { getResourceDefinitions } from '@financial-agents/servers/resource-definitions'
import type { ToolName } from '@financial-agents/servers/tool-table'
import type { TestProject } from 'vitest/node'
import { cases } from './cases.ts'
import { failedNote } from './failed-note.ts'
import { parseManifests } from './manifests.ts'
import { helmTemplate, type Run } from './render.ts'
import type { ParsedRun } from './rendered.ts'

/** In the order in which the tests need them. */
const tools: ToolName[] = ['helm', 'promtool', 'starlark', 'kubectl-validate', 'kube-linter', 'kube-score', 'helm4']

const rendersAtOnce = 2

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'helm-tests-'))
  const abort = new AbortController()
  project.provide('prepared', folder)
  const done = prepare(folder, abort.signal).catch(async (error: unknown) => {
    if (abort.signal.aborted) return
    process.stderr.write(`${String(error)}\n`)
    await writeFile(join(folder, failedNote), '{}').catch(() => {})
  })
  return async () => {
    abort.abort()
    await done
    await rm(folder, { recursive: true, force: true })
  }
}

async function prepare(folder: string, signal: AbortSignal): Promise<void> {
  const log = (line: string) => process.stdout.write(`${line}\n`)
  await note(folder, 'resource-definitions', await getResourceDefinitions({ signal }))
  const found = new Map<ToolName, Tool>()
  let rendering: Promise<void> | undefined
  for (const name of tools) {
    const tool = await getTool(name, { log, signal, fetch: isFetched(name, found) })
    found.set(name, tool)
    await note(folder, name, tool)
    if (name === 'helm' && tool.path !== undefined) rendering = renderAll(folder, tool.path, signal)
  }
  await rendering
}

/** The newer helm is used only if the machine has it, for a comparison with the other one. One linter is enough. */
function isFetched(name: ToolName, found: ReadonlyMap<ToolName, Tool>): boolean {
  if (name === 'kube-score') return found.get('kube-linter')?.missing !== undefined
  return name !== 'helm4'
}

async function renderAll(folder: string, helm: string, signal: AbortSignal): Promise<void> {
  const waiting = Object.entries(cases)
  const work = async () => {
    for (let next = waiting.shift(); next && !signal.aborted; next = waiting.shift()) {
      const [name, values] = next
      await note(folder, `case-${name}`, parsedOf(await helmTemplate({ helm, values })))
    }
  }
  await Promise.all(Array.from({ length: rendersAtOnce }, work))
}

/** Parses once for all test files, because parsing takes a hundred times as long as reading the result. */
function parsedOf(run: Run): ParsedRun {
  if (run.code !== 0) return { ...run, resources: [] }
  try {
    return { ...run, resources: parseManifests(run.stdout) }
  } catch (error) {
    return { ...run, code: 1, stderr: `what helm rendered is not YAML: ${String(error)}`, resources: [] }
  }
}

/** Writes a note in one step, because other processes look for it. */
async function note(folder: string, name: string, content: unknown): Promise<void> {
  const file = join(folder, `${name}.json`)
  await writeFile(`${file}.unfinished`, JSON.stringify(content))
  await rename(`${file}.unfinished`, file)
}
