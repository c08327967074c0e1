/** Operations gets exactly the decision of the withdrawal itself, before an owner is asked to confirm. */

import { randomUUIDv7 } from 'node:crypto'
import type { GrantPolicy } from '@financial-agents/contract/schemas/authorization'
import { problemOf } from '@financial-agents/testkit/test-service'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { ceilings, eur, newPrincipal, startStack } from './started.test-helper.ts'

const stack = await startStack()
afterAll(() => stack.stop())
beforeEach(() => {
  stack.enabledCapabilities.splice(0, Number.POSITIVE_INFINITY, 'transfers.execute')
})

function newOwner(changes: Parameters<typeof stack.addBeneficiary>[1] = {}) {
  const principal = newPrincipal()
  const beneficiary_id = stack.addBeneficiary(principal.owner_id, changes)
  const body = (more: Record<string, unknown> = {}) => ({ beneficiary_id, amount: '5', currency: 'EUR', ...more })
  return { principal, body }
}

type Owner = ReturnType<typeof newOwner>

async function expectRefused({ principal, body }: Owner, changes: Record<string, unknown>, policy?: GrantPolicy) {
  const ahead = await stack.validate(principal, body(changes), policy)
  const given = { intentId: 'intent of a withdrawal', ...(policy ? { policy } : {}) }
  expect(ahead).toEqual(problemOf(await stack.withdraw(principal, body(changes), given)))
  return ahead
}

describe('a withdrawal that would be refused is refused ahead, in the same words, and nothing is drafted', () => {
  test.each<[string, Record<string, unknown>, string]>([
    ['above the provider’s maximum', { amount: '100000000' }, 'amount'],
    ['in another currency than the beneficiary’s', { currency: 'GBP' }, 'currency'],
    ['to a beneficiary that is not there', { beneficiary_id: randomUUIDv7() }, 'beneficiary_id'],
  ])('%s', async (_, changes, path) => {
    const owner = newOwner()
    expect(await expectRefused(owner, changes)).toMatchObject({ code: 'validation_failed', fields: [{ path }] })
    expect(await stack.rows(owner.principal)).toEqual([])
  })

  test('below the provider’s minimum', async () => {
    const owner = newOwner({ payout_schema_id: 'swift_us_usd', country: 'US', currency: 'USD' })
    const refused = { code: 'validation_failed', fields: [{ path: 'amount' }] }
    expect(await expectRefused(owner, { amount: '24.99', currency: 'USD' })).toMatchObject(refused)
  })

  test('above a ceiling of the grant', async () => {
    const refused = { code: 'grant_ceiling_exceeded' }
    const owner = newOwner()
    expect(await expectRefused(owner, {}, ceilings({ per_payment: eur('4') }))).toMatchObject(refused)
    expect(await expectRefused(owner, {}, ceilings({ per_day: eur('4') }))).toMatchObject(refused)
    expect(await stack.rows(owner.principal)).toEqual([])
  })

  test('where the capability is not enabled', async () => {
    stack.enabledCapabilities.length = 0
    expect(await expectRefused(newOwner(), {})).toMatchObject({ code: 'capability_unavailable' })
  })

  test('of an owner who is not connected', async () => {
    const { principal, body } = newOwner()
    const owner = { principal: { ...principal, binding_id: null }, body }
    expect(await expectRefused(owner, {})).toMatchObject({ code: 'provider_connection_unavailable' })
  })

  test('one that would be accepted is not, whatever confirmation the policy asks for', async () => {
    const { principal, body } = newOwner()
    const policy: GrantPolicy = { ...ceilings({}), confirmation: [{ action: 'transfer', above: null }] }
    expect(await stack.validate(principal, body(), policy)).toBeNull()
    expect(await stack.rows(principal)).toEqual([])
  })
})
