import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { apply, isFenced, type MandateEvent, mandateTransitions, type StoredState, visibleState } from './machine.ts'

/** Copied by hand from the decisions, never from the table. */
const oracle: Record<StoredState, Partial<Record<MandateEvent, StoredState>>> = {
  draft: { create_accepted: 'pending', create_voided: 'void' },
  void: { create_accepted: 'pending' },
  pending: { create_succeeded: 'active', create_failed: 'failed', end_repeated: 'suspended' },
  active: { suspend_accepted: 'suspending', revoke_accepted: 'revoking', end_repeated: 'suspended' },
  suspending: { suspend_succeeded: 'suspended', suspend_failed: 'suspended', revoke_accepted: 'revoking' },
  suspended: { revoke_accepted: 'revoking' },
  revoking: { revoke_succeeded: 'revoked', revoke_failed: 'revocation_failed' },
  revocation_failed: { revoke_accepted: 'revoking' },
  revoked: {},
  failed: {},
}
const states = Object.keys(oracle) as StoredState[]
const events = [...new Set(mandateTransitions.map(({ event }) => event))]

test('every event makes of every state what the decisions say, and nothing else', () => {
  for (const state of states)
    for (const event of events)
      expect([state, event, apply(state, event)]).toEqual([state, event, oracle[state][event]])
})

test('a suspension that is decided during or after a revocation changes nothing', () => {
  for (const state of ['revoking', 'revoked', 'revocation_failed'] as const)
    for (const event of ['suspend_accepted', 'suspend_succeeded', 'suspend_failed'] as const)
      expect(apply(state, event)).toBeUndefined()
})

test('nothing is submitted from the first word of a suspension or revocation on, and no event ends that', () => {
  const fenced = ['revocation_failed', 'revoked', 'revoking', 'suspended', 'suspending'] as const
  expect(states.filter(isFenced).toSorted()).toEqual(fenced.toSorted())
  for (const state of fenced)
    for (const event of events) expect([...fenced, undefined], `${state} ${event}`).toContain(apply(state, event))
})

test('the diagram in the README is the table', () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
  const diagram = /```mermaid\n([^`]*)```/.exec(readme)?.[1]
  const rows = mandateTransitions.map(({ from, event, to }) => `  ${from} --> ${to}: ${event}\n`)
  expect(diagram).toBe(`stateDiagram-v2\n  [*] --> draft\n${rows.join('')}`)
})

describe('what is seen', () => {
  const now = new Date('2026-11-20T12:00:00Z')
  const before = new Date('2026-11-20T12:00:00Z')
  const after = new Date('2026-11-20T12:00:00.001Z')
  const facts = { expires_at: after, used_up: false, fence_confirmed: true }

  test('is the state itself while there is time, something left, and no fence awaited', () => {
    for (const state of states) expect(visibleState({ ...facts, state }, now)).toBe(state)
  })

  test('is expired from the very moment on, where it was active or suspended and nowhere else', () => {
    const seen = states.filter((state) => visibleState({ ...facts, state, expires_at: before }, now) === 'expired')
    expect(seen).toEqual(['active', 'suspended'])
    expect(visibleState({ ...facts, state: 'active', expires_at: before, used_up: true }, now)).toBe('expired')
  })

  test('is exhausted where an active one has nothing left, and nowhere else', () => {
    const seen = states.filter((state) => visibleState({ ...facts, state, used_up: true }, now) === 'exhausted')
    expect(seen).toEqual(['active'])
  })

  test('is suspended or revoked only once the submitter has the fence', () => {
    const unconfirmed = { ...facts, fence_confirmed: false }
    expect(visibleState({ ...unconfirmed, state: 'suspended' }, now)).toBe('suspending')
    expect(visibleState({ ...unconfirmed, state: 'revoked' }, now)).toBe('revoking')
  })
})
