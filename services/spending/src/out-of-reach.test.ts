import { randomUUID } from 'node:crypto'
import { dataOf, problemOf } from '@financial-agents/testkit/test-service'
import { afterAll, expect, test } from 'vitest'
import { newPrincipal, startStack } from './started.test-helper.ts'

const stack = await startStack({ operations: false, beneficiaries: false })
afterAll(() => stack.stop())

const principal = newPrincipal()
const beneficiary_id = stack.addBeneficiary(principal.owner_id)
const body = (amount: string) => ({ beneficiary_id, amount, currency: 'EUR' })

test('while its neighbours are away nothing is accepted and nothing refused unasked; the same request goes through later', async () => {
  const key = randomUUID()
  expect(problemOf(await stack.withdraw(principal, body('5'), { key })).code).toBe('service_unavailable')
  await stack.connectBeneficiaries()
  expect(problemOf(await stack.withdraw(principal, body('500000'))).code).toBe('service_unavailable')
  expect(await stack.rows(principal)).toEqual([])

  expect(problemOf(await stack.withdraw(principal, body('5'), { key })).code).toBe('service_unavailable')
  const [draft] = await stack.rows(principal)
  expect(draft?.state).toBe('draft')

  await stack.connectOperations()
  expect(dataOf(await stack.withdraw(principal, body('5'), { key })).id).toBe(draft?.operation_id)
  expect((await stack.rows(principal)).map(({ state }) => state)).toEqual(['accepted'])
})

test('without the area beneficiaries, a new request answers 503 and a replay is answered', async () => {
  const key = randomUUID()
  const { id } = dataOf(await stack.withdraw(principal, body('6'), { key }))
  await stack.disconnectBeneficiaries()
  expect(problemOf(await stack.withdraw(principal, body('6'))).code).toBe('service_unavailable')
  expect(await stack.withdraw(principal, body('6'), { key })).toMatchObject({ ok: true, replayed: true, data: { id } })
})
