/**
 * One write of each kind of operation, prepared up to the request that creates it. For tests that cover all kinds. A
 * kind without a row does not compile.
 */

import { randomUUID } from 'node:crypto'
import type { OperationKind } from '@financial-agents/contract/kinds'
import type { ApiClient } from '@financial-agents/testkit/client'
import type pg from 'pg'
import { pressable } from '../authorization/page.ts'
import type { Person } from '../authorization/walk.ts'
import { type Owner, ownerOf } from '../owner.test-helper.ts'
import {
  activeCard,
  activeMandate,
  confirmed,
  mandateBody,
  settledResource,
  type TestStack,
} from '../stack.test-helper.ts'

/** The client and owner of the writes, and their resources. */
export type World = {
  stack: TestStack
  /** Connected as the superuser. */
  database: pg.Pool
  client: ApiClient
  owner: Owner
  /** The body of a new beneficiary. */
  payee: Record<string, unknown>
  currency: string
  /** An active beneficiary, for transfers and mandates. */
  beneficiary_id: string
  memo: string
  reference: string
  /** The only person whose connection ends. */
  person: Person
}

/** Sends the request; returns the id of its operation. */
export type Act = () => Promise<string>

type Kind = {
  /** The read that proves its outcome. */
  provedBy: string
  prepare(world: World): Promise<Act>
}

export const kinds: Readonly<Record<OperationKind, Kind>> = {
  beneficiary_create: {
    provedBy: 'beneficiary_by_reference',
    prepare: async (world) => () => send(world, '/v1/beneficiaries', { body: world.payee }),
  },
  card_create: {
    provedBy: 'card_read',
    prepare: async (world) => () =>
      send(world, '/v1/cards', { body: { label: 'Travel', type: 'virtual', currency: 'EUR' } }),
  },
  card_freeze: { provedBy: 'card_read', prepare: (world) => cardChange(world, 'freeze') },
  card_unfreeze: { provedBy: 'card_read', prepare: (world) => cardChange(world, 'unfreeze') },
  card_close: { provedBy: 'card_read', prepare: (world) => cardChange(world, 'close') },
  mandate_create: {
    provedBy: 'mandate_by_reference',
    prepare: (world) => confirmedSend(world, 'mandate_create', '/v1/mandates', mandateBody(world.beneficiary_id)),
  },
  mandate_suspend: {
    provedBy: 'grant_listing',
    prepare: async (world) => {
      const id = await newMandate(world)
      return () => send(world, `/v1/mandates/${id}/suspend`)
    },
  },
  mandate_revoke: {
    provedBy: 'grant_listing',
    prepare: async (world) => confirmedSend(world, 'mandate_revoke', `/v1/mandates/${await newMandate(world)}/revoke`),
  },
  mandate_transfer: {
    provedBy: 'transaction_lookup',
    prepare: async (world) => {
      const { currency, reference } = world
      const path = `/v1/mandates/${await newMandate(world)}/transfers`
      return () => send(world, path, { body: { amount: '1.50', currency, reference } })
    },
  },
  transfer: {
    provedBy: 'transaction_lookup',
    prepare: async (world) => () => {
      const { beneficiary_id, currency, memo } = world
      return send(world, '/v1/spending-account/withdrawals', { body: { beneficiary_id, amount: '2', currency, memo } })
    },
  },
  transfer_grant_revoke: { provedBy: 'grant_listing', prepare: disconnectAtAccountPage },
}

export const kindNames = Object.keys(kinds) as OperationKind[]

async function send(
  { client }: World,
  path: string,
  request: { body?: Record<string, unknown>; headers?: Record<string, string> } = {},
): Promise<string> {
  const { status, body } = await client.request('POST', path, { key: randomUUID(), ...request })
  if (status !== 202) throw new Error(`POST ${path} answered ${status}: ${JSON.stringify(body)}`)
  return body['id'] as string
}

/** Has the owner confirm a request; returns the function that sends exactly this request. */
async function confirmedSend(world: World, action: string, path: string, body?: Record<string, unknown>): Promise<Act> {
  const request = body ? { body } : {}
  const intent = await confirmed(world.client, world.owner, action, { path, ...request })
  return () => send(world, path, { ...request, headers: { 'Confirmation-Intent-ID': intent } })
}

function newMandate({ client, owner, beneficiary_id }: World): Promise<string> {
  return activeMandate(client, owner, mandateBody(beneficiary_id))
}

/** Prepares a change of a card in the state that the change starts from. */
async function cardChange(world: World, change: 'freeze' | 'unfreeze' | 'close'): Promise<Act> {
  const card = `/v1/cards/${await activeCard(world.client)}`
  if (change === 'unfreeze') {
    await send(world, `${card}/freeze`)
    await settledResource(world.client, card, 'frozen')
  }
  return () => send(world, `${card}/${change}`)
}

/** Connects the provider if it is not connected, and opens the page that asks before it ends the connection. */
async function disconnectAtAccountPage({ stack, database, person }: World): Promise<Act> {
  const owner = ownerOf(stack, person)
  const account = `${stack.baseUrl}/account`
  if (!pressable(await owner.read(account), /^disconnect…$/i))
    await owner.press(await owner.read(`${account}/connect`), /^connect$/i)
  const asking = await owner.press(await owner.read(account), /^disconnect…$/i)
  return async () => {
    await owner.press(asking, /^disconnect$/i)
    const { rows } = await database.query(
      `SELECT id FROM operations.operations WHERE kind = 'transfer_grant_revoke' ORDER BY created_at DESC LIMIT 1`,
    )
    return rows[0].id as string
  }
}
