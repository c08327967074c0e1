/** The rendered output of each case, shared by all test files. The project's set-up runs helm and parses what it writes. */

import type { ToolName } from '@financial-agents/servers/tool-table'
import { beforeAll, expect } from 'vitest'
import { cases } from './cases.ts'
import { idOf, type Resource } from './manifests.ts'
import type { Run } from './render.ts'
import { needTools, prepared } from './tools.ts'

/** The output of helm for one case, with its resources as data. */
export type ParsedRun = Run & { resources: Resource[] }

export type Rendered = { name: string; text: string; resources: Resource[] }

const parsed = new Map<string, Rendered>()

/** helm's error messages for cases that it did not render. A test of `renders.test.ts` fails for them. */
export const failures = new Map<string, string>()

/** Call this at the top of a file. Its tests then have every rendered case, and are skipped without helm. */
export function needRendered(...tools: ToolName[]): void {
  needTools('helm', ...tools)
  beforeAll(async () => {
    const helm = await prepared<{ missing?: string }>('helm')
    if (helm.missing !== undefined) return
    for (const name of Object.keys(cases)) {
      const { code, stdout, stderr, resources } = await prepared<ParsedRun>(`case-${name}`)
      if (code === 0) parsed.set(name, { name, text: stdout, resources })
      else failures.set(name, stderr)
    }
  })
}

export function rendered(name: string): Rendered {
  const found = parsed.get(name)
  if (!found) throw new Error(`there is no case ${name} that helm renders, or the file does not say needRendered()`)
  return found
}

export const allRendered = (): Rendered[] => [...parsed.values()]

export const bothProfiles = (): Rendered[] => ['production', 'development'].map(rendered)

/** Returns a resource by its id, such as `Deployment/fa-gateway`. */
export function resourceOf({ name, resources }: Rendered, id: string): Resource {
  const resource = resources.find((candidate) => idOf(candidate) === id)
  if (!resource) throw new Error(`${name} has no ${id}`)
  return resource
}

/** Fails with one line for each finding. */
export function expectNone(findings: readonly string[]): void {
  expect([...new Set(findings)].join('\n')).toBe('')
}
