/**
 * The bounds of the Provider API are not tighter than those of our own API: the published shapes allow each instruction
 * that a client may ask for, in the form in which the adapter sends it. The longest and shortest texts come from the
 * contract's schemas, so the test fails if only one side changes.
 */

import { randomUUID } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import type { OperationKind } from '@financial-agents/contract/kinds'
import { createBeneficiaryBody } from '@financial-agents/contract/schemas/beneficiary'
import { createCardBody } from '@financial-agents/contract/schemas/card'
import { createMandateBody, createMandateTransferBody } from '@financial-agents/contract/schemas/mandate'
import { createWithdrawalBody } from '@financial-agents/contract/schemas/withdrawal'
import type { Provider } from '@financial-agents/provider-port/port'
import * as shapes from '@financial-agents/provider-port/primitives'
import { beneficiaries, caps } from '@financial-agents/provider-port/testing/submissions'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createHttpAdapter } from './adapter.ts'
import { allProviderCalls } from './api/calls.ts'

type Body = Readonly<Record<string, unknown>>

const beneficiary_id = '01980000-0000-7000-8000-000000000001'
const money = { amount: '12.50', currency: 'EUR' }

/** A body of each kind that has one, and the contract's schema of it. */
const bodies = {
  beneficiary_create: { schema: createBeneficiaryBody, usual: beneficiaries.sepa_de_eur },
  card_create: { schema: createCardBody, usual: { type: 'virtual', currency: 'EUR' } },
  mandate_create: {
    schema: createMandateBody,
    usual: { ...caps, beneficiary_id, expires_at: '2099-01-01T00:00:00Z' },
  },
  mandate_transfer: { schema: createMandateTransferBody, usual: money },
  transfer: { schema: createWithdrawalBody, usual: { ...money, beneficiary_id } },
} as const satisfies Partial<Record<OperationKind, { schema: z.ZodObject; usual: Body }>>

/** Amounts at the ends of the contract's bounds. */
const amounts = [
  { amount: '999999999999999999', currency: 'JPY' },
  { amount: '999999999999999999.99', currency: 'EUR' },
  { amount: '0.010000000000000000', currency: 'EUR' },
]
const cap = (value: string) =>
  Object.fromEntries(
    ['per_payment_max', 'daily_max', 'weekly_max', 'monthly_max', 'total_cap'].map((name) => [name, value]),
  )
const numbers: Partial<Record<OperationKind, readonly Body[]>> = {
  transfer: amounts,
  mandate_transfer: amounts,
  mandate_create: [
    ...['999999999999999999', '1e17', '+0.1E1', '.5', '5.', '1e-18', `${'9'.repeat(18)}.${'9'.repeat(18)}`].map(cap),
    { payment_count: 1 },
    { payment_count: 10_000 },
    { expires_at: '2099-01-01T00:00:00.123456+05:30' },
  ],
}

/** Texts of the least and of the most characters, in letters and in characters of two UTF-16 units, for each member. */
function textsOf(schema: z.ZodObject): Body[] {
  const { properties = {} } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return Object.entries(properties).flatMap(([name, property]) => {
    const { type, maxLength, minLength = 0, format } = property as z.core.JSONSchema.JSONSchema
    if (type !== 'string' || maxLength === undefined || format !== undefined) return []
    return ['a', '😀'].flatMap((character) =>
      [minLength, maxLength].map((length) => ({ [name]: character.repeat(length) })),
    )
  })
}

let server: Server
let provider: Provider
let received: { path: string; body: unknown }[] = []

beforeAll(async () => {
  server = createServer((request, response) => {
    void json(request).then((body) => {
      received.push({ path: request.url ?? '', body })
      response.writeHead(422, { 'content-type': 'application/json' }).end(JSON.stringify({ reason: 'not_today' }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  provider = createHttpAdapter({ baseUrl: `http://127.0.0.1:${port}`, connections: 2, connectTimeoutMs: 60_000 })
})
beforeEach(() => {
  received = []
})
afterAll(async () => {
  await provider.close()
  server.close()
})

/** The body that arrives at the provider for an accepted body. */
async function sent(kind: OperationKind, payload: Body, upstreamReference = 'payee_1'): Promise<unknown> {
  const outcome = await provider.submit({
    kind,
    payload,
    reference: randomUUID(),
    target: { upstreamReference },
    credentials: 'secret',
    timeoutMs: 60_000,
    validUntil: new Date(Date.now() + 3_600_000),
  })
  expect(received, `${kind} ${JSON.stringify(payload).slice(0, 200)}: ${JSON.stringify(outcome)}`).toHaveLength(1)
  return received.pop()?.body
}

describe.each(Object.entries(bodies))('%s', (name, { schema, usual }) => {
  const kind = name as OperationKind
  const shape = allProviderCalls.find(([, call]) => call.kind === kind)?.[1].body as z.ZodObject
  const members = textsOf(schema)
  const extremes: Body[] = [usual, ...members, ...(numbers[kind] ?? [])]

  test('what a client may send at the bounds is what the provider has to take', async () => {
    let validated = 0
    for (const extreme of extremes) {
      const payload = { ...usual, ...extreme }
      // The contract itself refuses some texts at the bounds: no valid code, or no visible character.
      if (!schema.safeParse(payload).success) continue
      validated += 1
      const { error } = shape.safeParse(await sent(kind, payload))
      expect(error?.issues ?? [], JSON.stringify(extreme).slice(0, 200)).toEqual([])
    }
    expect(validated).toBeGreaterThan(members.length / 2)
  })
})

test('the longest details of a beneficiary are allowed', async () => {
  const details = { [`k${'e'.repeat(63)}`]: 'x'.repeat(512) }
  const payload = { ...beneficiaries.sepa_de_eur, details }
  expect(createBeneficiaryBody.safeParse(payload).success).toBe(true)
  const shape = allProviderCalls.find(([, call]) => call.kind === 'beneficiary_create')?.[1].body as z.ZodObject
  expect(shape.safeParse(await sent('beneficiary_create', payload)).error).toBeUndefined()
})

test('every reference that the document allows can be kept, and be named by the next instruction', async () => {
  const longest = z.toJSONSchema(shapes.reference).maxLength as number
  for (const reference of ['r', 'r'.repeat(longest)]) {
    expect(shapes.reference.safeParse(reference).success).toBe(true)
    const body = await sent('transfer', { ...money, beneficiary_id }, reference)
    expect(body).toMatchObject({ beneficiary_reference: reference })
  }
})
