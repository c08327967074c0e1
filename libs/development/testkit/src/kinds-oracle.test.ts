/** The table of kinds has the facts that were promised of each kind. */

import {
  isOperationKind,
  isPaymentKind,
  kindFacts,
  operationKinds,
  paymentKinds,
} from '@financial-agents/contract/kinds'
import { expect, test } from 'vitest'
import { byKind, kindsThat, oracleKinds } from './kinds-oracle.ts'

test('the table is the one that was meant', () => {
  const meant = byKind(({ resource, area, target, provedBy, pays, passes, raises }) => ({
    operatorWord: expect.stringMatching(/^[A-Z][\w’ ]+$/),
    resource,
    area,
    target,
    provedBy,
    pays,
    passesFences: passes,
    ...(raises === null ? {} : { raisesFence: raises }),
  }))
  expect(kindFacts).toEqual(meant)
})

test('the lists of kinds derive from the rows, in their order', () => {
  expect(operationKinds).toEqual(oracleKinds)
  expect(paymentKinds).toEqual(kindsThat(({ pays }) => pays))
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
