/**
 * The published clients while the gateway or a service dies, freezes or limits them, on a stack that gives these processes of their own.
 * The provider's ledger decides.
 */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getFreePort } from '@financial-agents/servers/ports'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { providerOf, startTestStack, type TestStack, usualDeadline } from '../stack.test-helper.ts'
import { beneficiaryOf, sent, serviceAgent } from './client/agents.ts'
import { type Proxy, startProxy } from './client/proxy.ts'
import { installClient } from './client-python/installed.ts'
import { killReadmeProgram } from './client-python/readme-program.ts'

const create = 'POST /v1/beneficiaries'

let stack: TestStack
let proxy: Proxy
let folder: string

beforeAll(async () => {
  const [port, gatewayPort] = [await getFreePort(), await getFreePort()]
  folder = await mkdtemp(join(tmpdir(), 'financial-agents-clients-'))
  stack = await startTestStack({
    processes: ['gateway', 'beneficiaries'],
    port,
    enabledCapabilities: ['transfers.execute'],
    environment: { gateway: { PORT: String(gatewayPort) } },
  })
  proxy = await startProxy(port, gatewayPort)
})
afterAll(async () => {
  await proxy?.close()
  await stack?.close()
  await rm(folder, { recursive: true, force: true })
})

test('a write that the API itself does not know is looked for by its key before anything is sent again', async () => {
  await stack.stopService('gateway')
  await stack.start('gateway', usualDeadline)
  onTestFinished(async () => {
    await stack.stopService('gateway')
    await stack.start('gateway')
  })
  const agent = await serviceAgent(stack, { attemptTimeoutMs: 60_000 })
  await agent.operations.list()
  // The gateway waits for a service that does not answer: 503 acceptance_unknown.
  const frozen = (stack.processes.get('beneficiaries') ?? []).map(({ child }) => child)
  for (const child of frozen) child.signal('SIGSTOP')
  const operation = agent.beneficiaries.create(beneficiaryOf('Unknown'), { intent: 'unknown' })
  await expect.poll(() => sent(agent).join(), { timeout: 120_000 }).toContain(`${create} 503`)
  for (const child of frozen) child.signal('SIGCONT')
  expect((await (await operation).wait()).status).toBe('succeeded')
  const asked = sent(agent)
  const afterwards = asked.slice(asked.indexOf(`${create} 503`))
  // On a busy machine, other requests are repeated too.
  const isFinal = (line: string) => !line.startsWith('repeating') && !line.endsWith(' 503')
  expect(afterwards.find(isFinal)).toBe('GET /v1/operations 200')
  expect(await providerOf(stack).ledger((await operation).id)).toHaveLength(1)
})

test('a request limit is waited out as the API says', async () => {
  await stack.stopService('gateway')
  await stack.start('gateway', { GRANT_RATE_PER_S: '1', GRANT_BURST: '3' })
  try {
    const agent = await serviceAgent(stack)
    let requests = 0
    // A slow machine sends the first ones within the allowance.
    while (!sent(agent).includes('repeating: rate_limited')) {
      await Promise.all(Array.from({ length: 6 }, () => agent.operations.list()))
      requests += 6
    }
    expect(sent(agent).filter((line) => line.endsWith(' 200'))).toHaveLength(requests)
    const waits = agent.log.flatMap((entry) =>
      'reason' in entry && entry.reason === 'rate_limited' ? [entry.afterMs] : [],
    )
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(1_000)
  } finally {
    await stack.stopService('gateway')
    await stack.start('gateway')
  }
})

test('10 kills of the program of the README in Python, lost messages and dead gateways: one payment for each intent', async ({
  skip,
}) => {
  const installed = await installClient()
  skip(installed.missing !== undefined, installed.missing)
  if (installed.missing === undefined)
    await killReadmeProgram({ python: installed.python, folder, stack, proxy, kills: 10, gatewayDiesEvery: 5 })
})
