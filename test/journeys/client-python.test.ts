/**
 * The client for Python as it is published, through all services: its wheel in an empty environment, behind a proxy that loses what a test
 * orders. Its README's program is killed in mid-write; the provider's ledger decides.
 *
 * `CLIENT_KILLS=50` is a long run.
 */

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileStore } from '@financial-agents/client/stores/file'
import { type Child, startChild } from '@financial-agents/servers/child-process'
import { getFreePort } from '@financial-agents/servers/ports'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { startReceiver } from '../../services/notifier/src/receiver.test-helper.ts'
import { ownerOf } from '../owner.test-helper.ts'
import { providerOf, startTestStack, type TestStack } from '../stack.test-helper.ts'
import { beneficiaryOf, serviceAgent } from './client/agents.ts'
import { readerOf, walkerOf } from './client/owner-flow.ts'
import { type Fate, type Proxy, startProxy } from './client/proxy.ts'
import { type Installed, installClient, readmeProgram } from './client-python/installed.ts'

const kills = Number(process.env['CLIENT_KILLS'] ?? 10)
const create = 'POST /v1/beneficiaries'
const payment = 'POST /v1/spending-account/withdrawals'
const scopes = ['beneficiaries:read', 'beneficiaries:write', 'operations:read', 'spending:withdraw']

/** An errand for the Python program, and a line that the program printed. */
type Order = { do: string; scopes?: string[]; [member: string]: unknown }
type Said = { [member: string]: unknown }

let installed: Installed
let stack: TestStack
let proxy: Proxy
let provider: ReturnType<typeof providerOf>
let folder: string

beforeAll(async () => {
  installed = await installClient()
  if (installed.missing !== undefined) return
  const [port, gatewayPort] = [await getFreePort(), await getFreePort()]
  folder = await mkdtemp(join(tmpdir(), 'financial-agents-client-python-'))
  stack = await startTestStack({
    processes: ['gateway', 'beneficiaries'],
    port,
    enabledCapabilities: ['transfers.execute'],
    environment: { gateway: { PORT: String(gatewayPort) } },
  })
  proxy = await startProxy(port, gatewayPort)
  provider = providerOf(stack)
})
beforeEach(({ skip }) => {
  if (installed.missing !== undefined) skip(installed.missing)
})
afterEach(() => provider?.clearFaults())
afterAll(async () => {
  await proxy?.close()
  await stack?.close()
  if (folder) await rm(folder, { recursive: true })
})

function client(): Exclude<Installed, { missing: string }> {
  if (installed.missing !== undefined) throw new Error(installed.missing)
  return installed
}

async function startPython(args: readonly string[], env: Record<string, string>, onLine: (line: string) => void) {
  const read = readerOf(/(?:"url": "|url=')(http\S+?)["']/, walkerOf(stack, 'ines').open)
  return startChild('python', client().python, args, {
    cwd: folder,
    env: { PATH: process.env['PATH'], API: stack.baseUrl, PYTHONUNBUFFERED: '1', ...env },
    onLine: (line) => {
      if (!line.includes('"done"')) read(line)
      onLine(line)
    },
  })
}

/** Runs errands in one process, one after the other; returns every line that they said. */
async function errands(orders: readonly Order[], env: Record<string, string> = {}): Promise<Said[]> {
  const key = stack.clients.find(({ client_id }) => client_id === 'ines-agent')?.private_key_file
  if (!key) throw new Error('the stack has no key of ines-agent')
  const said: string[] = []
  const child = await startPython(
    [join(import.meta.dirname, 'client-python/errands.py')],
    { KEY_FILE: key, ORDERS: JSON.stringify(orders.map((order) => ({ scopes, ...order }))), ...env },
    (line) => said.push(line),
  )
  const { code } = await child.exited
  expect(code, said.join('\n')).toBe(0)
  return said.map((line) => JSON.parse(line) as Said)
}

/** The result of an errand. */
function doneOf(said: Said | undefined): Said {
  if (said?.['done'] === undefined) throw new Error(`the errand failed: ${JSON.stringify(said)}`)
  return said['done'] as Said
}

async function submissions(id: unknown): Promise<number> {
  return (await provider.ledger(String(id))).length
}

describe('over the system', () => {
  test('reads go through pages, and raw responses are as the API sent them', async () => {
    const [said] = await errands([{ do: 'look', scopes: ['activity:read', 'accounts:read', 'operations:read'] }])
    expect(doneOf(said)).toMatchObject({
      page: 3,
      seen: 8,
      request_id: expect.any(String),
      raw: [404, 'application/problem+json'],
      open: true,
    })
  })

  test('a lost answer and a lost request are repeated with the same key: one operation, one submission', async () => {
    for (const fate of ['lost_answer', 'lost_request'] as const) {
      proxy.order(create, fate)
      const [said] = await errands([{ do: 'create', name: fate }])
      expect(doneOf(said)).toMatchObject({ status: 'succeeded' })
      expect(await submissions(doneOf(said)['id'])).toBe(1)
    }
  })

  test('refusals name fields and free the intent; outcomes are told apart, and uncertainty is none of them', async () => {
    await provider.fault('refuse', 'Refused')
    await provider.fault('drop_before_accept', 'Dropped')
    const store = join(folder, 'refusals')
    const said = await errands([
      { do: 'create', name: 'Typo', store, body: { details: { iban: 'PT5' } } },
      { do: 'create', name: 'Typo', store },
      { do: 'create', name: 'Typo', store, body: { nickname: 'Other' } },
      { do: 'create', name: 'Refused' },
      { do: 'payee', name: 'Nobody', details: { sort_code: '1' } },
    ])
    expect(said).toEqual([
      {
        error: 'validation_failed',
        uncertain: false,
        fields: ['details.iban'],
        request_id: expect.any(String),
        retryable: false,
      },
      { done: { id: expect.any(String), status: 'succeeded', code: null } },
      { error: 'intent_conflict', uncertain: false, message: expect.stringContaining('use a new intent') },
      { done: { id: expect.any(String), status: 'failed', code: 'provider_refused' } },
      { error: 'invalid_use', uncertain: false, message: expect.stringContaining('sepa_pt_eur (iban') },
    ])
    const wait = { do: 'create', name: 'Dropped', store, timeout: 1 }
    await expect
      .poll(() => errands([wait]))
      .toEqual([{ done: { id: expect.any(String), status: 'indeterminate', code: null } }])
  })

  test('an owner confirms an allowance and approves it, and it pays within its caps', async () => {
    const until = new Date(Date.now() + 30 * 86_400_000).toISOString()
    const wanted = [...scopes, 'authorization:read']
    const said = await errands([{ do: 'allow', name: 'Allowed', scopes: wanted, until }])
    const [first, ...others] = said.filter(({ owner }) => owner !== undefined).map(({ owner }) => owner)
    expect(first).toBe('confirmation')
    expect(others.every((kind) => kind === 'approval')).toBe(true)
    const [allowance, paid, refused] = said.filter(({ owner }) => owner === undefined)
    expect(allowance).toEqual({ allowance: 'active', caps: ['40.00', '100.00'] })
    expect(paid?.['paid']).toEqual(['succeeded', 'succeeded'])
    const [id, again] = (paid?.['ids'] ?? []) as string[]
    expect(again).toBe(id)
    expect(await submissions(id)).toBe(1)
    expect(refused).toMatchObject({ error: 'mandate_cap_exceeded' })
  })

  test('without a callback the outcome shows the approval', async () => {
    // Ines approves transfers above 500 EUR.
    const [said] = await errands([{ do: 'pay', amount: '500.01', asks: false }])
    const { status, id, url } = doneOf(said) as { status: string; id: string; url: string }
    expect(status).toBe('needs_owner')
    await walkerOf(stack, 'ines').open(url)
    expect(await errands([{ do: 'wait', id }])).toEqual([{ done: { status: 'succeeded' } }])
  })

  test('one intent in one store is one write in Python and in TypeScript', async () => {
    const name = 'Shared'
    const store = join(folder, 'shared')
    const [said] = await errands([{ do: 'create', name, store }])
    const agent = await serviceAgent(stack, { store: fileStore(store) })
    const same = await agent.beneficiaries.create(beneficiaryOf(name), { intent: name })
    expect(same.id).toBe(doneOf(said)['id'])
    // Without the store, the key is the same.
    const [stranger] = await errands([{ do: 'create', name }])
    expect(doneOf(stranger)['id']).toBe(same.id)
  })

  test('a delivered webhook is verified by its secret and by the published key', async () => {
    const receiver = await startReceiver()
    try {
      const agent = await serviceAgent(stack)
      const { secret } = await agent.webhooks.create({ url: `${receiver.url}/hook` })
      const operation = await agent.beneficiaries.create(beneficiaryOf('Webhook'), { intent: 'webhook' })
      await vi.waitFor(() => expect(receiver.received.length).toBeGreaterThan(0), { timeout: 120_000 })
      const { headers, body } = receiver.received[0] as (typeof receiver.received)[number]
      const [said] = await errands([{ do: 'verify', secret, headers, body }])
      const verified = [headers['webhook-id'], operation.id]
      expect(doneOf(said)).toEqual({ told: [verified, 'webhook_invalid', verified, 'webhook_invalid'] })
    } finally {
      await receiver.stop()
    }
  })

  test('the end of access by the owner is reported, and nobody is asked again', async () => {
    const device = { do: 'operations', device: true, store: join(folder, 'device') }
    expect(await errands([device])).toEqual([expect.objectContaining({ owner: 'sign_in' }), { done: { count: 0 } }])
    const ines = ownerOf(stack, 'ines')
    await ines.press(await ines.read(`${stack.baseUrl}/account`), /^end access|^remove|^revoke/i)
    const [first, second] = await errands([device, device])
    expect(first).toMatchObject({ error: 'access_ended', message: expect.stringContaining('agent.sign_in()') })
    expect(second).toEqual(first)
  })
})

describe('the program of the README', () => {
  /** Starts it for one intent. The owner opens what it shows. */
  async function start(intent: string, amount: string): Promise<Child> {
    const program = (await readmeProgram()).replaceAll('rent-2026-11', intent).replaceAll('"12.50"', `"${amount}"`)
    await writeFile(join(folder, 'program.py'), program)
    return startPython(['program.py'], {}, () => {})
  }

  /** Runs it to its end; returns what it printed last. */
  async function finish(intent: string, amount: string): Promise<string> {
    const program = await start(intent, amount)
    const { code } = await program.exited
    if (code !== 0) throw new Error(`the program ended with ${code}: ${program.lastLines(20).join('\n')}`)
    return program.lastLines(1).join('')
  }

  test('is eight lines', async () => {
    expect((await readmeProgram()).trim().split('\n')).toHaveLength(8)
  })

  test(`${kills} kills of it, lost requests, lost answers and dead gateways: one payment for each intent`, async () => {
    const fates: Fate[] = ['lost_answer', 'lost_request']
    const before = (await provider.ledger()).filter(({ kind }) => kind === 'transfer').length
    const operations = [await finish('rent-0', '1.00')]
    for (let kill = 1; kill <= kills; kill += 1) {
      const [intent, amount] = [`rent-${kill}`, `1.${String(kill).padStart(2, '0')}`]
      const program = await start(intent, amount)
      const decided = new Promise<void>((resolve) => proxy.order(payment, fates[kill % 2] as Fate, resolve))
      await Promise.race([decided, program.exited])
      const killsGateway = kill % 5 === 0
      if (killsGateway) await stack.kill('gateway')
      await program.kill()
      if (killsGateway) await stack.start('gateway')
      // The answer of the repetition is lost too.
      if (kill % 4 === 0) proxy.order(payment, 'lost_answer')
      operations.push(await finish(intent, amount))
    }
    expect(operations.filter((line) => !/^succeeded [0-9a-f-]{36}$/.test(line))).toEqual([])
    expect(new Set(operations).size).toBe(kills + 1)
    const transfers = (await provider.ledger()).filter(({ kind }) => kind === 'transfer')
    expect(transfers).toHaveLength(before + kills + 1)
    const ids = new Set(transfers.map((entry) => `succeeded ${entry.client_reference}`))
    expect(operations.filter((line) => !ids.has(line))).toEqual([])
  })
})
