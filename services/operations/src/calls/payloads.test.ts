import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createInstance, newId, newRequest, openTestOperations } from '../operations.test-helper.ts'
import { createPayloads } from './payloads.ts'

let tables: Awaited<ReturnType<typeof openTestOperations>>
beforeAll(async () => {
  tables = await openTestOperations()
})
afterAll(() => tables.close())

test('as many payloads come as one message carries, the others are named, and an unknown id is neither', async () => {
  const db = tables.open()
  const { accept } = createInstance(db)
  const payload_sealed = randomBytes(90 * 1_024).toString('base64')
  const requests = Array.from({ length: 12 }, () => newRequest({ payload_sealed }))
  await Promise.all(requests.map((request) => accept(request)))
  const payloads = createPayloads(db)
  const ids = requests.map((request) => request.operation_id)
  const found: string[] = []
  let asked = [...ids, newId()]
  while (asked.length > 0) {
    const answer = await payloads({ operation_ids: asked })
    expect(answer.operations.length).toBeGreaterThan(0)
    expect(JSON.stringify(answer).length).toBeLessThan(1 << 20)
    found.push(...answer.operations.map(({ operation_id }) => operation_id))
    asked = answer.left_out
  }
  expect(found.toSorted()).toEqual(ids.toSorted())
})
