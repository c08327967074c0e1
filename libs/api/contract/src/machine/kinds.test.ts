/**
 * Compares the table of kinds with a copy that is made by hand. A changed fact changes which money moves, so a change
 * must be intended.
 */

import { expect, test } from 'vitest'
import {
  type FenceTarget,
  isOperationKind,
  isPaymentKind,
  kindFacts,
  type OperationKind,
  operationKinds,
  paymentKinds,
} from './kinds.ts'

type Copy = [
  resource: string,
  area: string,
  target: string | null,
  passes: FenceTarget[],
  more?: { pays: true } | { raises: FenceTarget; maybeLifted?: true },
]

/** Written by hand, never derived from the table. */
const copy: Record<OperationKind, Copy> = {
  beneficiary_create: ['beneficiary', 'beneficiaries', null, []],
  card_close: ['card', 'cards', 'card', ['grant', 'client']],
  card_create: ['card', 'cards', null, []],
  card_freeze: ['card', 'cards', 'card', ['grant', 'client']],
  card_unfreeze: ['card', 'cards', 'card', []],
  mandate_create: ['mandate', 'beneficiaries', 'beneficiary', []],
  mandate_revoke: ['mandate', 'beneficiaries', 'mandate', ['grant', 'client', 'mandate'], { raises: 'mandate' }],
  mandate_suspend: [
    'mandate',
    'beneficiaries',
    'mandate',
    ['grant', 'client', 'mandate'],
    { raises: 'mandate', maybeLifted: true },
  ],
  mandate_transfer: ['mandate_transfer', 'beneficiaries', 'mandate', [], { pays: true }],
  transfer: ['withdrawal', 'spending', 'beneficiary', [], { pays: true }],
  transfer_grant_revoke: [
    'service_connection',
    'onboarding',
    null,
    ['grant', 'client', 'binding'],
    { raises: 'binding' },
  ],
}

test('the table is the one that was meant', () => {
  const meant = Object.entries(copy).map(([kind, [resource, area, target, passesFences, more = {}]]) => [
    kind,
    {
      resource,
      area,
      target,
      passesFences,
      pays: 'pays' in more,
      ...('raises' in more ? { raisesFence: more.raises } : {}),
      ...('maybeLifted' in more ? { fenceMayBeLifted: true } : {}),
    },
  ])
  expect(kindFacts).toEqual(Object.fromEntries(meant))
})

test('the lists of kinds derive from the rows, in their order', () => {
  expect(operationKinds).toEqual(Object.keys(copy))
  expect(paymentKinds).toEqual(['mandate_transfer', 'transfer'])
})

test('a kind that pays is stopped by every fence, and raises none', () => {
  for (const kind of operationKinds.filter(isPaymentKind)) {
    expect(kindFacts[kind].passesFences).toEqual([])
    expect(kindFacts[kind].raisesFence).toBeUndefined()
  }
})

test('a kind passes the fence that it raises: its own claim does not stop it', () => {
  for (const kind of operationKinds) {
    const { raisesFence, passesFences } = kindFacts[kind]
    if (raisesFence !== undefined) expect(passesFences).toContain(raisesFence)
  }
})

test('nothing else is a kind', () => {
  expect(operationKinds.every(isOperationKind)).toBe(true)
  expect(['loan_create', 'toString', '__proto__', ''].some(isOperationKind)).toBe(false)
})
