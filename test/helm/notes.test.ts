/** What helm says after an installation: which Secrets have to be there, how to see whether it is up, and what is not done yet. */

import { describe, expect, test } from 'vitest'
import { cases, chart, namespace, release } from './cases.ts'
import { containersOf, podsOf } from './manifests.ts'
import { helmTemplate, run, usualKubeVersion } from './render.ts'
import { needRendered, rendered } from './rendered.ts'
import { toolPath } from './tools.ts'

needRendered()

async function notesOf(name: string): Promise<string> {
  const values = (cases[name] ?? []).flatMap((file) => ['--values', file])
  const options = ['--dry-run=client', '--namespace', namespace, '--kube-version', usualKubeVersion]
  const helm = toolPath('helm')
  const { stdout, stderr } = await run(helm, ['install', release, chart, ...options, ...values])
  expect(stdout, stderr).toContain('\nNOTES:\n')
  return stdout.slice(stdout.indexOf('\nNOTES:\n'))
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

test('helm template prints none of it', async () => {
  const { stdout } = await helmTemplate({ helm: toolPath('helm'), values: cases['production'] ?? [] })
  expect(stdout).not.toContain('NOTES')
})
