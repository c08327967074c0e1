/**
 * A client that knows only the committed document. It sends thousands of good and nearly good requests and checks each
 * answer: no status, media type, code or member outside the document, and no 5xx status.
 * Equal seeds make equal requests.
 */

import { randomUUID } from 'node:crypto'
import { Problem, renderProblem } from '@financial-agents/contract/problem'
import type { ProblemCode } from '@financial-agents/contract/problem-catalogue'
import type { Route } from '@financial-agents/contract/route'
import { type RouteName, routes } from '@financial-agents/contract/routes'
import { amountOf, seed } from '@financial-agents/testkit/deep'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ownerOf } from '../owner.test-helper.ts'
import { clientOf, startTestStack, type TestStack } from '../stack.test-helper.ts'
import { fixtures } from './fixtures.ts'
import { faultOf, operations } from './fuzz/document.ts'
import { type FuzzRequest, requestsOf } from './fuzz/requests.ts'
import type { KnownValues } from './fuzz/values.ts'
import { createHandClient, type Sender } from './hand-client.ts'
import { createOperatorClient } from './operator-client.ts'
import { createWorld, everyScope, type World } from './world.ts'

const count = amountOf(1_800, 20_000)
const atOnce = 4
const nobody = '01980000-0000-7000-8000-00000000dead'

let stack: TestStack
let client: Sender
let operator: Sender
let world: World

beforeAll(async () => {
  stack = await startTestStack({ enabledCapabilities: ['transfers.execute', 'cards.reveal'] })
  const agent = await clientOf(stack, 'ines-agent', everyScope)
  const other = await clientOf(stack, 'ines-reader', 'beneficiaries:read')
  world = await createWorld(agent, ownerOf(stack, 'ines'), other)
  client = await createHandClient(stack, 'ines-agent', everyScope)
  operator = await createOperatorClient(stack)
})
afterAll(() => stack.close())

function knownOf(of: World): KnownValues {
  const operationIds = [of.operationId, nobody]
  const keys = Array.from({ length: 12 }, (_, index) => `key-of-fuzz-request-${index}`)
  return {
    id: operationIds,
    'getWebhookSubscription.id': [of.subscriptionId, nobody],
    'rotateWebhookSecret.id': [of.subscriptionId, nobody],
    'listWebhookDeliveries.id': [of.subscriptionId, nobody],
    'resendWebhookDelivery.id': [of.subscriptionId, nobody],
    delivery_id: [of.deliveryId, nobody],
    'deleteWebhookSubscription.id': [of.subscriptionToDelete, nobody],
    operation_id: operationIds,
    transfer_id: [of.transferId, nobody],
    resource_id: [of.beneficiaryId, of.cardId, nobody],
    beneficiary_id: [of.beneficiaryId, nobody],
    intent_id: [of.intentId, nobody],
    mandate_id: [of.mandateId, of.mandateToRevoke, nobody],
    'createMandateTransfer.mandate_id': [of.mandateId],
    'suspendMandate.mandate_id': [of.mandateToSuspend, nobody],
    grant_id: [of.grantToSuspend, nobody],
    card_id: [of.cardId, of.cardToClose, nobody],
    // A closed or suspended resource stays so, so these requests get resources of their own.
    'closeCard.card_id': [of.cardToClose, nobody],
    'freezeCard.card_id': [of.cardToFreeze, of.frozenCard, nobody],
    'unfreezeCard.card_id': [of.cardToFreeze, of.frozenCard, nobody],
    account_id: [of.accountId, nobody],
    service_id: [of.serviceId, nobody],
    product_id: [of.productId, 'none'],
    quote_id: [of.purchaseQuoteId, nobody],
    purchase_id: [of.purchaseId, nobody],
    payout_schema_id: ['sepa_pt_eur', 'none'],
    schema: ['sepa_pt_eur', 'none'],
    country: ['PT', 'XX'],
    currency: ['EUR', 'USD', 'XXX'],
    idempotency_key: keys,
    'Idempotency-Key': keys,
    'Confirmation-Intent-ID': [of.intentId, nobody],
  }
}

function bodiesOf(of: World): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fixtures).map(([name, { body }]) => [name, body?.(of)]))
}

const rows: Readonly<Record<RouteName, Route>> = routes
/** These need more than a request: the owner's confirmation, or an owner who is not verified. */
const outOfReach = (Object.keys(rows) as RouteName[])
  .filter((name) => rows[name].confirmation?.needed === 'always' || fixtures[name].by === 'unverified')
  .toSorted()

type Finding = { index: number; request: string; fault: string; answer: string }

async function validate(index: number, request: FuzzRequest): Promise<{ status: number; finding?: Finding }> {
  const { operation, target, headers, body, signed } = request
  const isSigned = signed && operation.protectedFor !== null
  const sent = { headers: fresh(headers, index), ...(body === undefined ? {} : { body }) }
  const unsigned = isSigned ? {} : { token: null, proof: null }
  const sender = operation.protectedFor === 'operator' ? operator : client
  const answer = await sender.send(operation.method, target, { ...sent, ...unsigned })
  const fault = faultOf(operation, answer)
  if (fault === undefined) return { status: answer.status }
  const line = `${operation.name}: ${operation.method} ${target} ${JSON.stringify(headers)} ${body ?? ''}`
  const finding = { index, request: line.slice(0, 1_500), fault, answer: JSON.stringify(answer.body).slice(0, 1_000) }
  return { status: answer.status, finding }
}

/** Half of the requests get a new key, so that writes are accepted throughout the run and not only replayed. */
function fresh(headers: FuzzRequest['headers'], index: number): FuzzRequest['headers'] {
  if (index % 2 === 0) return headers
  return headers.map(([name, value]) => [
    name,
    name === 'Idempotency-Key' ? `${value}-${randomUUID()}`.slice(-200) : value,
  ])
}

test('an answer beyond the document is noticed', () => {
  const operation = operations.find(({ name }) => name === 'getHealth') as (typeof operations)[number]
  const headers = new Headers({ 'x-request-id': 'a-request', 'content-type': 'application/json' })
  const body = { status: 'ok', time: '2026-01-01T00:00:00.000Z', checks: [] }
  expect(faultOf(operation, { status: 200, headers, body })).toBeUndefined()
  expect(faultOf(operation, { status: 418, headers, body })).toMatch(/status 418/)
  expect(faultOf(operation, { status: 500, headers, body })).toMatch(/status is 500/)
  expect(faultOf(operation, { status: 200, headers, body: { ...body, more: 1 } })).toMatch(/breaks its schema/)
  expect(faultOf(operation, { status: 422, headers, body })).toMatch(/media type/)
  expect(faultOf(operation, { ...problemBody('card_not_found'), status: 404 })).toMatch(/code/)
  expect(faultOf(operation, { ...problemBody('route_not_found'), status: 404 })).toBeUndefined()
})

function problemBody(code: ProblemCode) {
  const where = { baseUrl: 'https://api.example', instance: '/', requestId: 'a-request', refreshOnboarding: false }
  const headers = new Headers({ 'x-request-id': 'a-request', 'content-type': 'application/problem+json' })
  return { headers, body: { ...renderProblem(new Problem(code).data, where) } }
}

test(`what ${count} requests of seed ${seed} are answered with is documented`, async () => {
  const requests = fc.sample(requestsOf({ known: knownOf(world), bodies: bodiesOf(world) }), { seed, numRuns: count })
  const findings: Finding[] = []
  const succeeded = new Set<string>()
  let next = 0
  const work = async () => {
    for (let index = next++; index < requests.length; index = next++) {
      const { status, finding } = await validate(index, requests[index] as FuzzRequest)
      if (finding) findings.push(finding)
      if (status < 300) succeeded.add((requests[index] as FuzzRequest).operation.name)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  const distinct = new Map(findings.map((found) => [`${found.request.split(':')[0]} ${found.fault}`, found]))
  expect([...distinct.values()], `${findings.length} findings; TEST_SEED=${seed} repeats them`).toEqual([])
  // If every request of an operation were refused, the run would prove nothing about it.
  const refused = operations.map(({ name }) => name).filter((name) => !succeeded.has(name))
  expect(refused.toSorted()).toEqual(outOfReach)
})
