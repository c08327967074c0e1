/** helm's notes after an installation: the required Secrets, a check that the system is up, and the remaining steps. */

import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { cases, chart, namespace, release } from './cases.ts'
import { containersOf, podsOf } from './manifests.ts'
import { helmTemplate } from './render.ts'
import { needRendered, rendered } from './rendered.ts'
import { toolPath } from './tools.ts'

needRendered()

// helm prints notes only with a cluster, so the test includes them in a template.
const copy = mkdtempSync(join(tmpdir(), 'helm-notes-'))
beforeAll(() => {
  cpSync(chart, copy, { recursive: true })
  const template = 'notes: {{ include (print $.Template.BasePath "/NOTES.txt") . | toJson }}\n'
  writeFileSync(join(copy, 'templates/notes.yaml'), template)
})
afterAll(() => rmSync(copy, { recursive: true }))

async function notesOf(name: string): Promise<string> {
  const more = ['--show-only', 'templates/notes.yaml']
  const options = { helm: toolPath('helm'), values: cases[name] ?? [], folder: copy, more }
  const { code, stdout, stderr } = await helmTemplate(options)
  expect(code, stderr).toBe(0)
  return (parse(stdout) as { notes: string }).notes
}

describe.each(['production', 'development', 'existing-secrets', 'no-console', 'ingress'])('the notes of %s', (name) => {
  test('name every Secret that a pod needs, and what to do next', async () => {
    const notes = await notesOf(name)
    const secrets = podsOf(rendered(name).resources).flatMap(({ spec }) =>
      containersOf(spec).flatMap(({ env = [], envFrom = [] }) => [
        ...env.flatMap(({ valueFrom }) => valueFrom?.secretKeyRef?.name ?? []),
        ...envFrom.flatMap(({ secretRef }) => secretRef?.name ?? []),
      ]),
    )
    expect([...new Set(secrets)].filter((secret) => !notes.includes(secret))).toEqual([])
    expect(notes).toContain('create-secrets')
    expect(notes).toContain(`helm test ${release} -n ${namespace}`)
    expect(notes).not.toMatch(/<no value>|%!|map\[/)
  })
})
