/**
 * The MCP server as a host runs it, driven by the official client, with and without elicitation, in both protocols. It is a process of its
 * own where the test restarts it; a restart in this process keeps only the store. The owner acts only on the pages. The provider's ledger
 * shows the payments that were made.
 */

import { join } from 'node:path'
import { type Beneficiary, FinancialAgents } from '@financial-agents/client'
import { device } from '@financial-agents/client/auth/device'
import { fileStore } from '@financial-agents/client/stores/file'
import { afterEach, describe, expect, test } from 'vitest'
import { payeeOf } from '../client/agents.ts'
import { walkerOf } from '../client/owner-flow.ts'
import { type Host, type HostOptions, serverProcess, startHost } from '../mcp/host.ts'
import { carefulClient, folder, provider, scopes, stack } from './stack.ts'

const hosts: Host[] = []

/** The store of an owner who has signed in. */
export const signedIn = () => join(folder, 'signed-in')

const open = (url: string, code?: string): void => void walkerOf(stack, 'ines').open(url, code)
/** Opens the address, and comes back when the owner is done there. */
const openAndFinish = (url: string, code?: string) => walkerOf(stack, 'ines').open(url, code)

async function host(options: Partial<HostOptions> = {}): Promise<Host> {
  const started = await startHost({ stack, store: signedIn(), ...options })
  hosts.push(started)
  return started
}

/** A client of the same installation that has signed in already. Tests prepare with it. */
export const owned = (clientId = 'errand-runner') =>
  FinancialAgents({
    baseUrl: stack.baseUrl,
    clientId,
    store: fileStore(signedIn()),
    auth: device({ scopes }),
    onOwnerNeeded: ({ url, code }) => void walkerOf(stack, 'ines').open(url, code),
  })
const payee = (name: string): Promise<Beneficiary> => owned().payee(payeeOf(name))
const euros = (amount: string) => ({ amount, currency: 'EUR' })
/** The mandate follows its operation. */
const mandateIs = (id: string, state: string) =>
  expect.poll(async () => (await owned().mandates.get(id)).state).toBe(state)
const ledgerOf = async (kind: string) => (await provider.ledger()).filter((entry) => entry.kind === kind)

export function mcpServer(): void {
  afterEach(async () => {
    for (const host of hosts.splice(0)) {
      await host.close()
      expect(host.errors).toEqual([])
    }
  })
  describe('sign-in', () => {
    test.each(['2025', '2026'] as const)(
      'in protocol %s the host is asked to open the page, and the call goes on',
      async (protocol) => {
        const mine = await host({ store: join(folder, `sign-in-${protocol}`), protocol, open: openAndFinish })
        expect(await mine.follow('list_accounts')).toMatchObject({ status: 'ok', accounts: expect.any(Array) })
        expect(mine.elicited).toEqual([
          { url: expect.stringContaining(stack.baseUrl), message: expect.stringMatching(/Enter the code there: \S+$/) },
        ])
        expect(await mine.call('sign_in')).toMatchObject({ status: 'ok' })
        expect(mine.elicited).toHaveLength(1)
      },
    )

    test('a host without elicitation gets the address and the code, and the same call goes on', async () => {
      const mine = await host({ store: join(folder, 'sign-in-plain') })
      const asked = await mine.call('list_accounts', { limit: 2 })
      expect(asked).toMatchObject({
        status: 'needs_owner',
        do_not_repeat: true,
        isError: false,
        next: { tool: 'list_accounts', arguments: { limit: 2 } },
        owner_action: { kind: 'sign_in', url: expect.any(String), code: expect.any(String) },
      })
      void walkerOf(stack, 'ines').open(`${asked.owner_action?.url}`, asked.owner_action?.code)
      expect(await mine.follow('list_accounts', { limit: 2 })).toMatchObject({ status: 'ok' })
    })

    test('a native client has its browser come back to this machine', async () => {
      const more = ['--redirect-uri', 'http://127.0.0.1/callback', '--tools', 'list_accounts']
      const mine = await host({
        store: join(folder, 'sign-in-native'),
        clientId: 'tally',
        more,
        open: async (url) => {
          const { left } = await walkerOf(stack, 'ines').open(url)
          if (left) await fetch(left)
        },
      })
      expect(await mine.follow('list_accounts')).toMatchObject({ status: 'ok' })
      expect(mine.elicited).toMatchObject([{ message: expect.not.stringContaining('code') }])
    })

    test('a person who does not open the page is not waited for', async () => {
      const mine = await host({ store: join(folder, 'sign-in-declined'), open: () => 'decline' })
      expect(await mine.call('list_cards')).toMatchObject({ status: 'needs_owner', owner_action: { kind: 'sign_in' } })
      expect(mine.elicited).toHaveLength(1)
    })
  })

  describe('payments', () => {
    test('a payment is prepared, submitted and repeated, also after a restart: the provider executes one', async () => {
      const { id } = await payee('Restart')
      const before = await ledgerOf('transfer')
      const first = await host({ command: serverProcess })
      const prepared = await first.call('prepare_payment', { beneficiary_id: id, ...euros('12.50'), reference: 'Rent' })
      expect(prepared).toMatchObject({
        status: 'prepared',
        do_not_repeat: false,
        next: { tool: 'submit_payment' },
        payee: { name: { foreign_text: 'Restart' } },
        draft: { amount: euros('12.50'), reference: { foreign_text: 'Rent' } },
        limits: [
          {
            limit: 'grant_per_payment',
            currency: 'EUR',
            maximum: '25.00',
            remaining: '25.00',
            remaining_after: '12.50',
          },
          { limit: 'grant_per_day' },
        ],
        confirmation_required: false,
        warnings: [],
      })
      await first.close()
      const second = await host({ command: serverProcess })
      const { handle } = prepared.draft
      const paid = await second.follow('submit_payment', { handle })
      expect(paid).toMatchObject({
        status: 'succeeded',
        do_not_repeat: true,
        next: null,
        operation: { kind: 'transfer' },
      })
      const third = await host({ protocol: '2026', command: serverProcess })
      const again = await Promise.all([
        second.call('submit_payment', { handle }),
        third.call('submit_payment', { handle }),
        third.call('submit_payment', { handle }),
      ])
      expect(new Set(again.map(({ operation }) => operation.id))).toEqual(new Set([paid.operation.id]))
      expect(await ledgerOf('transfer')).toHaveLength(before.length + 1)
      expect((await third.call('list_payments', { beneficiary_id: id })).payments).toMatchObject([
        { operation_id: paid.operation.id, reference: { foreign_text: 'Rent' } },
      ])
      const limits = await third.client.readResource({ uri: 'financial-agents://limits' })
      expect(limits.contents).toMatchObject([{ text: expect.stringContaining('"per_payment":{"amount":"25.00"') }])
      const read = await third.client.readResource({ uri: `financial-agents://operations/${paid.operation.id}` })
      expect(read.contents).toMatchObject([{ text: expect.stringContaining('"state":"succeeded"') }])
      const nobody = await third.client.readResource({ uri: `financial-agents://operations/${id}` })
      expect(nobody.contents).toMatchObject([{ text: expect.stringMatching(/"status":"unknown".*"list_operations"/) }])
    })

    test('two equal payments on purpose are two drafts, and the second one has a warning', async () => {
      const { id } = await payee('Twice')
      const mine = await host()
      const wanted = { beneficiary_id: id, ...euros('3.00') }
      const one = await mine.call('prepare_payment', wanted)
      const two = await mine.call('prepare_payment', wanted)
      expect(two.warnings).toMatchObject([{ warning: 'similar_open_draft', draft: one.draft.handle }])
      await mine.follow('submit_payment', { handle: one.draft.handle })
      const three = await mine.call('prepare_payment', { ...wanted, amount: '3' })
      expect(three.warnings).toMatchObject([
        { warning: 'similar_recent_payment', payment: { amount: { amount: '3.00' } } },
        { warning: 'similar_open_draft', draft: two.draft.handle },
      ])
      expect(await mine.follow('submit_payment', { handle: two.draft.handle })).toMatchObject({ status: 'succeeded' })
      expect((await mine.call('list_payments', { beneficiary_id: id })).payments).toHaveLength(2)
    })

    test('what the API would refuse is not prepared, and its words say why', async () => {
      const { id } = await payee('Too much')
      const mine = await host()
      const refused = await mine.call('prepare_payment', { beneficiary_id: id, ...euros('25.01') })
      expect(refused).toMatchObject({
        status: 'not_payable',
        next: null,
        problem: { code: 'grant_ceiling_exceeded', detail: 'per_payment: at most 25.00 EUR in one payment.' },
        limits: [{ limit: 'grant_per_payment', remaining_after: null }, { limit: 'grant_per_day' }],
      })
      expect(refused.draft).toBeUndefined()
      expect(await mine.call('prepare_payment', { beneficiary_id: id, amount: '1.00', currency: 'USD' })).toMatchObject(
        { status: 'not_payable', problem: { code: 'validation_failed', fields: [{ path: 'currency' }] } },
      )
      expect(await mine.call('prepare_payment', { beneficiary_id: id, ...euros('12.505') })).toMatchObject({
        status: 'refused',
        problem: { fields: [{ path: 'amount', message: expect.stringContaining('at most 2 digits') }] },
      })
      expect(await mine.call('submit_payment', { handle: `draft_${'2'.repeat(27)}` })).toMatchObject({
        status: 'draft_unknown',
        isError: true,
      })
    })

    test('a payment that the owner has to confirm is confirmed on the page, also across a restart, and made once', async () => {
      const clientId = carefulClient
      const { id } = await owned(clientId).payee(payeeOf('Careful'))
      const before = await ledgerOf('transfer')
      const first = await host({ clientId, open })
      const draftOf = async (amount: string) =>
        (await first.call('prepare_payment', { beneficiary_id: id, ...euros(amount), reference: 'MODEL WORDS' })).draft
      const [one, two] = [await draftOf('5.01'), await draftOf('5.02')]
      expect(await first.follow('submit_payment', { handle: one.handle })).toMatchObject({ status: 'succeeded' })
      expect(first.elicited).toMatchObject([{ message: expect.stringMatching(/^The page of Financial Agents shows/) }])
      const plain = await host({ clientId })
      const asked = await plain.call('submit_payment', { handle: two.handle })
      expect(asked).toMatchObject({
        status: 'needs_owner',
        do_not_repeat: true,
        owner_action: { kind: 'confirmation' },
        next: { tool: 'submit_payment', arguments: { handle: two.handle } },
      })
      await plain.close()
      await walkerOf(stack, 'ines', undefined, 'impatient').open(`${asked.owner_action?.url}`)
      const later = await host({ clientId })
      expect(await later.follow('submit_payment', { handle: two.handle })).toMatchObject({ status: 'succeeded' })
      expect(later.elicited).toEqual([])
      expect(await ledgerOf('transfer')).toHaveLength(before.length + 2)
    })

    test('a payment whose outcome is not known is neither paid nor unpaid, and says what to call', async () => {
      const { id } = await payee('Uncertain')
      const mine = await host({ times: { waitMs: 500 } })
      const { draft } = await mine.call('prepare_payment', { beneficiary_id: id, ...euros('1.11') })
      await provider.faultOf({ kind: 'transfer' }, 'drop_before_accept', { times: 1 })
      let answer = await mine.call('submit_payment', { handle: draft.handle })
      while (answer.status === 'still_running')
        answer = await mine.call(`${answer.next?.tool}`, { ...answer.next?.arguments, seconds: 1 })
      expect(answer).toMatchObject({
        status: 'indeterminate',
        do_not_repeat: true,
        isError: false,
        next: { tool: 'wait_for_operation', arguments: { operation_id: answer.operation.id } },
      })
      expect(await mine.call('submit_payment', { handle: draft.handle })).toMatchObject({
        status: 'indeterminate',
        operation: { id: answer.operation.id },
      })
    })
  })

  describe('mandates', () => {
    const terms = (beneficiary_id: string) => ({
      beneficiary_id,
      per_payment_max: '10',
      daily_max: '15',
      weekly_max: '20',
      monthly_max: '30',
      total_cap: '40',
      payment_count: 5,
      last_day: new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10),
    })

    test.each(['2025', '2026'] as const)(
      'in protocol %s the owner confirms and approves on the pages; what remains of each cap is checked',
      async (protocol) => {
        const { id } = await payee(`Mandate ${protocol}`)
        const mine = await host({ protocol, open })
        const made = await mine.follow('propose_mandate', terms(id))
        expect(made).toMatchObject({ status: 'succeeded', operation: { kind: 'mandate_create' } })
        // The page goes on to the approval by itself. If the server reads the operation before that, it asks the host
        // too.
        const [first, ...others] = mine.elicited.map(({ message }) => message)
        expect(first).toContain('Confirm or decline')
        for (const message of others) expect(message).toContain('Your provider asks')
        expect((await mine.call('propose_mandate', terms(id))).operation.id).toBe(made.operation.id)
        const mandate_id = made.operation.resource_id
        await mandateIs(mandate_id, 'active')
        const wanted = { mandate_id, ...euros('9.00') }
        const prepared = await mine.call('prepare_payment', wanted)
        expect(prepared).toMatchObject({ status: 'prepared', mandate: { id: mandate_id } })
        const day = { limit: 'mandate_per_day', currency: 'EUR', maximum: '15.00' }
        expect(prepared.limits).toContainEqual({ ...day, remaining: '15.00', remaining_after: '6.00' })
        expect(await mine.follow('submit_payment', { handle: prepared.draft.handle })).toMatchObject({
          status: 'succeeded',
        })
        const refused = await mine.call('prepare_payment', wanted)
        expect(refused).toMatchObject({ status: 'not_payable', problem: { code: 'mandate_cap_exceeded' } })
        expect(refused.limits).toContainEqual({ ...day, remaining: '6.00', remaining_after: null })
        expect(await mine.follow('stop_mandate', { mandate_id })).toMatchObject({ status: 'succeeded' })
        await mandateIs(mandate_id, 'suspended')
        expect(await mine.call('stop_mandate', { mandate_id })).toMatchObject({ mandate: { state: 'suspended' } })
        expect(await mine.call('prepare_payment', wanted)).toMatchObject({ problem: { code: 'mandate_not_active' } })
      },
    )

    test('a host without elicitation gets the addresses, one after the other', async () => {
      const { id } = await payee('Plain')
      const mine = await host()
      const asked = await mine.call('propose_mandate', terms(id))
      expect(asked).toMatchObject({
        status: 'needs_owner',
        owner_action: { kind: 'confirmation' },
        next: { tool: 'propose_mandate' },
      })
      await walkerOf(stack, 'ines', undefined, 'impatient').open(`${asked.owner_action?.url}`)
      let answer = await mine.call('propose_mandate', terms(id))
      while (answer.status !== 'needs_owner') answer = await mine.call(`${answer.next?.tool}`, answer.next?.arguments)
      if (!answer.owner_action) answer = await mine.call('wait_for_operation', answer.next?.arguments)
      expect(answer).toMatchObject({ owner_action: { kind: 'approval' }, next: { tool: 'get_operation' } })
      await walkerOf(stack, 'ines').open(`${answer.owner_action?.url}`)
      expect(await mine.follow('get_operation', answer.next?.arguments)).toMatchObject({ status: 'succeeded' })
    })

    test('a declined confirmation is a refusal, and the same terms open no second page', async () => {
      const { id } = await payee('Declined')
      const mine = await host({
        open: (url) => walkerOf(stack, 'ines', /^decline$/i).open(url),
      })
      const declined = { status: 'refused', do_not_repeat: true, problem: { code: 'confirmation_declined' } }
      for (let attempt = 0; attempt < 4; attempt += 1)
        expect(await mine.call('propose_mandate', terms(id))).toMatchObject(declined)
      expect(mine.elicited).toHaveLength(1)
      expect(await mine.call('propose_mandate', { ...terms(id), total_cap: '39' })).toMatchObject(declined)
      expect(mine.elicited).toHaveLength(2)
    })
  })

  describe('limits of the server', () => {
    test('--read-only, --tools and --max-per-payment refuse here, and say so', async () => {
      const { id } = await payee('Local')
      const reader = await host({ more: ['--read-only'] })
      const { tools } = await reader.client.listTools()
      expect(tools.filter(({ annotations }) => !annotations?.readOnlyHint).map(({ name }) => name)).toEqual(['sign_in'])
      expect(reader.client.getInstructions()).toContain('submit_payment (--read-only)')
      expect(await reader.call('submit_payment', {})).toMatchObject({
        status: 'refused_here',
        message: expect.stringContaining('--read-only'),
      })
      const few = await host({ more: ['--tools', 'sign_in,prepare_payment', '--max-per-payment', '2.00 EUR'] })
      expect((await few.client.listTools()).tools.map(({ name }) => name)).toEqual(['sign_in', 'prepare_payment'])
      expect(await few.call('list_cards', {})).toMatchObject({
        status: 'refused_here',
        message: expect.stringContaining('--tools'),
      })
      const prepare = (amount: string, currency = 'EUR') =>
        few.call('prepare_payment', { beneficiary_id: id, amount, currency })
      const refusal = { status: 'refused_here', message: expect.stringContaining('--max-per-payment (2.00 EUR)') }
      expect(await prepare('2.01')).toMatchObject(refusal)
      expect(await prepare('1.00', 'USD')).toMatchObject(refusal)
      const prepared = await prepare('2.00')
      expect(prepared).toMatchObject({ status: 'prepared' })
      const stricter = await host({ more: ['--max-per-payment', '1.99EUR'] })
      expect(await stricter.call('submit_payment', { handle: prepared.draft.handle })).toMatchObject({
        status: 'refused_here',
      })
      expect((await stricter.call('list_payments', { beneficiary_id: id })).payments).toEqual([])
    })

    test('no tool takes a key, and the hints are honest', async () => {
      const mine = await host()
      const { tools } = await mine.client.listTools()
      expect(
        tools
          .flatMap(({ inputSchema }) => Object.keys(inputSchema.properties ?? {}))
          .filter((name) => /key|intent/.test(name)),
      ).toEqual([])
      const hinted = (hint: 'readOnlyHint' | 'destructiveHint' | 'idempotentHint', value: boolean) =>
        tools.filter(({ annotations }) => annotations?.[hint] === value).map(({ name }) => name)
      expect(hinted('destructiveHint', true)).toEqual(['submit_payment', 'stop_mandate', 'freeze_card'])
      expect(hinted('idempotentHint', false)).toEqual(['prepare_payment'])
      expect(hinted('readOnlyHint', false)).toEqual([
        'sign_in',
        'prepare_payment',
        'submit_payment',
        'propose_mandate',
        'stop_mandate',
        'freeze_card',
      ])
    })
  })

  test('a card is frozen once, and the second call says how it stands', async () => {
    const agent = owned()
    const created = await (await agent.cards.create({ type: 'virtual', currency: 'EUR' }, { intent: 'card' })).wait()
    if (created.status !== 'succeeded') throw new Error(`the card: ${created.status}`)
    await expect.poll(async () => (await agent.cards.get(created.resourceId)).state).toBe('active')
    const mine = await host()
    expect(await mine.follow('freeze_card', { card_id: created.resourceId })).toMatchObject({ status: 'succeeded' })
    await expect.poll(async () => (await agent.cards.get(created.resourceId)).state).toBe('frozen')
    expect(await mine.call('freeze_card', { card_id: created.resourceId })).toMatchObject({
      status: 'ok',
      card: { state: 'frozen' },
    })
    expect(await ledgerOf('card_freeze')).toHaveLength(1)
  })

  test('after the owner has ended the access, nobody is asked until sign_in is called', async () => {
    const store = join(folder, 'ended')
    const mine = await host({ store, open: openAndFinish })
    const { id } = await payee('Before the end')
    const { draft } = await mine.follow('prepare_payment', { beneficiary_id: id, ...euros('1.50') })
    const paid = await mine.follow('submit_payment', { handle: draft.handle })
    const limits = await mine.client.readResource({ uri: 'financial-agents://limits' })
    expect(limits.contents).toMatchObject([{ text: expect.stringContaining('"status":"active"') }])
    await mine.close()
    // The store remembers an ended grant, as after the owner's "End access".
    const kept = fileStore(store)
    const session = `${stack.baseUrl}/errand-runner/owner/session`
    await kept.set(session, { ended: true })
    const later = await host({ store, open: openAndFinish })
    expect(await later.call('list_payees')).toMatchObject({ status: 'refused', next: { tool: 'sign_in' } })
    expect(later.elicited).toEqual([])
    // A payment from before the end is neither refused nor to be made again.
    const unread = await later.call('submit_payment', { handle: draft.handle })
    expect(unread).toMatchObject({
      status: 'unknown',
      do_not_repeat: true,
      message: expect.stringContaining('has ended the access'),
      next: { tool: 'get_operation', arguments: { operation_id: paid.operation.id } },
    })
    expect(await later.follow('sign_in')).toMatchObject({ status: 'ok' })
    expect(later.elicited).toHaveLength(1)
    expect(await later.call('list_payees')).toMatchObject({ status: 'ok' })
    expect(await later.follow('get_operation', unread.next?.arguments)).toMatchObject({ status: 'succeeded' })
  })
}
