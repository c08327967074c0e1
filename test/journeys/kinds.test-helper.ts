/** One write of each kind of operation, prepared up to the request that creates it. For tests that cover all kinds. */

import { randomUUID } from 'node:crypto'
import type { OperationKind } from '@financial-agents/contract/kinds'
import type { ApiClient } from '@financial-agents/testkit/client'
import { isKeyed, kindsOracle, type Precondition, requestOf } from '@financial-agents/testkit/kinds-oracle'
import type pg from 'pg'
import type { Person } from '../authorization/flow.ts'
import { pressable } from '../authorization/page.ts'
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
  /** The only person whose connection ends. */
  person: Person
}

/** Sends the request; returns the id of its operation. */
export type Act = () => Promise<string>

export async function prepare(world: World, kind: OperationKind): Promise<Act> {
  if (!isKeyed(kind)) return disconnectAtAccountPage(world)
  const { given } = kindsOracle[kind]
  const id = given === undefined ? '' : await makers[given](world)
  const { beneficiary_id: _, ...mandate } = mandateBody(id)
  const { path, isConfirmed, ...request } = requestOf(kind, { ...world, id, amount: '2', mandate })
  if (!isConfirmed) return () => send(world, path, request)
  const intent = await confirmed(world.client, world.owner, kind, { path, ...request })
  return () => send(world, path, { ...request, headers: { 'Confirmation-Intent-ID': intent } })
}

/** Make the resources that writes name. */
const makers: { readonly [G in Precondition]: (world: World) => Promise<string> } = {
  beneficiary: async ({ beneficiary_id }) => beneficiary_id,
  mandate: newMandate,
  'active mandate': newMandate,
  'revocable mandate': newMandate,
  'active card': ({ client }) => activeCard(client),
  async 'frozen card'(world) {
    const id = await activeCard(world.client)
    await send(world, `/v1/cards/${id}/freeze`)
    await settledResource(world.client, `/v1/cards/${id}`, 'frozen')
    return id
  },
}

async function send(
  { client }: World,
  path: string,
  request: { body?: Record<string, unknown>; headers?: Record<string, string> } = {},
): Promise<string> {
  const { status, body } = await client.request('POST', path, { key: randomUUID(), ...request })
  if (status !== 202) throw new Error(`POST ${path} answered ${status}: ${JSON.stringify(body)}`)
  return body['id'] as string
}

function newMandate({ client, owner, beneficiary_id }: World): Promise<string> {
  return activeMandate(client, owner, mandateBody(beneficiary_id))
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
