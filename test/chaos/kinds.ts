/** One write of each kind of operation, after the preparation that it needs before a kill. */

import type { OperationKind } from '@financial-agents/contract/kinds'
import { isKeyed, kindsOracle, requestOf } from '@financial-agents/testkit/kinds-oracle'
import { type Payer } from './parties.ts'
import { stocked } from './stock.ts'
import { confirmedIntent, connectedLeavers, type World } from './world.ts'
import { beneficiaryOf, keyed, termsOfMandate, type Write } from './write.ts'

export async function prepare(world: World, kind: OperationKind, payer: Payer): Promise<Write> {
  if (!isKeyed(kind)) return prepareDisconnect(world)
  const { given } = kindsOracle[kind]
  // A card is closed whatever became of a freeze of it.
  const good = kind === 'card_close' && world.random.pick([true, false]) ? 'card with a lost freeze' : given
  const id = good === undefined ? '' : await stocked(world, good, payer)
  const { currency, amount } = payer
  const values = { id, currency, amount, payee: beneficiaryOf(payer), mandate: termsOfMandate() }
  const { path, isConfirmed, ...request } = requestOf(kind, values)
  const made = keyed(kind, payer, path, request.body)
  if (!isConfirmed) return made
  const intent = await confirmedIntent(world, payer, kind, { path, ...request })
  return { ...made, headers: { 'Confirmation-Intent-ID': intent } }
}

async function prepareDisconnect(world: World): Promise<Write> {
  const owner = await stocked(world, 'leaver', world.amara)
  const leaver = world.leavers.get(owner)
  const connection = (await connectedLeavers(world)).get(owner)
  if (!leaver || connection === undefined) throw new Error('a leaver has no connection to end')
  const path = '/v1/service-connections/current'
  const intent = await confirmedIntent(world, leaver, 'service_disconnect', { path })
  const headers = { 'Confirmation-Intent-ID': intent }
  return { kind: 'transfer_grant_revoke', party: leaver, method: 'DELETE', path, headers, connection }
}
