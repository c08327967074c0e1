/**
 * The validators. The provider's ledger shows the executed payments; the tables show their clients and authority. The
 * checks do not rely on the answers to the adversary for this.
 */

import { kindsThat } from '@financial-agents/testkit/kinds-oracle'
import type pg from 'pg'
import type { LedgerEntry } from '../../stack.test-helper.ts'
import type { Accepted, Book } from './book.ts'
import { decimal, type Player } from './cast.ts'
import { type Transfer, validateList } from './transfers.ts'

type Operation = {
  id: string
  kind: string
  state: string
  grant_id: string
  client_id: string
  binding_id: string
}

const moves: ReadonlySet<string> = new Set(kindsThat(({ pays }) => pays))
const isExecuted = ({ outcome }: LedgerEntry) => outcome.startsWith('executed')

export type Breach = {
  ledger: readonly LedgerEntry[]
  operations: readonly Operation[]
  keys: readonly { client_id: string; route: string; key: string; operation_id: string }[]
  /** The transfers that each client was shown. */
  listed: ReadonlyMap<string, readonly Transfer[]>
}

export async function read(
  db: pg.Pool,
  ledger: readonly LedgerEntry[],
  players: readonly Player[],
  listed: Breach['listed'],
): Promise<Breach> {
  const clients = players.map(({ clientId }) => clientId)
  const { rows: operations } = await db.query<Operation>(
    'SELECT id, kind, state, grant_id, client_id, binding_id FROM operations.operations WHERE client_id = ANY ($1)',
    [clients],
  )
  const { rows: keys } = await db.query<Breach['keys'][number]>(
    'SELECT client_id, route, key, operation_id FROM operations.idempotency_keys WHERE client_id = ANY ($1)',
    [clients],
  )
  return { ledger, operations, keys, listed }
}

/** Describes every violation; empty if there is none. */
export function validate(book: Book, players: readonly Player[], found: Breach): string[] {
  return [
    ...book.violations,
    ...validateLedger(book, found),
    ...validateKeys(book, found),
    ...players.flatMap((player) => validateCeilings(book, player, found)),
    ...players.flatMap((player) => validateMandates(book, player, found)),
    ...validateEnds(book, players, found),
    ...players.flatMap((player) =>
      validateList(player, found.listed.get(player.clientId) ?? [], executed(book, found), book),
    ),
  ]
}

/** The executed payments, with their requests. */
function executed(book: Book, { ledger, keys }: Breach): Accepted[] {
  const done = ledger.filter((entry) => moves.has(entry.kind) && isExecuted(entry))
  const keyOf = new Map(keys.map(({ operation_id, key }) => [operation_id, key]))
  return done.flatMap(({ client_reference: id }): Accepted[] => {
    const [reported, sent] = [book.accepted.get(id), book.sent.get(keyOf.get(id) ?? '')]
    // If unequal requests share a key and none was answered, the smallest amount counts: an unknown fact is no
    // violation.
    const least = sent?.toSorted((a, b) => a.cents - b.cents)[0]
    return reported ? [reported] : least ? [{ ...least, id, transferId: '' }] : []
  })
}

function validateLedger(book: Book, found: Breach): string[] {
  const { ledger, operations } = found
  const counts = new Map<string, number>()
  for (const { client_reference: id } of ledger) counts.set(id, (counts.get(id) ?? 0) + 1)
  const repeated = [...counts].filter(([, count]) => count > 1).map(([id]) => `${id} was submitted twice`)
  const known = new Map(operations.map((each) => [each.id, each]))
  const strange = ledger.filter(({ kind, client_reference }) => moves.has(kind) && !known.has(client_reference))
  const done = new Set(ledger.filter(isExecuted).map(({ client_reference }) => client_reference))
  const denied = operations.filter(({ id, state }) => done.has(id) && (state === 'failed' || state === 'cancelled'))
  const unknown =
    ledger.filter((entry) => moves.has(entry.kind) && isExecuted(entry)).length - executed(book, found).length
  return [
    ...repeated,
    ...strange.map(({ client_reference }) => `${client_reference} is nobody's and was submitted`),
    ...denied.map(({ id, state }) => `${id} is ${state} and was executed`),
    ...(unknown > 0 ? [`${unknown} payments were executed that nobody had asked for`] : []),
  ]
}

function validateKeys(book: Book, { keys }: Breach): string[] {
  const operationsOf = new Map<string, Set<string>>()
  const note = (name: string, id: string) => operationsOf.set(name, (operationsOf.get(name) ?? new Set()).add(id))
  for (const { client_id, route, key, operation_id } of keys) note(`${client_id} ${route} ${key}`, operation_id)
  for (const { player, route, key, id, intent } of book.accepted.values()) {
    note(`${player} ${route} ${key}`, id)
    if (intent !== null) note(`intent ${intent}`, id)
  }
  return [...operationsOf]
    .filter(([, ids]) => ids.size > 1)
    .map(([name, ids]) => `${name} led to ${ids.size} operations`)
}

/**
 * A limit counts per owner and client and day, across all grants and kinds of payment. A run may pass midnight; each
 * day then counts.
 */
function validateCeilings(book: Book, { clientId, ceilings }: Player, found: Breach): string[] {
  if (!ceilings) return []
  const paid = executed(book, found).filter(({ player }) => player === clientId)
  const sum = paid.reduce((total, { cents }) => total + cents, 0)
  const days = new Set(found.ledger.map((entry) => entry.received_at.slice(0, 10))).size
  return [
    ...paid
      .filter(({ cents }) => cents > ceilings.perPayment)
      .map(({ id, cents }) => `${clientId} paid ${decimal(cents)} at once with ${id}`),
    ...(sum > ceilings.perDay * days ? [`${clientId} paid ${decimal(sum)} in ${days} day(s)`] : []),
  ]
}

function validateMandates(book: Book, { mandates }: Player, found: Breach): string[] {
  const paid = executed(book, found)
  return mandates.flatMap(({ id, perPayment, total, count }) => {
    const under = paid.filter(({ mandateId }) => mandateId === id)
    const sum = under.reduce((all, { cents }) => all + cents, 0)
    return [
      ...(sum > total ? [`${decimal(sum)} of ${decimal(total)} were paid under mandate ${id}`] : []),
      ...(under.length > count ? [`${under.length} of ${count} payments were made under mandate ${id}`] : []),
      ...under.filter(({ cents }) => cents > perPayment).map(({ cents }) => `${decimal(cents)} at once under ${id}`),
    ]
  })
}

/** Operations that only withdraw authority continue after the end of a grant. */
const protective: ReadonlySet<string> = new Set(kindsThat(({ passes }) => passes.includes('grant')))

function validateEnds(book: Book, players: readonly Player[], { ledger, operations }: Breach): string[] {
  const sent = new Set(ledger.map(({ client_reference }) => client_reference))
  const born = new Map(players.flatMap(({ mandates }) => mandates.map(({ id, grantId }) => [id, grantId])))
  const late = book.ended.flatMap(({ what, id: ended, how, begun }) => {
    const under = operations.filter(({ id, kind, grant_id, binding_id }) => {
      if (what === 'mandate') return kind === 'mandate_transfer' && book.accepted.get(id)?.mandateId === ended
      return (what === 'grant' ? grant_id : binding_id) === ended && !protective.has(kind)
    })
    return under
      .filter(({ id }) => sent.has(id) && !begun.has(id))
      .map(({ id, kind }) => `${kind} ${id} was begun after its ${what} had ended (${how})`)
  })
  const old = [...book.accepted.values()].filter(
    ({ mandateId, grantId }) => mandateId !== null && born.get(mandateId) !== grantId,
  )
  return [...late, ...old.map(({ id }) => `${id} was accepted under a mandate of a former grant`)]
}
