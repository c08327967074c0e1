/** Operations gets exactly the decision of the write itself, before an owner is asked to confirm. */

import { randomUUIDv7 } from 'node:crypto'
import { statement } from '@financial-agents/postgres/database'
import { dataOf, newPrincipal, problemOf } from '@financial-agents/testkit/test-service'
import { afterAll, describe, expect, test } from 'vitest'
import { mandateBody, startMandates } from './area.test-helper.ts'

const area = await startMandates()
afterAll(() => area.stop())

const countWrites = statement('test_writes', 'SELECT count(*)::int AS writes FROM writes')
const writes = async () => (await area.db.rows<{ writes: number }>(countWrites, []))[0]?.writes

describe('a mandate that would be refused is refused ahead, in the same words, and nothing is drafted', () => {
  test.each<[string, Record<string, unknown>]>([
    ['a cap below a tighter one', { per_payment_max: '100.01' }],
    ['a cap finer than the currency', { per_payment_max: '12.345' }],
    ['an end that is past', { expires_at: '2020-01-01T00:00:00.000Z' }],
    ['a beneficiary that is not there', { beneficiary_id: randomUUIDv7() }],
    ['text with control characters', { authorized_rules: ['a\u0000b'] }],
  ])('%s', async (_, changes) => {
    const principal = newPrincipal()
    const body = mandateBody(await area.beneficiary(principal.owner_id), area.clock.nowMs(), changes)
    const before = await writes()
    const ahead = await area.validate.creation(principal, body)
    expect(ahead).toMatchObject({ code: 'validation_failed' })
    expect(ahead).toEqual(problemOf(await area.create(principal, body)))
    expect(await writes()).toBe(before)
  })

  test('an owner who is not connected', async () => {
    const principal = newPrincipal({ binding_id: null })
    const body = mandateBody(await area.beneficiary(principal.owner_id), area.clock.nowMs())
    const ahead = await area.validate.creation(principal, body)
    expect(ahead).toMatchObject({ code: 'provider_connection_unavailable' })
    expect(ahead).toEqual(problemOf(await area.create(principal, body)))
  })

  test('one that would be accepted is not', async () => {
    const principal = newPrincipal()
    const body = mandateBody(await area.beneficiary(principal.owner_id), area.clock.nowMs())
    const before = await writes()
    expect(await area.validate.creation(principal, body)).toBeNull()
    expect(await writes()).toBe(before)
  })
})

describe('a revocation that would be refused is refused ahead, in the same words, and nothing is drafted', () => {
  const expectRefused = async (principal: ReturnType<typeof newPrincipal>, id: string, code: string) => {
    const before = await writes()
    const ahead = await area.validate.revocation(principal, id)
    expect(ahead).toMatchObject({ code })
    expect(ahead).toEqual(problemOf(await area.act('revokeMandate', principal, id)))
    expect(await writes()).toBe(before)
  }

  test('from an active mandate it is not; while it is under way and once it is done it is', async () => {
    const { principal, id } = await area.active()
    const before = await writes()
    expect(await area.validate.revocation(principal, id)).toBeNull()
    expect(await writes()).toBe(before)
    const revocation = dataOf(await area.act('revokeMandate', principal, id))
    await area.see(principal, id, 'revoking')
    await expectRefused(principal, id, 'mandate_revocation_in_progress')
    area.settle(revocation, 'succeeded')
    await area.see(principal, id, 'revoked')
    await expectRefused(principal, id, 'mandate_already_revoked')
  })

  test('before the mandate is in force', async () => {
    const principal = newPrincipal()
    const body = mandateBody(await area.beneficiary(principal.owner_id), area.clock.nowMs())
    await expectRefused(principal, dataOf(await area.create(principal, body)).resource_id, 'mandate_not_active')
  })

  test('of a mandate that the client does not see', async () => {
    const { principal, id } = await area.active()
    await expectRefused({ ...principal, client_id: 'client-two' }, id, 'mandate_not_found')
    await expectRefused(principal, 'nonsense', 'mandate_not_found')
  })
})
