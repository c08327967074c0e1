import { startPostgresProxy } from '@financial-agents/servers/postgres-proxy'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createInstance, newRequest, offeredAgain, openTestOperations, query } from './operations.test-helper.ts'

let tables: Awaited<ReturnType<typeof openTestOperations>>
let proxy: Awaited<ReturnType<typeof startPostgresProxy>>
let direct: ReturnType<typeof createInstance>
let broken: ReturnType<typeof createInstance>

beforeAll(async () => {
  tables = await openTestOperations()
  proxy = await startPostgresProxy(tables.connectionString)
  direct = createInstance(tables.open())
  broken = createInstance(tables.open(proxy.connectionString), { concurrency: 1 })
})
afterAll(async () => {
  await tables.close()
  await proxy.close()
})

async function countOperations(ids: readonly string[]): Promise<number> {
  const rows = await query(direct.db, 'SELECT 1 FROM operations WHERE id = ANY ($1::uuid[])', [ids])
  return rows.length
}

test.each(['before_commit', 'after_commit'] as const)(
  'a commit broken off %s: every offer of the batch is accepted once and answered so',
  async (at) => {
    const requests = Array.from({ length: 20 }, () => newRequest())
    proxy.arm(at)
    const results = await Promise.all(requests.map((request) => broken.accept(request)))
    expect(proxy.isDone()).toBe(true)
    expect(new Set(results.map((result) => result.type))).toEqual(new Set(['accepted']))
    expect(await countOperations(requests.map((request) => request.operation_id))).toBe(20)
    for (const request of requests) expect(broken.announced.map(({ id }) => id)).toContain(request.operation_id)
  },
)

test.each(['before_commit', 'after_commit'] as const)(
  'a commit broken off %s: of two offers of one draft exactly one learns that it was accepted',
  async (at) => {
    const request = newRequest()
    proxy.arm(at)
    const results = await Promise.all([broken.accept(request), direct.accept(request), direct.accept(request)])
    expect(proxy.isDone()).toBe(true)
    expect(results.map((result) => result.type).toSorted()).toEqual(['accepted', 'replayed', 'replayed'])
    expect(await countOperations([request.operation_id])).toBe(1)
  },
)

test('where no commit is ever answered, the area learns that acceptance is unknown, and a repeat finds the truth', async () => {
  const request = newRequest()
  proxy.arm('after_commit', 'after_commit', 'after_commit')
  const [first] = await Promise.allSettled([broken.accept(request)])
  expect(first).toMatchObject({ status: 'rejected', reason: { code: 'acceptance_unknown' } })
  expect(await direct.accept(offeredAgain(request))).toMatchObject({
    type: 'replayed',
    operation: { id: request.operation_id },
  })
})
