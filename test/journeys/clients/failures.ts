/**
 * The client's behaviour in failures, through all services behind a proxy that loses the messages that a test names:
 * lost answers, a time without network, wrong clocks, old intents, an owner who ended the access. The client
 * repairs the failure or says what to do.
 */

import { join } from 'node:path'
import { FinancialAgents, type FinancialAgentsOptions, memoryStore } from '@financial-agents/client'
import { device } from '@financial-agents/client/auth/device'
import { fileStore } from '@financial-agents/client/stores/file'
import { describe, expect, test, vi } from 'vitest'
import { ownerOf } from '../../owner.test-helper.ts'
import { beneficiaryOf, payeeOf, scopes, sent, serviceAgent } from '../client/agents.ts'
import { walkerOf } from '../client/owner-flow.ts'
import { folder, provider, proxy, stack } from './stack.ts'

const hourMs = 3_600_000
const create = 'POST /v1/beneficiaries'

/** Moves this process's clock, and not that of the stack. */
function moveClock(offsetMs: number): void {
  const now = Date.now.bind(Date)
  vi.spyOn(Date, 'now').mockImplementation(() => now() + offsetMs)
}

/**
 * Changes the Date of answers to that of a server with a moved clock. Node writes Date, so moving a service's clock has
 * no effect on it.
 */
const dated =
  (offsetMs: number): NonNullable<FinancialAgentsOptions['fetch']> =>
  async (url, init) => {
    const { body, headers, status } = await fetch(url, init)
    const moved = new Headers(headers)
    moved.set('date', new Date(Date.now() + offsetMs).toUTCString())
    return new Response(body, { status, headers: moved })
  }

async function submissions(operationId: string): Promise<number> {
  return (await provider.ledger(operationId)).length
}

export function failures(): void {
  describe('a lost answer', () => {
    test('of a write is asked for again with the same key: one operation, one submission', async () => {
      const agent = await serviceAgent(stack)
      proxy.order(create, 'lost_answer')
      const operation = await agent.beneficiaries.create(beneficiaryOf('Lost'), { intent: 'lost' })
      expect(sent(agent)).toEqual(['repeating: unanswered', 'POST /v1/beneficiaries 202'])
      expect((await operation.wait()).status).toBe('succeeded')
      expect(await submissions(operation.id)).toBe(1)
    })
  })

  describe('a time without network', () => {
    test('ends a write with an error that says what to do; the same intent then finds or makes the one write', async () => {
      const store = fileStore(join(folder, 'offline'))
      const agent = await serviceAgent(stack, { store, retryForMs: 300 })
      await agent.operations.list()
      proxy.order(create, 'lost_answer', () => {
        proxy.away = true
      })
      const write = () => agent.beneficiaries.create(beneficiaryOf('Offline'), { intent: 'offline' })
      await expect(write()).rejects.toMatchObject({
        code: 'unreachable',
        submissionUncertain: true,
        message: expect.stringContaining('call again with the same intent within 24 hours'),
      })
      proxy.away = false
      const again = await (await serviceAgent(stack, { store })).beneficiaries.create(beneficiaryOf('Offline'), {
        intent: 'offline',
      })
      expect((await again.wait()).status).toBe('succeeded')
      expect(await submissions(again.id)).toBe(1)
      expect((await write()).id).toBe(again.id)
    })

    test('during a wait is no failure: the wait goes on, and at its end the operation is still running', async () => {
      const agent = await serviceAgent(stack)
      await provider.fault('settle_later', 'Slow')
      const operation = await agent.beneficiaries.create(beneficiaryOf('Slow'), { intent: 'slow' })
      await expect.poll(async () => (await operation.refresh()).state).toBe('submitted')
      proxy.away = true
      expect((await operation.wait({ timeoutMs: 1_000 })).status).toBe('still_running')
      proxy.away = false
      const waiting = operation.wait()
      await provider.settle(operation.id, 'succeeded')
      expect((await waiting).status).toBe('succeeded')
    })
  })

  describe('time', () => {
    test.each([-240_000, 240_000])('a clock that is %i ms off is corrected by what the API says', async (offsetMs) => {
      moveClock(offsetMs)
      const agent = await serviceAgent(stack, { account: `clock${offsetMs}` })
      const operation = await agent.beneficiaries.create(beneficiaryOf('Clock'), { intent: 'clock' })
      expect((await operation.wait()).status).toBe('succeeded')
    })

    test('a clock that jumps while the client runs costs one refused proof', async () => {
      const agent = await serviceAgent(stack)
      await agent.operations.list()
      moveClock(180_000)
      await agent.operations.list()
      expect(sent(agent)).toEqual(['GET /v1/operations 200', 'GET /v1/operations 200'])
    })

    test('an intent that is older than a day is never sent: its operation is found, or the error says what to do', async () => {
      const store = memoryStore()
      const agent = await serviceAgent(stack, { store, retryForMs: 0 })
      await agent.operations.list()
      proxy.order(create, 'lost_answer')
      const write = (by: typeof agent, name: string) => by.beneficiaries.create(beneficiaryOf(name), { intent: name })
      await expect(write(agent, 'Accepted')).rejects.toMatchObject({ code: 'unreachable' })
      proxy.order(create, 'lost_request')
      await expect(write(agent, 'Never')).rejects.toMatchObject({ code: 'unreachable' })
      moveDayAhead(store)
      const later = await serviceAgent(stack, { store })
      expect((await (await write(later, 'Accepted')).wait()).status).toBe('succeeded')
      await expect(write(later, 'Never')).rejects.toMatchObject({
        code: 'intent_expired',
        message: expect.stringContaining('use a new intent'),
      })
      expect(sent(later)).not.toContain(expect.stringContaining(create))
    })

    /** Makes every record of the store a day older. */
    function moveDayAhead(store: ReturnType<typeof memoryStore>): void {
      const get = store.get.bind(store)
      store.get = async (key) => {
        const value = (await get(key)) as { at?: number } | undefined
        return value?.at === undefined ? value : { ...value, at: value.at - 24 * hourMs }
      }
    }
  })

  describe('refusals', () => {
    test('a refused write frees its intent: the corrected request goes by the same one', async () => {
      const agent = await serviceAgent(stack)
      const write = (iban: string) =>
        agent.beneficiaries.create({ ...beneficiaryOf('Typo'), details: { iban } }, { intent: 'typo' })
      await expect(write('PT5')).rejects.toMatchObject({
        name: 'ApiProblem',
        code: 'validation_failed',
        fields: [expect.objectContaining({ path: 'details.iban' })],
        requestId: expect.any(String),
        retryable: false,
      })
      expect((await (await write('PT50000201231234567890154')).wait()).status).toBe('succeeded')
      await expect(write('PT50000201231234567890155')).rejects.toMatchObject({ code: 'intent_conflict' })
    })

    test('a failed operation is an outcome with its code, and an uncertain one is neither success nor failure', async () => {
      const agent = await serviceAgent(stack)
      await provider.fault('refuse', 'Refused')
      const refused = await agent.beneficiaries.create(beneficiaryOf('Refused'), { intent: 'refused' })
      expect(await refused.wait()).toMatchObject({ status: 'failed', code: 'provider_refused' })
      await provider.fault('drop_before_accept', 'Dropped')
      const dropped = await agent.beneficiaries.create(beneficiaryOf('Dropped'), { intent: 'dropped' })
      await expect.poll(async () => (await dropped.refresh()).state).toBe('indeterminate')
      expect(await (await dropped.refresh()).wait({ timeoutMs: 500 })).toMatchObject({
        status: 'indeterminate',
        nextReconcileAt: expect.any(Date),
      })
      await expect(
        agent.payee({ ...payeeOf('Dropped'), payoutSchema: 'sepa_pt_eur', intent: 'dropped', timeoutMs: 0 }),
      ).rejects.toMatchObject({
        code: 'not_settled',
        submissionUncertain: true,
        outcome: { status: 'indeterminate' },
      })
    })

    test('a key, a client and scopes that are not registered are named', async () => {
      const other = await serviceAgent(stack, { clientId: 'ines-bookkeeper', scopes: ['cards:manage'] })
      const refusal = { code: 'client_refused', message: expect.stringContaining('Compare clientId, key, scopes') }
      await expect(other.operations.list()).rejects.toMatchObject(refusal)
      const wrong = await serviceAgent(stack, { account: 'wrong' })
      const unknown = FinancialAgents({
        baseUrl: stack.baseUrl,
        clientId: 'nobody-here',
        auth: device({ scopes }),
        onOwnerNeeded: () => {},
      })
      await expect(unknown.operations.list()).rejects.toMatchObject(refusal)
      await expect(wrong.operations.list({ limit: 0 })).rejects.toMatchObject({ code: 'validation_failed' })
    })
  })

  describe('the end of access', () => {
    // Amara has allowed nothing else, so that her account shows this access alone.
    const deviceAgent = (store = memoryStore(), more: Partial<FinancialAgentsOptions> = {}) =>
      FinancialAgents({
        ...more,
        baseUrl: stack.baseUrl,
        clientId: 'errand-runner',
        auth: device({ scopes }),
        store,
        onOwnerNeeded: ({ url, code }) => void walkerOf(stack, 'amara').open(url, code),
      })

    test('by the owner is reported to the caller, who asks again by signIn; nobody is asked meanwhile', async () => {
      const agent = deviceAgent()
      await agent.operations.list()
      const amara = ownerOf(stack, 'amara')
      const account = await amara.read(`${stack.baseUrl}/account`)
      await amara.press(account, /^end access|^remove|^revoke/i)
      await expect(agent.operations.list()).rejects.toMatchObject({
        code: 'access_ended',
        message: expect.stringContaining('agent.signIn()'),
      })
      await expect(agent.operations.list()).rejects.toMatchObject({ code: 'access_ended' })
      expect(await agent.signIn()).toMatchObject({ status: 'signed_in', scopes })
      expect((await agent.operations.list()).items).toBeInstanceOf(Array)
    })

    test('by thirty days without use is the same', async () => {
      const store = memoryStore()
      await deviceAgent(store).operations.list()
      await stack.moveClock(['authz'], 31 * 24 * hourMs)
      try {
        const session = `${stack.baseUrl}/errand-runner/owner/session`
        await store.set(session, { ...((await store.get(session)) as object), expiresAtMs: 0 })
        const later = deviceAgent(store, { fetch: dated(31 * 24 * hourMs) })
        await expect(later.operations.list()).rejects.toMatchObject({ code: 'access_ended' })
      } finally {
        await stack.moveClock(['authz'], 0)
      }
    })
  })
}
