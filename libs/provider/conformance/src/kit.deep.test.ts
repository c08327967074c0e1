/** The whole kit: against the fake provider and the one in Python, which share no code, and against one that demands authentication. */

import { operationKinds } from '@financial-agents/contract/kinds'
import { createHttpAdapter } from '@financial-agents/provider-http/adapter'
import { readAuthentication } from '@financial-agents/provider-http/authentication-variables'
import { startFakeProvider } from '@financial-agents/testkit/fake-provider'
import { hasPython, startPythonProvider } from '@financial-agents/testkit/python-provider'
import { expect, test } from 'vitest'
import { startDemanding } from './demanding.test-helper.ts'
import { type RunOptions, runCases } from './run.ts'

async function validate(url: string, more: Partial<RunOptions> = {}) {
  const results = await runCases({ url, open: createHttpAdapter, kinds: operationKinds, ...more })
  expect(results.filter(({ outcome }) => outcome === 'failed')).toEqual([])
  expect(results.length).toBeGreaterThan(400)
  return results
}

test('the fake provider conforms', async () => {
  const fake = await startFakeProvider({ executesRepeats: false })
  try {
    await validate(fake.url)
  } finally {
    await fake.stop()
  }
})

// The provider in Python needs python3 3.9 with sqlite3, which not every machine has.
test.skipIf(!hasPython())('a provider that was written from the document in another language conforms', async () => {
  const python = await startPythonProvider()
  try {
    await validate(python.url)
  } finally {
    await python.stop()
  }
})

const proves = /of an application that proves nothing/

test('a provider conforms that demands token and proof, mutual TLS and signed requests', async () => {
  const fake = await startFakeProvider({ executesRepeats: false })
  const demanding = await startDemanding(fake.url, { tls: true, token: true, signature: true })
  try {
    const results = await validate(demanding.url, { authentication: readAuthentication(demanding.variables) })
    expect(results.filter(({ name, outcome }) => proves.test(name) && outcome === 'passed')).toHaveLength(
      operationKinds.length,
    )
    expect(demanding.countAdmitted()).toBeGreaterThan(400)
    // Without a client certificate no request arrives, so the front refused none.
    expect(demanding.refused).toEqual([])
  } finally {
    await demanding.close()
    await fake.stop()
  }
})
