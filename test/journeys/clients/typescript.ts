/** The published client through all services: the five profiles, durable writes, waiting, confirmations and approvals, the verbs. */

import { join } from 'node:path'
import {
  FinancialAgents,
  type KnownScope,
  memoryStore,
  type OwnerNeeded,
  type TrackedOperation,
} from '@financial-agents/client'
import { native } from '@financial-agents/client/auth/native'
import { type SpaOptions, spa } from '@financial-agents/client/auth/spa'
import { web } from '@financial-agents/client/auth/web'
import { fileStore } from '@financial-agents/client/stores/file'
import { describe, expect, test } from 'vitest'
import { beneficiaryOf, keyOf, payeeOf, scopes, sent, serviceAgent } from '../client/agents.ts'
import { walkerOf } from '../client/owner-flow.ts'
import { folder, provider, stack } from './stack.ts'

const inAMonth = new Date(Date.now() + 30 * 86_400_000)

/** Settles an operation at the provider, once it has been submitted there. */
async function settle(operation: TrackedOperation): Promise<void> {
  await expect.poll(async () => (await operation.refresh()).state).toBe('submitted')
  await provider.settle(operation.id, 'succeeded')
}

/** An owner who does whatever the client shows; keeps what was shown. */
function owner() {
  const shown: OwnerNeeded[] = []
  const onOwnerNeeded = (needed: OwnerNeeded) => {
    shown.push(needed)
    void walkerOf(stack, 'ines')
      .open(needed.url, needed.code)
      .then(async ({ left }) => left && fetch(left))
  }
  return { shown, onOwnerNeeded }
}

export function typescriptClient(): void {
  describe('sign-in', () => {
    const nativeAgent = (onOwnerNeeded?: (needed: OwnerNeeded) => void) =>
      FinancialAgents({
        baseUrl: stack.baseUrl,
        clientId: 'tally',
        auth: native({ redirectUri: 'http://127.0.0.1/callback', scopes: ['openid', 'identity:read', ...scopes] }),
        store: fileStore(join(folder, 'tally')),
        ...(onOwnerNeeded ? { onOwnerNeeded } : {}),
      })

    test('of a native application happens at the first call; after a restart nobody is asked again', async () => {
      const { shown, onOwnerNeeded } = owner()
      const identity = await nativeAgent(onOwnerNeeded).identity.get()
      expect(identity).toMatchObject({ subject: expect.any(String), locale: 'pt-PT' })
      expect(shown).toEqual([
        { kind: 'sign_in', url: expect.stringContaining('dpop_jkt='), expiresAt: expect.any(Date) },
      ])
      expect(await nativeAgent().identity.get()).toEqual(identity)
    })

    test('without a callback is an error with the address', async () => {
      const agent = FinancialAgents({
        baseUrl: stack.baseUrl,
        clientId: 'tally',
        auth: native({ redirectUri: 'http://127.0.0.1/callback', scopes }),
      })
      await expect(agent.operations.list()).rejects.toMatchObject({
        code: 'owner_needed',
        message: expect.stringContaining('/oauth/authorize?'),
      })
    })

    test.each(['web', 'spa'] as const)(
      'of a %s application goes by redirect, once for each answer',
      async (profile) => {
        const [clientId, redirectUri] = {
          web: ['rentwise', 'https://app.rentwise.example/callback'],
          spa: ['pocket-board', 'https://board.pocket.example/signed-in'],
        }[profile] as [string, string]
        const wanted: SpaOptions = { scopes: ['openid', 'identity:read', 'operations:read'], redirectUri }
        const auth = profile === 'spa' ? spa(wanted) : web({ ...wanted, key: await keyOf(stack, clientId) })
        const store = memoryStore()
        const agent = FinancialAgents({ baseUrl: stack.baseUrl, clientId, auth, store, onOwnerNeeded: () => {} })
        await expect(agent.operations.list()).rejects.toMatchObject({ code: 'sign_in_needed' })
        const begun = await agent.signIn()
        if (begun.status !== 'redirect') throw new Error('the sign-in needs no redirect')
        const { left } = await walkerOf(stack, 'ines').open(begun.url)
        if (!left) throw new Error('the owner did not come back')
        expect(await agent.completeSignIn(left)).toMatchObject({ status: 'signed_in' })
        expect((await agent.operations.list()).items).toEqual([])
        await expect(agent.completeSignIn(left)).rejects.toMatchObject({ code: 'sign_in_needed' })
        await agent.signOut()
        await expect(agent.operations.list()).rejects.toMatchObject({ code: 'sign_in_needed' })
      },
    )
  })

  describe('the verbs', () => {
    test('an owner is asked to confirm an allowance and to approve it, and it pays', async () => {
      const { shown, onOwnerNeeded } = owner()
      const agent = await serviceAgent(stack, { scopes: [...scopes, 'authorization:read'], onOwnerNeeded })
      const payee = await agent.payee(payeeOf('Allowed'))
      expect(payee).toMatchObject({ name: 'Allowed', state: 'active', payout_schema_id: 'sepa_pt_eur' })
      const limits = { perPayment: '20', perDay: '40', total: '100', payments: 5, until: inAMonth }
      const allowance = await agent.allowance({ intent: 'allowance', payee, ...limits })
      expect(allowance).toMatchObject({
        state: 'active',
        daily_max: '40.00',
        weekly_max: '100.00',
        monthly_max: '100.00',
      })
      // The page goes on to the approval by itself. If the agent reads the operation before that, it shows the approval
      // too.
      const [first, ...others] = shown
      expect(first).toMatchObject({ kind: 'confirmation', summary: expect.any(String) })
      expect(others.every(({ kind }) => kind === 'approval')).toBe(true)
      const pay = () => agent.pay({ intent: 'first', allowance, amount: '12.50', currency: 'EUR', reference: 'Rent' })
      const paid = await pay()
      expect(paid).toMatchObject({ status: 'succeeded', resourceId: expect.any(String) })
      expect((await pay()).operation.id).toBe(paid.operation.id)
      expect(await provider.ledger(paid.operation.id)).toHaveLength(1)
      expect((await agent.allowance({ intent: 'allowance', payee, ...limits })).id).toBe(allowance.id)
      await expect(
        agent.pay({ intent: 'too-much', allowance, amount: '20.01', currency: 'EUR' }),
      ).rejects.toMatchObject({
        code: 'mandate_cap_exceeded',
      })
    })

    test('a confirmation that was asked for survives a crash: the next process waits for the same one', async () => {
      const store = fileStore(join(folder, 'crash'))
      const wanted: KnownScope[] = [...scopes, 'authorization:read']
      const crash = new Error('the process ends here')
      const seen: OwnerNeeded[] = []
      const first = await serviceAgent(stack, {
        scopes: wanted,
        store,
        onOwnerNeeded: (needed) => {
          seen.push(needed)
          throw crash
        },
      })
      const payee = await first.payee(payeeOf('Crashed'))
      const request = { intent: 'crash', payee, perPayment: '1', total: '2', payments: 2, until: inAMonth }
      await expect(first.allowance(request)).rejects.toBe(crash)
      const { shown, onOwnerNeeded } = owner()
      const second = await serviceAgent(stack, { scopes: wanted, store, onOwnerNeeded })
      expect((await second.allowance(request)).state).toBe('active')
      expect(shown[0]?.url).toBe(seen[0]?.url)
    })

    test('a declined confirmation is a refusal, and frees the intent', async () => {
      const { onOwnerNeeded } = owner()
      const decliner = walkerOf(stack, 'ines', /^decline$/i)
      const wanted: KnownScope[] = [...scopes, 'authorization:read']
      const store = memoryStore()
      const agent = await serviceAgent(stack, {
        scopes: wanted,
        store,
        onOwnerNeeded: ({ url }) => void decliner.open(url),
      })
      const payee = await agent.payee(payeeOf('Declined'))
      const request = { intent: 'declined', payee, perPayment: '1', total: '2', payments: 2, until: inAMonth }
      await expect(agent.allowance(request)).rejects.toMatchObject({ code: 'confirmation_declined' })
      const other = await serviceAgent(stack, { scopes: wanted, store, onOwnerNeeded })
      expect(await other.allowance({ ...request, total: '3' })).toMatchObject({ state: 'active', total_cap: '3.00' })
    })

    test('a payee whose details fit no payout schema is answered with those that there are', async () => {
      const agent = await serviceAgent(stack)
      await expect(agent.payee({ ...payeeOf('Nobody'), details: { sort_code: '1' } })).rejects.toMatchObject({
        code: 'invalid_use',
        message: expect.stringContaining('sepa_pt_eur (iban'),
      })
    })
  })

  describe('durable writes', () => {
    test('the same intent from ten processes without a common store is one operation', async () => {
      const agents = await Promise.all(Array.from({ length: 10 }, () => serviceAgent(stack)))
      const made = await Promise.all(
        agents.map((agent) => agent.beneficiaries.create(beneficiaryOf('Ten'), { intent: 'ten' })),
      )
      expect(new Set(made.map(({ id }) => id)).size).toBe(1)
    })

    test('an accepted intent leads to its operation, and prints as the API sent it', async () => {
      const store = memoryStore()
      const agent = await serviceAgent(stack, { store })
      const made = await agent.beneficiaries.create(beneficiaryOf('Known'), { intent: 'known' })
      await made.wait()
      const again = await serviceAgent(stack, { store })
      const found = await again.beneficiaries.create(beneficiaryOf('Known'), { intent: 'known' })
      expect(sent(again)).toEqual(['GET /v1/operations/{id} 200'])
      expect(JSON.parse(JSON.stringify(found))).toEqual(await (await again.fetch(`/v1/operations/${made.id}`)).json())
      const byPath = await again.write('/v1/beneficiaries', beneficiaryOf('Known'), { intent: 'known' })
      expect(byPath.id).toBe(made.id)
    })

    test('an intent is needed', async () => {
      const agent = await serviceAgent(stack)
      await expect(agent.beneficiaries.create(beneficiaryOf('None'), {} as { intent: string })).rejects.toMatchObject({
        code: 'invalid_use',
      })
    })
  })

  describe('waiting', () => {
    test('for many operations reads them by one list', async () => {
      const agent = await serviceAgent(stack)
      await provider.faultOf({ kind: 'beneficiary_create' }, 'settle_later', { times: 6 })
      const names = ['One', 'Two', 'Three', 'Four', 'Five', 'Six']
      const made = await Promise.all(
        names.map((name) => agent.beneficiaries.create(beneficiaryOf(name), { intent: name })),
      )
      const waits = made.map((operation) => operation.wait())
      await expect.poll(() => sent(agent)).toContain('GET /v1/operations 200')
      for (const operation of made) await settle(operation)
      expect(new Set((await Promise.all(waits)).map(({ status }) => status))).toEqual(new Set(['succeeded']))
    })

    test('ends by the signal with its reason, and by time with how things stand', async () => {
      const agent = await serviceAgent(stack)
      await provider.fault('settle_later', 'Signal')
      const operation = await agent.beneficiaries.create(beneficiaryOf('Signal'), { intent: 'signal' })
      const abort = new AbortController()
      const waiting = operation.wait({ signal: abort.signal })
      const enough = new Error('enough')
      abort.abort(enough)
      await expect(waiting).rejects.toBe(enough)
      await expect(operation.wait({ signal: abort.signal })).rejects.toBe(enough)
      expect((await operation.wait({ timeoutMs: 1 })).status).toBe('still_running')
      await settle(operation)
      expect((await agent.wait(operation.id)).status).toBe('succeeded')
    })

    test('without a callback shows the approval in its outcome', async () => {
      const agent = await serviceAgent(stack)
      const payee = await agent.payee(payeeOf('Large'))
      // Ines approves transfers above 500 EUR.
      const paid = await agent.pay({ intent: 'large', payee, amount: '500.01', currency: 'EUR' })
      if (paid.status !== 'needs_owner' || !paid.action) throw new Error(`the payment is ${paid.status}`)
      await walkerOf(stack, 'ines').open(paid.action.url)
      expect((await agent.wait(paid.operation.id)).status).toBe('succeeded')
    })
  })

  describe('reads', () => {
    test('a list goes through all of its pages', async () => {
      const agent = await serviceAgent(stack, { scopes: ['activity:read', 'accounts:read'] })
      const { items, next_cursor } = await agent.activity.list({ limit: 3 })
      expect(items).toHaveLength(3)
      expect(next_cursor).toEqual(expect.any(String))
      const seen = new Set<string>()
      for await (const item of agent.activity.list({ limit: 3 })) {
        seen.add(item.id)
        if (seen.size === 8) break
      }
      expect(seen.size).toBe(8)
      for await (const account of agent.accounts.list()) expect(account.id).toEqual(expect.any(String))
    })

    test('what needs no credentials asks for none, and a raw response is as the API sent it', async () => {
      const agent = FinancialAgents({
        baseUrl: stack.baseUrl,
        clientId: 'x',
        auth: spa({ scopes: [], redirectUri: 'x' }),
      })
      expect((await agent.system.publicConfig()).capabilities.transfers.execute.available).toBe(true)
      const signed = await serviceAgent(stack)
      let seen: string | null = null
      await signed.operations.list(
        { limit: 1 },
        { onResponse: ({ headers }) => void (seen = headers.get('x-request-id')) },
      )
      expect(seen).toEqual(expect.any(String))
      const raw = await signed.fetch('/v1/operations/nothing')
      expect([raw.status, raw.headers.get('content-type')]).toEqual([404, 'application/problem+json'])
    })
  })
}
