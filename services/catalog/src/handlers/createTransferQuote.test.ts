import { randomUUIDv7 } from 'node:crypto'
import { transferQuote } from '@financial-agents/contract/schemas/quote'
import { dataOf, newPrincipal, problemOf } from '@financial-agents/testkit/test-service'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Stack, startStack } from '../started.test-helper.ts'

let stack: Stack
beforeAll(async () => {
  stack = await startStack()
})
afterAll(() => stack.stop())
afterEach(() => stack.recover())

const good = { source_currency: 'EUR', target_currency: 'GBP', amount: '100.00', fixed_side: 'source' }
const send = (changes: Record<string, unknown> = {}, principal = newPrincipal()) =>
  stack.send('createTransferQuote', principal, { body: { ...good, ...changes } })

test('a quote is indicative and not executable, each with an id of its own', async () => {
  const [first, second] = [dataOf(await send()), dataOf(await send())] as { id: string }[]
  expect(first).toMatchObject({ indicative: true, executable: false, source: { amount: '100.00', currency: 'EUR' } })
  expect(transferQuote.safeParse(first).error).toBeUndefined()
  expect(second?.id).not.toBe(first?.id)
})

test('the fixed side is what was sent', async () => {
  const quote = dataOf(await send({ fixed_side: 'target' })) as { target: object }
  expect(quote.target).toEqual({ amount: '100.00', currency: 'GBP' })
})

test.each([
  ['source_currency', { source_currency: 'XXX' }],
  ['target_currency', { target_currency: 'XXX' }],
  ['amount', { amount: '0.001' }],
  ['amount', { amount: '999999999999' }],
])('what the provider does not quote for is refused by its member: %s %o', async (path, changes) => {
  expect(problemOf(await send(changes))).toMatchObject({ code: 'validation_failed', fields: [{ path }] })
})

test('a beneficiary has to be the owner’s and active; another answers as one that does not exist', async () => {
  const { owner_id } = newPrincipal()
  const known = (changes: object) => {
    const id = randomUUIDv7()
    stack.beneficiaries.set(id, { owner_id, state: 'active', upstream_reference: 'b', currency: 'GBP', ...changes })
    return id
  }
  const refuse = async (beneficiary_id: string, principal = newPrincipal({ owner_id })) =>
    problemOf(await send({ beneficiary_id }, principal))
  const unknown = await refuse(randomUUIDv7())
  expect(unknown).toMatchObject({ code: 'validation_failed', fields: [{ path: 'beneficiary_id' }] })
  expect(await refuse(known({}), newPrincipal())).toEqual(unknown)
  const pending = await refuse(known({ state: 'pending', upstream_reference: null }))
  expect(pending.fields).toEqual([{ path: 'beneficiary_id', message: expect.stringContaining('active') }])
  expect((await refuse(known({ state: 'failed' }))).fields).toMatchObject([{ path: 'beneficiary_id' }])
  // Our beneficiary is active, but the provider does not know its reference.
  expect((await refuse(known({}))).fields).toMatchObject([{ path: 'beneficiary_id' }])
})

test('the beneficiary is named to the provider by its own reference', async () => {
  const { owner_id } = newPrincipal()
  const upstream_reference = await payee()
  const id = randomUUIDv7()
  stack.beneficiaries.set(id, { owner_id, state: 'active', upstream_reference })
  dataOf(await send({ beneficiary_id: id, target_currency: 'EUR' }, newPrincipal({ owner_id })))
})

test('without a connection it is the connection that is refused, without an answer the provider', async () => {
  const gone = newPrincipal({ binding_id: `gone-${randomUUIDv7()}` })
  expect(problemOf(await send({}, gone)).code).toBe('provider_connection_unavailable')
  await stack.fail('transferQuote')
  expect(problemOf(await send()).code).toBe('provider_unavailable')
})

/** Creates a payee at the provider. Returns its reference there. */
async function payee(): Promise<string> {
  const outcome = await stack.adapter.submit({
    kind: 'beneficiary_create',
    reference: randomUUIDv7(),
    credentials: 'test-user-ines-carvalho-lisboa',
    timeoutMs: 2_000,
    validUntil: new Date(Date.now() + 3_600_000),
    payload: {
      name: 'Rui Sousa',
      country: 'PT',
      currency: 'EUR',
      payout_schema_id: 'sepa_pt_eur',
      details: { iban: 'PT50000201231234567890154' },
    },
  })
  if (outcome.type !== 'succeeded') throw new Error(`the payee is ${outcome.type}`)
  return outcome.upstreamReference
}
