/**
 * The client for Python as it is published, through all services: its wheel in an empty environment. One process runs all errands. The
 * program of its README is killed in mid-write; `clients.deep.test.ts` kills it more often, and the gateway too.
 */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileStore } from '@financial-agents/client/stores/file'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { startReceiver } from '../../../services/notifier/src/receiver.test-helper.ts'
import { beneficiaryOf, serviceAgent } from '../client/agents.ts'
import { walkerOf } from '../client/owner-flow.ts'
import { type Installed, installClient } from '../client-python/installed.ts'
import { killReadmeProgram } from '../client-python/readme-program.ts'
import { folder, provider, proxy, stack } from './stack.ts'

const create = 'POST /v1/beneficiaries'
const scopes = ['beneficiaries:read', 'beneficiaries:write', 'operations:read', 'spending:withdraw']

/** An errand for the Python program, and a line that the program printed. */
type Order = { do: string; scopes?: string[]; [member: string]: unknown }
type Said = { [member: string]: unknown }

const kills = 2

let installed: Installed
let errand: Awaited<ReturnType<typeof startErrands>>

/** Starts the process of the errands. Returns a function that runs one errand, and one that ends the process. */
async function startErrands(python: string) {
  const key = stack.clients.find(({ client_id }) => client_id === 'ines-agent')?.private_key_file
  if (!key) throw new Error('the stack has no key of ines-agent')
  const child = spawn(python, ['-B', join(import.meta.dirname, '../client-python/errands.py')], {
    env: { PATH: process.env['PATH'], API: stack.baseUrl, KEY_FILE: key },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  await once(child, 'spawn')
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    /** Returns every line of the errand. The owner opens each page that the errand shows. */
    run: async (order: Order): Promise<Said[]> => {
      child.stdin.write(`${JSON.stringify({ scopes, ...order })}\n`)
      const said: Said[] = []
      for (;;) {
        const { value, done } = await lines.next()
        if (done) throw new Error(`the process has ended: ${JSON.stringify(said)}`)
        const line = JSON.parse(value) as Said
        said.push(line)
        if ('owner' in line) void walkerOf(stack, 'ines').open(line['url'] as string)
        if ('done' in line || 'error' in line) return said
      }
    },
    stop: () => child.stdin.end(),
  }
}

async function errands(orders: readonly Order[]): Promise<Said[]> {
  const said: Said[] = []
  for (const order of orders) said.push(...(await errand.run(order)))
  return said
}

/** The result of an errand. */
function doneOf(said: Said | undefined): Said {
  if (said?.['done'] === undefined) throw new Error(`the errand failed: ${JSON.stringify(said)}`)
  return said['done'] as Said
}

async function submissions(id: unknown): Promise<number> {
  return (await provider.ledger(String(id))).length
}

export function pythonClient(): void {
  beforeAll(async () => {
    installed = await installClient()
    if (installed.missing === undefined) errand = await startErrands(installed.python)
  })
  beforeEach(({ skip }) => {
    if (installed.missing !== undefined) skip(installed.missing)
  })
  afterAll(() => errand?.stop())

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
      .poll(() => errand.run(wait))
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

  test(`${kills} kills of the README's program, a lost request and a lost answer: one payment for each intent`, () =>
    killReadmeProgram({ python: installed.missing === undefined ? installed.python : '', folder, stack, proxy, kills }))
}
