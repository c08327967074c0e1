/**
 * Invariants of cards. A card follows its operations, whichever settles first. A card is shown as frozen only if the
 * provider has frozen it and no accepted operation may thaw it. A closed card stays closed.
 */

import type { OperationKind } from '@financial-agents/contract/kinds'
import { cardChanges, kindsOracle } from '@financial-agents/testkit/kinds-oracle'
import type { Change, Row } from '../virtual/tables.ts'
import { type Invariant, Violation } from './violation.ts'
import type { World } from './world.ts'

type CardContext = {
  violate: (invariant: Invariant, message: string) => void
  truthOf: (id: string) => { state: string; sequence: number } | undefined
  isAccepted: (id: unknown) => boolean
}

const terminal: ReadonlySet<unknown> = new Set(['succeeded', 'failed', 'cancelled'])
/** The state that a card shows while a change is unsettled. If there are several, the strongest applies: closing first. */
const during = cardChanges
  .toSorted((one, other) => strengthOf(other) - strengthOf(one))
  .map((kind) => [kind, kindsOracle[kind].shows.unsettled] as const)

function strengthOf(kind: OperationKind): number {
  const { isProvedByState, passes } = kindsOracle[kind]
  return isProvedByState ? 2 : passes.length > 0 ? 1 : 0
}

const rowsOf = (world: World, table: string): Row[] => [...(world.stores.cards.tables.get(table)?.rows.values() ?? [])]

const writesOf = (world: World, cardId: unknown): Row[] =>
  rowsOf(world, 'writes').filter((write) => write.resource_id === cardId && write.kind !== 'card_create')

export function cardValidators(world: World, { violate, truthOf, isAccepted }: CardContext) {
  function validateMade(key: string, after: Row): void {
    const made = after.operation_id as string
    if (!isAccepted(made)) violate('I7', `the card ${key} is visible and ${made} was not accepted`)
    const wanted = after.state === 'failed' ? ['failed', 'cancelled'] : ['succeeded']
    if (after.state !== 'pending' && !wanted.includes(String(truthOf(made)?.state)))
      violate('I7', `the card ${key} is ${String(after.state)} and ${made} is ${String(truthOf(made)?.state)}`)
  }
  function validateFrozen(key: string, after: Row): void {
    const thaws = writesOf(world, key).filter(({ kind }) => kind === 'card_unfreeze')
    if (thaws.some((write) => write.state === 'accepted' && write.outcome === null))
      violate('I7', `the card ${key} is frozen while an unfreeze is unsettled`)
    // Operations may have accepted the unfreeze while its write is still a draft here.
    const isOpen = thaws.some(({ operation_id: id }) => isAccepted(id) && !terminal.has(truthOf(id as string)?.state))
    const there = world.provider.cards.stateOf(after.upstream_reference)
    if (!isOpen && there === 'active') violate('I7', `the card ${key} is frozen and the provider has it ${there}`)
  }
  return {
    'cards/cards': ({ key, before, after }: Change) => {
      if (before?.state === 'closed' && after?.state !== 'closed')
        return violate('I7', `the card ${key} was closed and is ${String(after?.state)}`)
      if (!after || after.state === 'draft' || after.state === 'void') return
      const kinds = writesOf(world, key).flatMap(({ kind, settled }) => (settled === true ? [] : [kind]))
      if (new Set(kinds).size < kinds.length) violate('I7', `the card ${key} has two unsettled changes of one kind`)
      if (after.state === before?.state) return
      validateMade(key, after)
      if (after.state === 'frozen') validateFrozen(key, after)
      if (after.state === 'closed' && world.provider.cards.stateOf(after.upstream_reference) !== 'closed')
        violate('I7', `the card ${key} is closed, and not at the provider`)
    },
  }
}

/** At the end: the state that a card shows matches its operations and the provider. */
export function findUnmetCard(world: World): Violation | null {
  const operations = world.stores.operations.tables.get('operations')?.rows
  for (const card of rowsOf(world, 'cards')) {
    const { id, state } = card
    const changes = card.changes as { operation_id: string; state: string }[]
    const unsettled = changes.filter((change) => change.state === 'draft' || change.state === 'accepted')
    const pending = unsettled.at(-1)?.operation_id ?? null
    if (state === 'pending' || state === 'failed' || state === 'void') continue
    const open = writesOf(world, id).filter(
      (write) => write.state === 'accepted' && !terminal.has(operations?.get(write.operation_id as string)?.state),
    )
    const there = world.provider.cards.stateOf(card.upstream_reference)
    const [shown] = during.flatMap(([kind, name]) =>
      open.flatMap((write) => (write.kind === kind ? [{ name, write }] : [])),
    )
    const wanted =
      state === 'closed' || !shown
        ? { state: there, pending: null }
        : { state: shown.name, pending: shown.write.operation_id }
    if (state !== wanted.state || pending !== wanted.pending)
      return new Violation('I7', `the card ${String(id)} is ${String(state)} and should be ${String(wanted.state)}`)
    if (pending === null && changes.length > 0)
      return new Violation('I7', `the card ${String(id)} waits for changes that have all settled`)
  }
  return null
}
