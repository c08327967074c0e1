/** What operations is told before an owner is asked to confirm: exactly what the withdrawal itself would be told. */

import { randomUUIDv7 } from 'node:crypto'
import type { GrantPolicy } from '@financial-agents/contract/schemas/authorization'
import { dataOf, problemOf } from '@financial-agents/testkit/area'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { ceilings, eur, newPrincipal, startStack } from './started.test-helper.ts'

const stack = await startStack()
afterAll(() => stack.stop())
beforeEach(() => {
  stack.enabledCapabilities.splice(0, Number.POSITIVE_INFINITY, 'transfers.execute')
})

function newOwner() {
  const principal = newPrincipal()
  const beneficiary_id = stack.addBeneficiary(principal.owner_id)
  const body = (changes: Record<string, unknown> = {}) => ({ beneficiary_id, amount: '5', currency: 'EUR', ...changes })
  return { principal, body }
}

type Owner = ReturnType<typeof newOwner>

async function expectRefused({ principal, body }: Owner, changes: Record<string, unknown>, policy?: GrantPolicy) {
  const ahead = await stack.judge(principal, body(changes), policy)
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
    expect(await stack.rows(owner.principal.grant_id)).toEqual([])
  })

  test('above a ceiling of the grant, and above what the day has left of one', async () => {
    const refused = { code: 'grant_ceiling_exceeded' }
    const owner = newOwner()
    expect(await expectRefused(owner, {}, ceilings({ per_payment: eur('4') }))).toMatchObject(refused)
    const policy = ceilings({ per_day: eur('7') })
    dataOf(await stack.withdraw(owner.principal, owner.body(), { policy }))
    expect(await expectRefused(owner, {}, policy)).toMatchObject(refused)
    expect(await stack.judge(owner.principal, owner.body({ amount: '2' }), policy)).toBeNull()
    expect(await stack.rows(owner.principal.grant_id)).toHaveLength(1)
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
    expect(await stack.judge(principal, body(), policy)).toBeNull()
    expect(await stack.rows(principal.grant_id)).toEqual([])
  })
})
