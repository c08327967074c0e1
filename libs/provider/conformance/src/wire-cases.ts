/**
 * The promises of the Provider API that the port's cases cannot check, because a correct adapter never sends the
 * necessary requests: repetitions, other contents under one reference, requests of another form, deadlines, the reach
 * of searches.
 */

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { OperationKind } from '@financial-agents/contract/kinds'
import { deviceAuthenticationStarted } from '@financial-agents/provider-http/api/hosted'
import { providerPath } from '@financial-agents/provider-http/api/paths'
import { actionSearchAnswer, mutationAnswer, refusal } from '@financial-agents/provider-http/api/records'
import type { LookupResult, Submission } from '@financial-agents/provider-port/port'
import { submission } from '@financial-agents/provider-port/testing/submissions'
import { patientMs } from './harnesses.ts'
import { issuerCases } from './issuer-cases.ts'
import type { SentRequest } from './proxy.ts'
import { type WireCase, type WireHarness } from './wire-case.ts'

/** Thrown by a case about a promise that the provider does not make. */
export class LeftOut extends Error {
  override readonly name = 'LeftOut'
}

/**
 * The cases for these kinds. The last one validates all answers until then.
 * @param isDemanding whether it demands authentication
 * @param issuer the OpenID provider at which people sign in, in place of a hosted page
 */
export function wireCases(kinds: readonly OperationKind[], isDemanding: boolean, issuer?: string): readonly WireCase[] {
  const has = (...needed: OperationKind[]) => needed.every((kind) => kinds.includes(kind))
  return [
    ...kinds.flatMap((kind) => casesOf(kind)),
    ...(has('transfer') ? moneyCases : []),
    ...(has('card_create', 'card_freeze', 'card_close') ? cardCases : []),
    ...(has('mandate_create', 'mandate_suspend', 'mandate_revoke', 'mandate_transfer') ? mandateCases : []),
    ...(has('card_create', 'transfer_grant_revoke') ? connectionCases : []),
    ...(issuer === undefined ? signInCases : issuerCases(issuer)),
    ...(isDemanding ? kinds.map((kind) => strangerCase(kind)) : []),
    published,
  ]
}

type Answered = { readonly status: number; readonly value: unknown }

async function send({ proxy }: WireHarness, { path, headers, body }: SentRequest): Promise<Answered> {
  const response = await fetch(new URL(path, proxy.url), {
    method: 'POST',
    headers,
    body,
    signal: AbortSignal.timeout(patientMs),
  })
  return { status: response.status, value: await response.json() }
}

/** Returns the request that the adapter sends, without forwarding it to the provider. */
async function unsent(harness: WireHarness, kind: OperationKind): Promise<[Submission, SentRequest]> {
  const made = await harness.harness.newSubmission(kind)
  harness.proxy.orderInstruction(made.reference, 'drop_request')
  await harness.harness.provider.submit(made)
  return [made, harness.proxy.sent(made.reference)]
}

function changed(request: SentRequest, change: object): SentRequest {
  return { ...request, body: JSON.stringify({ ...(JSON.parse(request.body) as object), ...change }) }
}

function recordOf({ status, value }: Answered) {
  assert([200, 201, 202].includes(status), `answered ${status}: ${JSON.stringify(value)}`)
  return mutationAnswer.parse(value).data
}

function checkRefused({ status, value }: Answered, statuses: readonly number[]): string {
  assert(statuses.includes(status), `answered ${status}, not ${statuses.join(' or ')}: ${JSON.stringify(value)}`)
  return refusal.parse(value).error.code
}

function lookup(
  { harness }: WireHarness,
  { kind, reference, credentials }: Submission,
  upstreamReference: string | null = null,
) {
  return harness.provider.lookup({ kind, reference, credentials, timeoutMs: patientMs, upstreamReference })
}

function checkFound(result: LookupResult, upstreamReference?: string): void {
  assert(result.type === 'found' && result.state !== 'failed', JSON.stringify(result))
  if (upstreamReference !== undefined) assert.equal(result.upstreamReference, upstreamReference)
}

async function execute(harness: WireHarness, made: Submission): Promise<string> {
  const outcome = await harness.harness.provider.submit(made)
  assert(outcome.type === 'succeeded', JSON.stringify(outcome))
  return outcome.upstreamReference
}

/** Other contents, for the kinds whose contents can differ. */
const otherContent: { readonly [K in OperationKind]?: object } = {
  beneficiary_create: { name: 'Somebody Else' },
  card_create: { label: 'Something else' },
  mandate_create: { payment_count: 9 },
  mandate_transfer: { reference: 'Something else' },
  transfer: { memo: 'Something else' },
}

/** A member of another form. */
const malformed: { readonly [K in OperationKind]?: object } = {
  beneficiary_create: { details: 'nowhere' },
  card_create: { type: 7 },
  mandate_create: { total_cap: null },
  mandate_transfer: { amount: '-1.00' },
  transfer: { amount: 12.5 },
}

const together = 8

function casesOf(kind: OperationKind): readonly WireCase[] {
  return [...onceCases(kind), ...finalCases(kind), ...contentCases(kind)]
}

/** Cases: an instruction is executed once, is found by both references, and by nobody else. */
function onceCases(kind: OperationKind): readonly WireCase[] {
  return [
    {
      name: `${kind}: a repetition is answered with the record, and executed once`,
      async run(harness) {
        const made = await harness.harness.newSubmission(kind)
        const upstream = await execute(harness, made)
        for (const _ of [1, 2]) {
          const record = recordOf(await send(harness, harness.proxy.sent(made.reference)))
          assert.equal(record.reference, upstream)
          assert.equal(record.client_reference, made.reference)
        }
        checkFound(await lookup(harness, made), upstream)
      },
    },
    {
      name: `${kind}: equal instructions that arrive together make one record`,
      async run(harness) {
        const [made, request] = await unsent(harness, kind)
        const answers = await Promise.all(Array.from({ length: together }, () => send(harness, request)))
        const records = answers.filter(({ status }) => status < 500).map((answer) => recordOf(answer).reference)
        assert.equal(new Set(records).size, 1, 'several records, or none')
        checkFound(await lookup(harness, made), records[0])
      },
    },
    {
      name: `${kind}: is found by the provider's reference alone, and keeps ours`,
      async run(harness) {
        const made = await harness.harness.newSubmission(kind)
        const upstream = await execute(harness, made)
        checkFound(await lookup(harness, made, upstream), upstream)
        const stranger = await lookup(harness, { ...made, reference: randomUUID() }, upstream)
        assert.equal(stranger.type, 'ambiguous', `a record of another reference: ${JSON.stringify(stranger.type)}`)
      },
    },
    {
      name: `${kind}: nobody else finds it`,
      async run(harness) {
        const made = await harness.harness.newSubmission(kind)
        const upstream = await execute(harness, made)
        const credentials = harness.sandbox.description.reader.credentials
        for (const known of [null, upstream]) {
          const result = await lookup(harness, { ...made, credentials }, known)
          assert.equal(result.type, 'not_found', JSON.stringify(result))
        }
      },
    },
    {
      name: `${kind}: members that the provider does not know are ignored`,
      async run(harness) {
        const [made, request] = await unsent(harness, kind)
        recordOf(await send(harness, changed(request, { member_of_a_later_version: { of: 'any form' } })))
        checkFound(await lookup(harness, made))
      },
    },
  ]
}

/** Cases: a refused, settled or expired instruction stays so. */
function finalCases(kind: OperationKind): readonly WireCase[] {
  return [
    {
      name: `${kind}: a refused instruction leaves no record, and its reference free`,
      needs: 'reject',
      async run(harness) {
        const [made, request] = await unsent(harness, kind)
        await harness.sandbox.order({ client_reference: made.reference, fault: 'reject' })
        checkRefused(await send(harness, request), [422])
        assert.equal((await lookup(harness, made)).type, 'not_found')
        recordOf(await send(harness, request))
        checkFound(await lookup(harness, made))
      },
    },
    {
      name: `${kind}: a final record never changes`,
      needs: 'settle_later',
      async run(harness) {
        const made = await harness.harness.newSubmission(kind)
        await harness.sandbox.order({ client_reference: made.reference, fault: 'settle_later' })
        const outcome = await harness.harness.provider.submit(made)
        assert.equal(outcome.type, 'submitted', JSON.stringify(outcome))
        await harness.sandbox.settle({ client_reference: made.reference, as: 'succeeded' })
        const settled = await lookup(harness, made)
        checkFound(settled)
        await harness.sandbox.settle({ client_reference: made.reference, as: 'failed' })
        assert.deepEqual(await lookup(harness, made), settled)
      },
    },
    {
      name: `${kind}: after its deadline it is refused and not executed, before it executed`,
      async run(harness) {
        const [made, request] = await unsent(harness, kind)
        const clock = await harness.sandbox.clock(kind)
        if (clock === undefined) throw new LeftOut('the provider promises nothing about deadlines (no as_of)')
        const late = { valid_until: new Date(Date.parse(clock) - 3_600_000).toISOString() }
        assert.equal(checkRefused(await send(harness, changed(request, late)), [422]), 'submission_expired')
        assert.equal((await lookup(harness, made)).type, 'not_found')
        const early = { valid_until: new Date(Date.parse(clock) + 3_600_000).toISOString() }
        recordOf(await send(harness, changed(request, early)))
        checkFound(await lookup(harness, made))
      },
    },
  ]
}

/** Cases: other contents of a used reference, a body of another form, and an absent thing are refused. */
function contentCases(kind: OperationKind): readonly WireCase[] {
  const cases: WireCase[] = []
  const other = otherContent[kind]
  if (other !== undefined)
    cases.push({
      name: `${kind}: another content under its reference is refused, and changes nothing`,
      async run(harness) {
        const made = await harness.harness.newSubmission(kind)
        const upstream = await execute(harness, made)
        checkRefused(await send(harness, changed(harness.proxy.sent(made.reference), other)), [409])
        checkFound(await lookup(harness, made), upstream)
      },
    })
  const broken = malformed[kind]
  if (broken !== undefined)
    cases.push({
      name: `${kind}: a request of another form is refused and not executed`,
      async run(harness) {
        const [made, request] = await unsent(harness, kind)
        checkRefused(await send(harness, changed(request, broken)), [400, 422])
        assert.equal((await lookup(harness, made)).type, 'not_found')
      },
    })
  if (needsResource.has(kind))
    cases.push({
      name: `${kind}: of what is not there is refused`,
      async run(harness) {
        const [made, request] = await unsent(harness, kind)
        const path = request.path.replace(encodeURIComponent(made.target?.upstreamReference ?? ''), 'not_there')
        checkRefused(await send(harness, { ...request, path }), [404, 422])
        assert.equal((await lookup(harness, made)).type, 'not_found')
      },
    })
  return cases
}

const needsResource: ReadonlySet<OperationKind> = new Set([
  'card_close',
  'card_freeze',
  'card_unfreeze',
  'mandate_revoke',
  'mandate_suspend',
  'mandate_transfer',
])

async function search(
  { proxy }: WireHarness,
  call: 'findBeneficiaries' | 'findCards' | 'findMandates',
  credentials: string,
  query: Readonly<Record<string, string>>,
): Promise<Answered> {
  const url = new URL(`${providerPath(call)}?${new URLSearchParams(query).toString()}`, proxy.url)
  const headers = { authorization: `Bearer ${credentials}`, accept: 'application/json' }
  const response = await fetch(url, { headers, signal: AbortSignal.timeout(patientMs) })
  return { status: response.status, value: await response.json() }
}

async function heldBy({ harness }: WireHarness, credentials: string): Promise<string> {
  const account = await harness.provider.spendingAccount({ credentials, timeoutMs: patientMs })
  assert(account.type === 'ok', JSON.stringify(account))
  return JSON.stringify(account.data.held)
}

function strangerCase(kind: OperationKind): WireCase {
  return {
    name: `${kind}: of an application that proves nothing is refused, and not executed`,
    async run(harness) {
      const { stranger } = harness
      assert(stranger !== undefined)
      const [made, { path, headers, body }] = await unsent(harness, kind)
      // Without a client certificate there may be no answer at all.
      const answer = await stranger.send({ method: 'POST', path, headers, body }).catch(() => undefined)
      assert(answer === undefined || (answer.status >= 400 && answer.status < 500), `it answered ${answer?.status}`)
      const asked = { ...made, upstreamReference: null }
      assert.equal((await harness.harness.provider.lookup(asked)).type, 'not_found')
    },
  }
}

const moneyCases: readonly WireCase[] = [
  {
    name: 'money: a transfer takes it once, a repetition and a refusal nothing',
    async run(harness) {
      const made = await harness.harness.newSubmission('transfer')
      const before = await heldBy(harness, made.credentials)
      await execute(harness, made)
      const after = await heldBy(harness, made.credentials)
      assert.notEqual(after, before, 'the transfer took nothing')
      await send(harness, harness.proxy.sent(made.reference))
      assert.equal(await heldBy(harness, made.credentials), after, 'the repetition took money')
      const [, refused] = await unsent(harness, 'transfer')
      checkRefused(await send(harness, changed(refused, { beneficiary_reference: 'nobody' })), [404, 422])
      assert.equal(await heldBy(harness, made.credentials), after, 'a refused transfer took money')
    },
  },
  {
    name: 'money: a transfer that fails later gives it back',
    needs: 'settle_later',
    async run(harness) {
      const made = await harness.harness.newSubmission('transfer')
      const before = await heldBy(harness, made.credentials)
      await harness.sandbox.order({ client_reference: made.reference, fault: 'settle_later' })
      const outcome = await harness.harness.provider.submit(made)
      assert.equal(outcome.type, 'submitted', JSON.stringify(outcome))
      await harness.sandbox.settle({ client_reference: made.reference, as: 'failed' })
      assert.equal((await lookup(harness, made)).type, 'found')
      assert.equal(await heldBy(harness, made.credentials), before)
    },
  },
]

async function submitTo(harness: WireHarness, kind: OperationKind, of: Submission, payload = harness.payloadOf(kind)) {
  const { credentials, target } = of
  const made = submission(kind, { credentials, target, payload, timeoutMs: patientMs })
  return { made, outcome: await harness.harness.provider.submit(made) }
}

async function checkUnexecuted(
  harness: WireHarness,
  { made, outcome }: Awaited<ReturnType<typeof submitTo>>,
): Promise<void> {
  assert.equal(outcome.type, 'failed', JSON.stringify(outcome))
  assert.equal((await lookup(harness, made)).type, 'not_found')
}

const cardCases: readonly WireCase[] = [
  {
    name: 'cards: a closed card can be closed again, and neither frozen nor unfrozen',
    async run(harness) {
      const made = await harness.harness.newSubmission('card_close')
      await execute(harness, made)
      const again = await submitTo(harness, 'card_close', made)
      assert.equal(again.outcome.type, 'succeeded', JSON.stringify(again.outcome))
      for (const kind of ['card_freeze', 'card_unfreeze'] as const)
        await checkUnexecuted(harness, await submitTo(harness, kind, made))
    },
  },
  {
    name: 'cards: a search shows the state, the card’s own record, and the actions that were asked for alone',
    async run(harness) {
      const made = await harness.harness.newSubmission('card_freeze')
      await execute(harness, made)
      const other = await submitTo(harness, 'card_unfreeze', made)
      const card = made.target?.upstreamReference ?? ''
      const read = async (query: Record<string, string>) => {
        const { status, value } = await search(harness, 'findCards', made.credentials, query)
        assert.equal(status, 200)
        return actionSearchAnswer.parse(value).data
      }
      const byAction = await read({ action_client_reference: made.reference })
      assert.deepEqual(
        byAction.map(({ reference, state }) => [reference, state]),
        [[card, 'active']],
      )
      const actions = byAction[0]?.actions.map(({ client_reference }) => client_reference)
      assert.deepEqual(actions, [made.reference])
      const both = await read({ reference: card, action_client_reference: other.made.reference })
      assert.deepEqual(
        both[0]?.actions.map(({ client_reference }) => client_reference),
        [other.made.reference],
      )
      assert.deepEqual((await read({ reference: card }))[0]?.actions, [])
      assert.deepEqual(await read({ action_client_reference: randomUUID() }), [])
    },
  },
  {
    name: 'searches: one that names nothing is refused',
    async run(harness) {
      const credentials = await harness.sandbox.connect(false)
      checkRefused(await search(harness, 'findCards', credentials, {}), [400])
    },
  },
]

const mandateCases: readonly WireCase[] = [
  {
    name: 'mandates: pay up to their limit, and not beyond',
    async run(harness) {
      const made = await harness.harness.newSubmission('mandate_transfer')
      const payload = harness.payloadOf('mandate_transfer')
      const tooMuch = { ...payload, amount: `9${String(payload['amount'])}` }
      await checkUnexecuted(harness, await submitTo(harness, 'mandate_transfer', made, tooMuch))
      await execute(harness, made)
    },
  },
  ...(['mandate_suspend', 'mandate_revoke'] as const).map(
    (kind): WireCase => ({
      name: `mandates: pay nothing after ${kind}`,
      async run(harness) {
        const made = await harness.harness.newSubmission(kind)
        await execute(harness, made)
        await checkUnexecuted(harness, await submitTo(harness, 'mandate_transfer', made))
      },
    }),
  ),
  {
    name: 'mandates: a revoked mandate stays revoked, and can be revoked again',
    async run(harness) {
      const made = await harness.harness.newSubmission('mandate_revoke')
      await execute(harness, made)
      await checkUnexecuted(harness, await submitTo(harness, 'mandate_suspend', made))
      const again = await submitTo(harness, 'mandate_revoke', made)
      assert.equal(again.outcome.type, 'succeeded', JSON.stringify(again.outcome))
      const query = { reference: made.target?.upstreamReference ?? '' }
      const { value } = await search(harness, 'findMandates', made.credentials, query)
      assert.deepEqual(
        actionSearchAnswer.parse(value).data.map(({ state }) => state),
        ['revoked'],
      )
    },
  },
]

const connectionCases: readonly WireCase[] = [
  {
    name: 'connections: a revoked connection reads and searches on, and instructs nothing more',
    async run(harness) {
      const made = await harness.harness.newSubmission('card_create')
      const upstream = await execute(harness, made)
      const { credentials } = made
      const revocation = await submitTo(harness, 'transfer_grant_revoke', made)
      assert.equal(revocation.outcome.type, 'succeeded', JSON.stringify(revocation.outcome))
      await checkUnexecuted(harness, await submitTo(harness, 'card_create', made))
      checkFound(await lookup(harness, made), upstream)
      assert.equal((await harness.harness.provider.accounts({ credentials, timeoutMs: patientMs })).type, 'ok')
      recordOf(await send(harness, harness.proxy.sent(made.reference)))
    },
  },
]

const signInCases: readonly WireCase[] = [
  {
    name: 'sign-in: an equal start is the same one, another return address is refused, and the page tells no secret',
    async run(harness) {
      const reference = randomUUID()
      const start = async (return_url: string) =>
        send(harness, {
          path: providerPath('startDeviceAuthentication'),
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ client_reference: reference, return_url }),
        })
      const read = ({ value }: Answered) => deviceAuthenticationStarted.parse(value).data
      const first = read(await start('https://api.example/return/1'))
      assert.deepEqual(read(await start('https://api.example/return/1')), first)
      checkRefused(await start('https://api.example/return/2'), [409])
      assert(!first.hosted_url.includes(first.reference), 'the page’s address has the secret of the application')
      const { provider } = harness.harness
      const polled = { authentication: first.reference, timeoutMs: patientMs }
      assert.deepEqual(await provider.pollDeviceAuthentication(polled), { type: 'pending' })
      const unknown = await provider.pollDeviceAuthentication({ ...polled, authentication: 'dva_nobody' })
      assert.equal(unknown.type, 'unavailable')
    },
  },
]

const published: WireCase = {
  name: 'answers: every one of this run has the published form',
  run: async ({ proxy }) => assert.deepEqual(proxy.violations(), []),
}
