/**
 * A seeded sample of the matrix over real processes: each kind is killed at a step, and each service is killed at one
 * of its steps and at random moments. No accepted operation is lost, the provider's ledger never has a reference twice,
 * and the answers to clients match the tables. `pnpm chaos` covers every step.
 */

import { operationKinds } from '@financial-agents/contract/kinds'
import { seed } from '@financial-agents/testkit/deep'
import { serviceNames } from '@financial-agents/testkit/stack-services'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { tamperings } from './breaches.ts'
import { exhaustCap, exhaustCeiling } from './cap.ts'
import { atRandom, sampleOf } from './matrix.ts'
import { randomOf } from './random.ts'
import { perform, prepareWorld } from './run.ts'
import { look } from './soundness.ts'
import { nameOf } from './steps.ts'
import { startWorld, type World } from './world.ts'

let world: World

beforeAll(async () => {
  world = await startWorld(randomOf(seed))
  await prepareWorld(world)
})
// Each breach is reported by the test that found it, and not again.
afterEach(() => world.book.forget())
afterAll(() => world?.close())

describe(`each kind killed at a step (seed ${seed})`, () => {
  test.each(sampleOf(randomOf(seed)).map((run) => [`${nameOf(run.step)}: ${run.kinds[0]}`, run] as const))(
    '%s',
    async (_name, run) => {
      expect(await perform(world, run)).toEqual([])
    },
  )
})

describe(`each service killed at random timestamps under all kinds (seed ${seed})`, () => {
  test.each(serviceNames)('%s', async (service) => {
    const run = { step: { service, failpoint: atRandom }, way: 'randomTimestamps', kinds: operationKinds } as const
    expect(await perform(world, run)).toEqual([])
  })
})

test('500 concurrent transfers against a cap of 100 are accepted as far as they fit, whatever is killed meanwhile', async () => {
  expect(await exhaustCap(world, () => {})).toEqual([])
})

test('500 concurrent payments of both kinds against a ceiling of 100 a day are accepted as far as they fit, whatever is killed meanwhile', async () => {
  expect(await exhaustCeiling(world, () => {})).toEqual([])
})

describe('a breach is noticed', () => {
  test.each(tamperings)('$name', async ({ sql, seen }) => {
    const connection = await world.database.connect()
    try {
      await connection.query('BEGIN')
      await connection.query(sql)
      const database = connection as unknown as World['database']
      expect((await look({ ...world, database })).join('; ')).toMatch(seen)
    } finally {
      await connection.query('ROLLBACK')
      connection.release()
      world.book.forget()
    }
    expect(await look(world)).toEqual([])
  })

  test('a reference that the provider saw twice', async () => {
    const entry = (await world.provider.ledger()).find(({ kind }) => kind === 'beneficiary_create')
    const response = await fetch(`${world.stack.providerUrl}/provider/v1/beneficiaries`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer test-user-amara-okafor-leeds' },
      body: JSON.stringify({
        client_reference: entry?.client_reference,
        holder: { full_name: 'Rui Prado', alias: null },
        destination: {
          scheme_id: 'fps_gb_gbp',
          country_code: 'GB',
          currency_code: 'GBP',
          inputs: { sort_code: '601613', account_number: '31926819' },
        },
        third_party: true,
        purpose: null,
      }),
    })
    expect(response.status).toBe(201)
    expect((await look(world)).join('; ')).toMatch(/saw a reference more than once/)
  })
})
