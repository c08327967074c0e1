import { cardStates } from '@financial-agents/contract/schemas/card'
import { describe, expect, test } from 'vitest'
import { applyToCard, type CardEvent, type CardRowState, cardMoves } from './card-machine.ts'

// Copied by hand from the decisions, never from the table under test.
// One line a state; the columns are the events in the order of `columns`; a dot is an illegal move, `*` the prior state.
const columns = [
  'create_accepted',
  'create_voided',
  'create_succeeded',
  'create_failed',
  'freeze_accepted',
  'freeze_succeeded',
  'freeze_failed',
  'unfreeze_accepted',
  'unfreeze_succeeded',
  'unfreeze_failed',
  'close_accepted',
  'close_succeeded',
  'close_failed',
] as const

const words: Record<string, CardRowState> = {
  pend: 'pending',
  void: 'void',
  actv: 'active',
  fail: 'failed',
  frzg: 'freezing',
  frzn: 'frozen',
  unfr: 'unfreezing',
  clsg: 'closing',
  clsd: 'closed',
}

const oracle: Record<string, string> = {
  draft: '     pend void  .    .    .    .    .    .    .    .    .    .    . ',
  void: '      pend  .    .    .    .    .    .    .    .    .    .    .    . ',
  pending: '    .    .   actv fail  .    .    .    .    .    .    .    .    . ',
  active: '     .    .    .    .   frzg  .    .    .    .    .   clsg  .    . ',
  freezing: '   .    .    .    .    .   frzn actv  .    .    .    .    .    . ',
  frozen: '     .    .    .    .    .    .    .   unfr  .    .   clsg  .    . ',
  unfreezing: ' .    .    .    .    .    .    .    .   actv frzn  .    .    . ',
  closing: '    .    .    .    .    .    .    .    .    .    .    .   clsd  *  ',
  closed: '     .    .    .    .    .    .    .    .    .    .    .    .    . ',
  failed: '     .    .    .    .    .    .    .    .    .    .    .    .    . ',
}

const standing = (state: string, prior_state: 'active' | 'frozen' | null = null) => ({
  state: state as CardRowState,
  prior_state,
})

describe('the card machine', () => {
  test('the oracle names every event and every state', () => {
    expect([...columns].toSorted()).toEqual([...new Set(cardMoves.map(({ event }) => event))].toSorted())
    expect(Object.keys(oracle).toSorted()).toEqual(['draft', 'void', ...cardStates].toSorted())
  })

  for (const [from, row] of Object.entries(oracle)) {
    const cells = row.trim().split(/\s+/)
    for (const [index, event] of columns.entries()) {
      const cell = cells[index] ?? 'missing'
      for (const prior of ['active', 'frozen'] as const) {
        const expected = cell === '*' ? prior : words[cell]
        test(`${from} (from ${prior}) on ${event}: ${expected ?? 'illegal'}`, () => {
          expect(applyToCard(standing(from, prior), event)?.state).toBe(expected)
        })
      }
    }
  }

  test.each<[CardRowState, CardEvent]>([
    ['active', 'freeze_accepted'],
    ['frozen', 'unfreeze_accepted'],
    ['active', 'close_accepted'],
    ['frozen', 'close_accepted'],
  ])('a change of an %s card remembers where it began (%s), and forgets it with its outcome', (from, event) => {
    const moved = applyToCard(standing(from), event)
    expect(moved?.prior_state).toBe(from)
    const action = event.split('_')[0] as 'freeze' | 'unfreeze' | 'close'
    const back = moved && applyToCard(moved, `${action}_failed`)
    expect(back).toEqual(standing(from))
    expect(moved && applyToCard(moved, `${action}_succeeded`)?.prior_state).toBeNull()
  })

  test('a closing card of which nobody knows where it began goes nowhere back', () => {
    expect(applyToCard(standing('closing'), 'close_failed')).toBeUndefined()
  })
})
