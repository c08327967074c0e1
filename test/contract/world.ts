/**
 * The resources that exist when the rows of the route table are called. The stack's clients and owners create them
 * through the API.
 */

import { randomUUID } from 'node:crypto'
import { type Route, scopesOf } from '@financial-agents/contract/route'
import { routes } from '@financial-agents/contract/routes'
import type { ApiClient } from '@financial-agents/testkit/client'
import { vi } from 'vitest'
import type { Owner } from '../owner.test-helper.ts'
import { activeCard, activeMandate, create, mandateBody, pollUntil, settledResource } from '../stack.test-helper.ts'

const customers = Object.values(routes as Record<string, Route>).filter(({ audience }) => audience === 'customer')

/** Every scope that customers' routes require. */
export const everyScope = [...new Set(customers.flatMap(scopesOf))].join(' ')

/** The resources of the stack during the contract tests. */
export type World = {
  operationId: string
  beneficiaryId: string
  intentId: string
  /** Stays active. */
  mandateId: string
  /** A transfer made under that mandate. */
  transferId: string
  cardId: string
  accountId: string
  /** A service that can be bought, and one of its products. */
  serviceId: string
  productId: string
  purchaseQuoteId: string
  purchaseId: string
  subscriptionId: string
  deliveryId: string
  /** Each is for the one request that changes it. */
  mandateToSuspend: string
  mandateToRevoke: string
  cardToFreeze: string
  frozenCard: string
  cardToClose: string
  subscriptionToDelete: string
  grantToSuspend: string
}

/** Clients do not look into tokens, but a test may. */
export function grantIdOf(token: string): string {
  return JSON.parse(Buffer.from(token.split('.')[1] as string, 'base64url').toString()).grant_id
}

/** A URL for notifications that nothing receives. */
export const webhookUrl = 'https://127.0.0.1/hooks'

async function firstId(client: ApiClient, path: string, wanted: (item: { category?: string }) => boolean = () => true) {
  const { status, body } = await client.request('GET', path)
  const item = body['items']?.find(wanted)
  if (!item) throw new Error(`${path} answered ${status} without what is looked for: ${JSON.stringify(body)}`)
  return item.id as string
}

async function made(client: ApiClient, path: string, body: unknown): Promise<string> {
  const response = await client.request('POST', path, { body })
  if (response.status !== 201) throw new Error(`${path} was refused: ${JSON.stringify(response.body)}`)
  return response.body['id'] as string
}

async function frozenCardOf(client: ApiClient): Promise<string> {
  const id = await activeCard(client)
  const { body } = await client.request('POST', `/v1/cards/${id}/freeze`, { key: randomUUID() })
  await pollUntil(client, body['id'], ['succeeded'])
  await settledResource(client, `/v1/cards/${id}`, 'frozen')
  return id
}

async function activeBeneficiary(client: ApiClient) {
  const { body } = await create(client)
  await pollUntil(client, body['id'], ['succeeded'])
  await settledResource(client, `/v1/beneficiaries/${body['resource_id']}`, 'active')
  return { operationId: body['id'] as string, beneficiaryId: body['resource_id'] as string }
}

async function transferUnder(client: ApiClient, mandateId: string): Promise<string> {
  const body = { amount: '1.00', currency: 'EUR', reference: 'Rent November' }
  const response = await client.request('POST', `/v1/mandates/${mandateId}/transfers`, { key: randomUUID(), body })
  if (response.status !== 202) throw new Error(`a transfer was refused: ${JSON.stringify(response.body)}`)
  await pollUntil(client, response.body['id'], ['succeeded'])
  return response.body['resource_id'] as string
}

/**
 * Creates every resource that the fixtures name, for a client with every scope and its owner. `other` is a client that
 * may lose its grant.
 */
export async function createWorld(client: ApiClient, owner: Owner, other: Pick<ApiClient, 'token'>): Promise<World> {
  const { operationId, beneficiaryId } = await activeBeneficiary(client)
  const disconnect = { action: 'service_disconnect', request: { path: '/v1/service-connections/current' } }
  const serviceId = await firstId(client, '/v1/services?limit=100', ({ category }) => category === purchasable.category)
  const quote = { service_id: serviceId, product_id: purchasable.productId, quantity: 1 }
  const mandate = () => activeMandate(client, owner, mandateBody(beneficiaryId))
  const mandateId = await mandate()
  const subscriptionId = await made(client, '/v1/webhook-subscriptions', { url: webhookUrl })
  return {
    operationId,
    beneficiaryId,
    intentId: await made(client, '/v1/confirmation-intents', disconnect),
    mandateId,
    transferId: await transferUnder(client, mandateId),
    mandateToSuspend: await mandate(),
    mandateToRevoke: await mandate(),
    cardId: await activeCard(client),
    cardToFreeze: await activeCard(client),
    frozenCard: await frozenCardOf(client),
    cardToClose: await activeCard(client),
    accountId: await firstId(client, '/v1/accounts'),
    serviceId,
    productId: purchasable.productId,
    purchaseQuoteId: await made(client, '/v1/purchases/quotes', quote),
    purchaseId: await firstId(client, '/v1/purchases'),
    subscriptionId,
    deliveryId: await deliveryOf(client, subscriptionId),
    subscriptionToDelete: await made(client, '/v1/webhook-subscriptions', { url: webhookUrl }),
    grantToSuspend: grantIdOf(other.token()),
  }
}

/** A delivery of the subscription: something moves after it was made. */
async function deliveryOf(client: ApiClient, subscriptionId: string): Promise<string> {
  await activeBeneficiary(client)
  return vi.waitFor(() => firstId(client, `/v1/webhook-subscriptions/${subscriptionId}/deliveries`), {
    timeout: 120_000,
    interval: 100,
  })
}

/** A product of the fake provider. */
const purchasable = { category: 'postage', productId: 'letter-eu' }
