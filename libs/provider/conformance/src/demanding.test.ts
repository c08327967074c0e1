/**
 * The kit against a provider that demands authentication: by token and proof, by client certificate, by signature, and
 * by all three. Every request proves its sender, and the cases of an application without proof run too.
 */

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { operationKinds } from '@financial-agents/contract/kinds'
import { readAuthentication } from '@financial-agents/provider-http/authentication-variables'
import { createSameClockAdapter } from '@financial-agents/provider-http/testing/same-clock'
import { startChild } from '@financial-agents/servers/child-process'
import { type FakeProvider, startFakeProvider } from '@financial-agents/testkit/fake-provider'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Demanding, type Demands, startDemanding } from './demanding.test-helper.ts'
import { runCases } from './run.ts'

let fake: FakeProvider
beforeAll(async () => {
  fake = await startFakeProvider({ executesRepeats: false })
})
afterAll(() => fake.stop())

const proves = /of an application that proves nothing/
const run = (demanding: Demanding, isWanted: (name: string) => boolean) =>
  runCases({
    url: demanding.url,
    open: createSameClockAdapter,
    kinds: operationKinds,
    authentication: readAuthentication(demanding.variables),
    isWanted,
  })

const each: [string, Demands, string[]][] = [
  // Without a client certificate no request arrives, so the front refuses none.
  ['all three', { tls: true, token: true, signature: true }, []],
  ['private_key_jwt and DPoP', { token: true }, ['no token']],
  ['mutual TLS', { tls: true }, []],
  ['signatures', { signature: true }, ['another body than the signed one']],
]

// They run together, because they wait for deadlines.
test.concurrent.each(each)(
  'by %s, one kind passes, and an application that proves nothing is refused',
  async (_, demands, refused) => {
    const behind = await startFakeProvider({ executesRepeats: false })
    const demanding = await startDemanding(behind.url, demands)
    try {
      const results = await run(demanding, (name) => name.startsWith('transfer: '))
      expect(results.filter(({ outcome }) => outcome === 'failed')).toEqual([])
      expect(results.filter(({ name }) => proves.test(name))).toMatchObject([{ outcome: 'passed' }])
      expect(demanding.refused).toEqual(refused)
    } finally {
      await demanding.close()
      await behind.stop()
    }
  },
)

test('a provider that says it demands authentication and does not is caught', async () => {
  const demanding = await startDemanding(fake.url, { signature: true })
  try {
    const authentication = readAuthentication(demanding.variables)
    const isWanted = (name: string) => proves.test(name)
    const given = {
      url: fake.url,
      open: createSameClockAdapter,
      kinds: ['card_create'],
      authentication,
      isWanted,
    } as const
    expect(await runCases(given)).toMatchObject([
      { outcome: 'failed', why: expect.stringContaining('it answered 201') },
    ])
  } finally {
    await demanding.close()
  }
})

test('the command takes keys and certificates from files, and names an option that is missing', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'provider-conformance-'))
  const demanding = await startDemanding(fake.url, { tls: true, token: true, signature: true })
  try {
    const args: string[] = []
    for (const [variable, value] of Object.entries(demanding.variables)) {
      const option = `--${variable.toLowerCase().replaceAll('_', '-')}`
      const file = join(folder, variable)
      if (value.startsWith('-----')) await writeFile(file, value)
      args.push(option, value.startsWith('-----') ? file : value)
    }
    const command = async (given: readonly string[]) => {
      const main = join(import.meta.dirname, 'main.ts')
      const only = ['--only', 'card_close: what is executed']
      const child = await startChild('kit', process.execPath, [main, '--url', demanding.url, ...only, ...given])
      const { code } = await child.exited
      return { code, said: child.lastLines(20).join('\n') }
    }
    expect(await command(args)).toMatchObject({ code: 0, said: expect.stringContaining('It conforms.') })
    const lacking = args.slice(0, args.indexOf('--tls-key'))
    expect(await command(lacking)).toMatchObject({
      code: 2,
      said: expect.stringContaining('--tls-key: is needed with --tls-certificate'),
    })
    expect(await command([])).toMatchObject({ code: 1, said: expect.stringContaining('nothing answers at') })
  } finally {
    await demanding.close()
    await rm(folder, { recursive: true })
  }
})
