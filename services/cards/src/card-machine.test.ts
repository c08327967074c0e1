import { cardStates } from '@financial-agents/contract/schemas/card'
import { describe, expect, test } from 'vitest'
import {
  applyToChange,
  applyToCreation,
  type CardChange,
  type CardRowState,
  type ChangeEvent,
  creationMoves,
  type PriorState,
  type Standing,
  shownChange,
  validateBeginning,
  withDraft,
} from './card-machine.ts'

// Every expectation is copied by hand from the decisions, never from the tables under test.

const early = '2026-11-22T10:00:00.000Z'
const late = '2026-11-22T10:00:00.001Z'

const settledAt = (state: CardRowState): Standing => ({ state, prior_state: null, changes: [] })

/** A card on which these changes were accepted one after another. The name of a change is its operation. */
function changing(prior: PriorState, changes: readonly CardChange[]): Standing {
  return changes.reduce(
    (standing, change) => news(withDraft(standing, change, change), change, 'accepted'),
    settledAt(prior),
  )
}

function news(standing: Standing, operation: string, event: ChangeEvent, at: string | null = null): Standing {
  const next = applyToChange(standing, operation, event, at)
  if (!next) throw new Error(`${event} of ${operation} is none of the card's`)
  return next
}

describe('how a card is made', () => {
  const oracle: Record<string, Partial<Record<string, CardRowState>>> = {
    draft: { create_accepted: 'pending', create_voided: 'void' },
    void: { create_accepted: 'pending' },
    pending: { create_succeeded: 'active', create_failed: 'failed' },
  }
  const events = [...new Set(creationMoves.map(({ event }) => event))]
  test.each(['draft', 'void', ...cardStates] as const)('a card that is %s takes the events that it should', (state) => {
    for (const event of events) expect([event, applyToCreation(state, event)]).toEqual([event, oracle[state]?.[event]])
    expect(events).toHaveLength(4)
  })
})

describe('which change may begin', () => {
  test.each([
    ['draft', ['busy', 'busy', 'busy']],
    ['pending', ['busy', 'busy', 'busy']],
    ['active', ['legal', 'illegal', 'legal']],
    ['frozen', ['illegal', 'legal', 'legal']],
    ['closed', ['illegal', 'illegal', 'illegal']],
    ['failed', ['illegal', 'illegal', 'illegal']],
    ['void', ['illegal', 'illegal', 'illegal']],
  ] as const)('a card that is %s answers freeze, unfreeze and close with %s', (state, results) => {
    expect(
      (['freeze', 'unfreeze', 'close'] as const).map((change) => validateBeginning(change, settledAt(state))),
    ).toEqual(results)
  })

  const besides: [PriorState, CardChange[], freeze: string, unfreeze: string, close: string][] = [
    ['active', ['freeze'], 'busy', 'busy', 'legal'],
    ['frozen', ['unfreeze'], 'legal', 'busy', 'legal'],
    ['frozen', ['unfreeze', 'freeze'], 'busy', 'busy', 'legal'],
    ['active', ['close'], 'busy', 'busy', 'busy'],
    ['frozen', ['close'], 'busy', 'busy', 'busy'],
    ['active', ['freeze', 'close'], 'busy', 'busy', 'busy'],
    ['frozen', ['unfreeze', 'close'], 'busy', 'busy', 'busy'],
    ['frozen', ['unfreeze', 'freeze', 'close'], 'busy', 'busy', 'busy'],
  ]
  test.each(besides)('beside what is unsettled on a card that was %s (%s)', (prior, changes, ...results) => {
    const validated = (standing: Standing) =>
      (['freeze', 'unfreeze', 'close'] as const).map((change) => validateBeginning(change, standing))
    expect(validated(changing(prior, changes))).toEqual(results)
    const drafts = changes.reduce((standing, change) => withDraft(standing, change, change), settledAt(prior))
    expect(validated(drafts), 'undecided drafts count too').toEqual(results)
  })
})

/**
 * Each line: the state before, the accepted changes, their outcomes (s: succeeded, f: failed), and the state
 * afterwards, for any order of the events. `unfreeze>freeze` means that the provider made the freeze first.
 */
const outcomes: [prior: PriorState, changes: string, outcomes: string, after: CardRowState][] = [
  ['active', 'freeze', 's', 'frozen'],
  ['active', 'freeze', 'f', 'active'],
  ['frozen', 'unfreeze', 's', 'active'],
  ['frozen', 'unfreeze', 'f', 'frozen'],
  ['active', 'close', 's', 'closed'],
  ['active', 'close', 'f', 'active'],
  ['frozen', 'close', 's', 'closed'],
  ['frozen', 'close', 'f', 'frozen'],
  ['frozen', 'unfreeze<freeze', 'ss', 'frozen'],
  ['frozen', 'unfreeze>freeze', 'ss', 'active'],
  ['frozen', 'unfreeze=freeze', 'ss', 'active'],
  ['frozen', 'unfreeze?freeze', 'ss', 'active'],
  ['frozen', 'unfreeze<freeze', 'sf', 'active'],
  ['frozen', 'unfreeze<freeze', 'fs', 'frozen'],
  ['frozen', 'unfreeze<freeze', 'ff', 'frozen'],
  ['active', 'freeze<close', 'ss', 'closed'],
  ['active', 'freeze<close', 'fs', 'closed'],
  ['active', 'freeze<close', 'sf', 'frozen'],
  ['active', 'freeze<close', 'ff', 'active'],
  ['frozen', 'unfreeze<close', 'ss', 'closed'],
  ['frozen', 'unfreeze<close', 'fs', 'closed'],
  ['frozen', 'unfreeze<close', 'sf', 'active'],
  ['frozen', 'unfreeze<close', 'ff', 'frozen'],
  ['frozen', 'unfreeze<freeze<close', 'sss', 'closed'],
  ['frozen', 'unfreeze<freeze<close', 'ffs', 'closed'],
  ['frozen', 'unfreeze<freeze<close', 'sfs', 'closed'],
  ['frozen', 'unfreeze<freeze<close', 'fss', 'closed'],
  ['frozen', 'unfreeze<freeze<close', 'ssf', 'frozen'],
  ['frozen', 'unfreeze>freeze<close', 'ssf', 'active'],
  ['frozen', 'unfreeze=freeze<close', 'ssf', 'active'],
  ['frozen', 'unfreeze<freeze<close', 'sff', 'active'],
  ['frozen', 'unfreeze<freeze<close', 'fsf', 'frozen'],
  ['frozen', 'unfreeze<freeze<close', 'fff', 'frozen'],
]

/** The state that a card shows while these changes are unsettled. The newest change decides it. */
const during: Record<CardChange, CardRowState> = { unfreeze: 'unfreezing', freeze: 'freezing', close: 'closing' }

describe('what becomes of a card', () => {
  const times: Record<string, [unfreeze: string | null, freeze: string | null]> = {
    '<': [early, late],
    '>': [late, early],
    '=': [late, late],
    '?': [null, late],
  }
  test.each(outcomes)('a card that was %s, with %s that end as %s, is %s, whichever is heard of first', (...line) => {
    const [prior, written, ends, after] = line
    const changes = written.split(/[<>=?]/) as CardChange[]
    const [unfrozen, frozen] = times[/[<>=?]/.exec(written)?.[0] ?? '<'] as [string, string]
    const at = { unfreeze: unfrozen, freeze: frozen, close: late }
    for (const order of permutations(changes)) {
      let standing = changing(prior, changes)
      for (const [index, change] of order.entries()) {
        const unsettled = changes.filter((one) => order.indexOf(one) >= index)
        expect(standing).toMatchObject({ state: during[unsettled.at(-1) as CardChange], prior_state: prior })
        expect(shownChange(standing)?.operation_id).toBe(unsettled.at(-1))
        const event = ends[changes.indexOf(change)] === 's' ? 'succeeded' : 'failed'
        standing = news(standing, change, event, at[change])
        if (standing.state === 'closed') break
      }
      expect([order, standing]).toEqual([order, settledAt(after)])
      // A change that was unsettled when the card was closed does not affect the card any more.
      for (const change of changes)
        for (const event of ['accepted', 'succeeded', 'failed'] as const)
          expect(applyToChange(standing, change, event, late)).toBeUndefined()
    }
  })

  test('a card is never frozen while an accepted unfreeze is unsettled, however often it is frozen', () => {
    let standing = changing('frozen', ['unfreeze'])
    for (const [index, at] of ['2026-11-22T09:00:00.000Z', '2026-11-22T11:00:00.000Z'].entries()) {
      const operation = `freeze-${index}`
      standing = news(withDraft(standing, 'freeze', operation), operation, 'accepted')
      expect(standing.state).toBe('freezing')
      standing = news(standing, operation, 'succeeded', at)
      expect(standing).toMatchObject({ state: 'unfreezing', prior_state: 'frozen' })
    }
    expect(news(standing, 'unfreeze', 'succeeded', early)).toEqual(settledAt('frozen'))
    expect(news(standing, 'unfreeze', 'succeeded', '2026-11-22T12:00:00.000Z')).toEqual(settledAt('active'))
    expect(news(standing, 'unfreeze', 'failed')).toEqual(settledAt('frozen'))
  })

  test('a draft shows nothing, counts as nothing where it is void, and takes its place where it turns out accepted', () => {
    const drafted = withDraft(withDraft(settledAt('frozen'), 'unfreeze', 'u'), 'freeze', 'f')
    expect(drafted).toMatchObject({ state: 'frozen', prior_state: null })
    const freezing = news(news(drafted, 'f', 'accepted'), 'f', 'succeeded', early)
    // The draft may have been accepted, and may have unfrozen the card since.
    expect(freezing).toMatchObject({ state: 'freezing', prior_state: 'frozen' })
    expect(news(freezing, 'u', 'failed')).toEqual(settledAt('frozen'))
    expect(news(freezing, 'u', 'succeeded', late)).toEqual(settledAt('active'))
    // The card does not wait for a second freeze that was never accepted.
    expect(news(withDraft(freezing, 'freeze', 'g'), 'g', 'failed')).toEqual(freezing)
    const unfreezing = news(freezing, 'u', 'accepted')
    expect(unfreezing).toMatchObject({ state: 'unfreezing', prior_state: 'frozen' })
    expect(news(unfreezing, 'u', 'succeeded', late)).toEqual(settledAt('active'))
    expect(news(news(drafted, 'u', 'succeeded', late), 'f', 'failed')).toEqual(settledAt('active'))
    const closing = news(withDraft(drafted, 'close', 'c'), 'c', 'accepted')
    expect(closing).toMatchObject({ state: 'closing', prior_state: 'frozen' })
    const open = news(closing, 'c', 'failed')
    expect(open).toMatchObject({ state: 'closing', prior_state: 'frozen' })
    expect([shownChange(freezing)?.operation_id, shownChange(open)?.operation_id]).toEqual(['f', 'c'])
    expect(news(news(open, 'u', 'failed'), 'f', 'failed')).toEqual(settledAt('frozen'))
    expect(news(news(open, 'u', 'succeeded', early), 'f', 'failed')).toEqual(settledAt('active'))
  })
})

function permutations<Item>(items: readonly Item[]): Item[][] {
  if (items.length === 0) return [[]]
  return items.flatMap((item) => permutations(items.filter((other) => other !== item)).map((rest) => [item, ...rest]))
}
