/** One write of each kind of operation, after the preparation that it needs before a kill. */

import type { OperationKind } from '@financial-agents/contract/kinds'
import { kindsOracle, type OracleWrite } from '@financial-agents/testkit/kinds-oracle'
import { stocked } from './stock.ts'
import { confirmedIntent, connectedLeavers, type Payer, type World } from './world.ts'
import { beneficiaryOf, keyed, termsOfMandate, type Write } from './write.ts'

/** Prepares a write of the kind. */
export function prepare(world: World, kind: OperationKind, payer: Payer): Promise<Write> {
  const { write } = kindsOracle[kind]
  return write === null ? prepareDisconnect(world) : prepareWrite(world, kind, write, payer)
}

async function prepareWrite(world: World, kind: OperationKind, write: OracleWrite, payer: Payer): Promise<Write> {
  const { given, path: template, body: bodyOf, isConfirmed } = write
  // A card is closed whatever became of a freeze of it.
  const good = kind === 'card_close' && world.random.pick([true, false]) ? 'card with a lost freeze' : given
  const id = good === undefined ? '' : await stocked(world, good, payer)
  const { currency, amount } = payer
  const path = template.replace('{id}', id)
  const body = bodyOf?.({ id, currency, amount, payee: beneficiaryOf(payer), mandate: termsOfMandate() })
  const made = keyed(kind, payer, path, body)
  if (isConfirmed === undefined) return made
  const intent = await confirmedIntent(world, payer, kind, body === undefined ? { path } : { path, body })
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
