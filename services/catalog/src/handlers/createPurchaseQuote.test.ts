import { purchaseQuote } from '@financial-agents/contract/schemas/quote'
import { statement } from '@financial-agents/postgres/database'
import { dataOf, newPrincipal, problemOf } from '@financial-agents/testkit/test-service'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { ownServices } from '../own-services.ts'
import { keptAfterExpiryMs } from '../prune.ts'
import { type Stack, serviceIdOf, startStack } from '../started.test-helper.ts'

let stack: Stack
let service_id: string
beforeAll(async () => {
  stack = await startStack()
  service_id = await serviceIdOf(stack, 'Phone credit')
})
afterAll(() => stack.stop())
afterEach(async () => {
  await stack.recover()
  stack.clock.setOffsetMs(0)
})

const recipient = '+351912345678'
const send = (changes: Record<string, unknown> = {}, principal = newPrincipal()) =>
  stack.send('createPurchaseQuote', principal, {
    body: { service_id, product_id: 'topup-10-eur', quantity: 1, recipient, ...changes },
  })
const get = (quote_id: string, principal = newPrincipal()) =>
  stack.send('getPurchaseQuote', principal, { params: { quote_id } })
const idOf = (data: unknown) => (data as { id: string }).id

test('a quote is indicative and not executable, and answers again as it was made', async () => {
  const principal = newPrincipal()
  const made = dataOf(await send({}, principal))
  expect(made).toMatchObject({
    indicative: true,
    executable: false,
    service_id,
    product_id: 'topup-10-eur',
    quantity: 1,
  })
  expect(purchaseQuote.safeParse(made).error).toBeUndefined()
  expect(dataOf(await get(idOf(made), principal))).toEqual(made)
})

test('an expired quote still answers, and is gone thirty days after its expiry', async () => {
  const principal = newPrincipal()
  const made = dataOf(await send({}, principal))
  stack.clock.setOffsetMs(keptAfterExpiryMs)
  expect(dataOf(await get(idOf(made), principal))).toEqual(made)
  stack.clock.setOffsetMs(keptAfterExpiryMs + 86_400_000)
  const isGone = async () => expect(problemOf(await get(idOf(made), principal)).code).toBe('purchase_quote_not_found')
  await vi.waitFor(isGone, { timeout: 120_000, interval: 25 })
})

test('a quote is its client’s and its owner’s; any other, an unknown and a malformed id answer alike', async () => {
  const principal = newPrincipal()
  const id = idOf(dataOf(await send({}, principal)))
  const answers = [
    await get(id, { ...principal, client_id: 'client-two' }),
    await get(id, newPrincipal()),
    await get('01990000-0000-7000-8000-000000000000', principal),
    await get("no-uuid'; --", principal),
    await get('\u0000', principal),
  ].map(problemOf)
  for (const problem of answers) expect(problem).toEqual(answers[0])
  expect(answers[0]?.code).toBe('purchase_quote_not_found')
})

test('the recipient is stored nowhere and logged nowhere, and the provider’s names are in no answer', async () => {
  const made = dataOf(await send())
  const stored = await stack.db.rows(statement('test_all', 'SELECT * FROM purchase_quotes'))
  expect(stored.length).toBeGreaterThan(0)
  for (const text of [JSON.stringify(stored), stack.logLines.join('')]) expect(text).not.toContain('912345678')
  expect(JSON.stringify(made)).not.toMatch(/est_|off_/)
})

test.each([
  ['service_id', () => ({ service_id: '01990000-0000-7000-8000-000000000000' })],
  ['service_id', () => ({ service_id: ownServices[0]?.id })],
  ['product_id', () => ({ product_id: 'nothing-like-it' })],
  ['quantity', () => ({ quantity: 2 })],
  ['recipient', () => ({ recipient: 'nobody' })],
  ['recipient', () => ({ recipient: undefined })],
])('what cannot be quoted is refused by its member: %s', async (path, changes) => {
  expect(problemOf(await send(changes()))).toMatchObject({ code: 'validation_failed', fields: [{ path }] })
})

test('a recipient with control characters is refused before the provider is asked', async () => {
  const problem = problemOf(await send({ recipient: 'Rui\nPrado' }))
  expect(problem.fields).toEqual([{ path: 'recipient', message: 'Send text without control characters.' }])
})

test('an unknown product is answered with what the service offers', async () => {
  const { fields } = problemOf(await send({ product_id: 'nothing-like-it' }))
  expect(fields?.[0]?.message).toContain('topup-10-eur')
})

test('without a connection it is the connection that is refused, without an answer the provider', async () => {
  const gone = newPrincipal({ binding_id: 'gone-away' })
  expect(problemOf(await send({}, gone)).code).toBe('provider_connection_unavailable')
  await stack.fail('purchaseQuote')
  expect(problemOf(await send()).code).toBe('provider_unavailable')
})
