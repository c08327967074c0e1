/**
 * Kills over real processes: in `test` a sample of the matrix, in which each service is killed at a step, and each kind
 * passes one of these; in a deep run every step, with all kinds that pass through it, and each service at random moments. No accepted
 * operation is lost, the provider's ledger never has a reference twice, and the answers to clients match the tables.
 */

import { isDeep, seed } from '@financial-agents/testkit/deep'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { tamperings } from './breaches.ts'
import { exhaustCap, exhaustCeiling } from './cap.ts'
import { allRuns, type Run, sampleOf } from './matrix.ts'
import { randomOf } from './random.ts'
import { perform, prepareWorld } from './run.ts'
import { look } from './soundness.ts'
import { nameOf } from './steps.ts'
import { startWorld, type World } from './world.ts'

const runs = isDeep ? allRuns() : sampleOf(randomOf(seed))
const whatOf = ({ kinds }: Run) => (kinds.length === 1 ? kinds[0] : `${kinds.length} kinds`)

let world: World

beforeAll(async () => {
  world = await startWorld(randomOf(seed), isDeep ? {} : { killed: runs.map(({ step }) => step.service) })
  await prepareWorld(world)
})
// Each breach is reported by the test that found it, and not again.
afterEach(() => world.book.forget())
afterAll(() => world?.close())

describe(`killed at a step (TEST_SEED=${seed})`, () => {
  test.each(runs.map((run) => [`${nameOf(run.step)}: ${whatOf(run)}`, run] as const))('%s', async (_name, run) => {
    expect(await perform(world, run)).toEqual([])
  })
})

if (isDeep)
  describe('500 concurrent payments are accepted as far as they fit, whatever is killed meanwhile', () => {
    test.each([
      ['transfers against a limit of 100', exhaustCap],
      ['payments of both kinds against a limit of 100 a day', exhaustCeiling],
    ])('%s', async (_name, exhaust) => {
      expect(await exhaust(world, () => {})).toEqual([])
    })
  })

describe('a breach is noticed', () => {
  describe('in the tables', () => {
    const expectSound = async () => expect(await look(world)).toEqual([])
    beforeAll(expectSound)
    // Everything was rolled back.
    afterAll(expectSound)

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
    })
  })

  test('a reference that the provider saw twice', async () => {
    const entry = (await world.provider.ledger()).find(({ kind }) => kind === 'beneficiary_create')
    const response = await fetch(`${world.stack.providerUrl}/provider/v1/beneficiaries`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer test-user-amara-okafor-leeds' },
      body: JSON.stringify({
        client_reference: entry?.client_reference,
        name: 'Rui Prado',
        country: 'GB',
        currency: 'GBP',
        payout_schema_id: 'fps_gb_gbp',
        details: { sort_code: '601613', account_number: '31926819' },
      }),
    })
    expect(response.status).toBe(201)
    expect((await look(world)).join('; ')).toMatch(/saw a reference more than once/)
  })
})
