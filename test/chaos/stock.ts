/**
 * Resources for the runs, in the state that a kind needs. Resources that an earlier run left in a good state are used
 * again. Missing ones are created while the system is healthy.
 */

import { setTimeout as delay } from 'node:timers/promises'
import type { Precondition } from '@financial-agents/testkit/kinds-oracle'
import { settle, tell } from './load.ts'
import { type Payer } from './parties.ts'
import { confirmedIntent, connectedLeavers, connectLeavers, type World } from './world.ts'
import { beneficiaryOf, cardOf, freezeOf, keyed, termsOfMandate, type Write } from './write.ts'

export type Good = Precondition | 'card with a lost freeze' | 'leaver'

/** Finds the resources left by earlier runs. Called at the start of each run. */
export async function countStock(world: World): Promise<void> {
  const { database, stock, amara } = world
  stock.clear()
  const { rows } = await database.query<{ good: string; id: string }>(
    `SELECT state || ' card' AS good, id FROM cards.cards
     WHERE owner_id = $1 AND changes = '[]' AND state IN ('active', 'frozen') AND upstream_reference IS NOT NULL
     UNION ALL
     SELECT CASE m.state WHEN 'active' THEN 'active mandate' ELSE 'revocable mandate' END, m.id FROM beneficiaries.mandates m
     LEFT JOIN beneficiaries.mandate_fences f ON f.mandate_id = m.id
     WHERE m.owner_id = $1 AND m.state IN ('active', 'suspended', 'revocation_failed') AND m.id IS DISTINCT FROM $2
       AND m.suspend_operation_id IS NULL AND m.revoke_operation_id IS NULL
       AND coalesce(f.confirmed, true)`,
    [amara.owner_id, amara.mandate ?? null],
  )
  for (const { good, id } of rows) stock.set(good, [...(stock.get(good) ?? []), id])
  stock.set('leaver', [...(await connectedLeavers(world)).keys()])
}

/** Takes a resource of this state, or creates one. */
export async function stocked(world: World, good: Good, payer: Payer): Promise<string> {
  if (good === 'beneficiary')
    return (payer.beneficiary ??= await made(world, () =>
      keyed('beneficiary_create', payer, '/v1/beneficiaries', beneficiaryOf(payer)),
    ))
  if (good === 'mandate') return (payer.mandate ??= await makeMandate(world, payer))
  const kept = payer === world.amara ? world.stock.get(good)?.pop() : undefined
  if (kept !== undefined) return kept
  switch (good) {
    case 'active mandate':
      return makeMandate(world, payer)
    case 'revocable mandate':
      return stocked(world, 'active mandate', payer)
    case 'active card':
      return made(world, () => cardOf(payer))
    case 'frozen card': {
      const card = await stocked(world, 'active card', payer)
      return made(world, () => freezeOf(card, payer))
    }
    case 'card with a lost freeze':
      return makeLostFreeze(world, payer)
    default:
      throw new Error('no connection is left to be ended')
  }
}

/** Makes sure that this many connections can be ended. */
export async function stockLeavers(world: World, wanted: number): Promise<void> {
  if ((world.stock.get('leaver')?.length ?? 0) >= wanted) return
  await connectLeavers(world)
  world.stock.set('leaver', [...(await connectedLeavers(world)).keys()])
}

export async function makeMandate(world: World, payer: Payer, caps?: Record<string, unknown>): Promise<string> {
  const body = { beneficiary_id: await stocked(world, 'beneficiary', payer), ...termsOfMandate(caps) }
  const path = '/v1/mandates'
  return made(world, async () => {
    const intent = await confirmedIntent(world, payer, 'mandate_create', { path, body })
    const headers = { 'Confirmation-Intent-ID': intent }
    return { ...keyed('mandate_create', payer, path, body), headers }
  })
}

/** Creates a card with a freeze that never reached the provider. The freeze stays indeterminate. */
async function makeLostFreeze(world: World, payer: Payer): Promise<string> {
  const card = await stocked(world, 'active card', payer)
  await world.provider.faultOf({ kind: 'card_freeze' }, 'drop_before_accept', { times: 1 })
  let id = await tell(world, freezeOf(card, payer))
  for (let attempt = 0; attempt < 4_800; attempt += 1) {
    const { rows } = await world.database.query<{ state: string }>(
      'SELECT state FROM operations.operations WHERE id = $1',
      [id],
    )
    if (rows[0]?.state === 'indeterminate') return card
    // On a busy machine the submitter may have had no time to send it. The fault still waits for its request.
    if (rows[0]?.state === 'failed') id = await tell(world, freezeOf(card, payer))
    await delay(25)
  }
  throw new Error(`the freeze ${id} that was to be lost is not indeterminate`)
}

/**
 * Returns the resource of a write, once its operation has succeeded and its area shows that. `prepare` is called again for
 * a new write if the operation failed: on a busy machine the submitter may have had no time to send it.
 */
async function made(world: World, prepare: () => Write | Promise<Write>, attempts = 5): Promise<string> {
  const write = await prepare()
  const id = await tell(world, write)
  const state = id === undefined ? 'refused' : await settle(world, id)
  if (state === 'failed' && attempts > 1) return made(world, prepare, attempts - 1)
  if (id === undefined || state !== 'succeeded') throw new Error(`${write.kind} for the stock is ${state}`)
  for (let attempt = 0; attempt < 4_800; attempt += 1) {
    const { rows } = await world.database.query<{ resource_id: string }>(
      `SELECT resource_id FROM (SELECT * FROM beneficiaries.writes UNION ALL SELECT * FROM cards.writes) w
       WHERE operation_id = $1 AND outcome = 'succeeded'`,
      [id],
    )
    if (rows[0]) return rows[0].resource_id
    await delay(25)
  }
  throw new Error(`${write.kind} ${id} was not followed by its area`)
}
