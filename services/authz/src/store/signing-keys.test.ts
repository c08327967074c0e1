import { randomBytes } from 'node:crypto'
import { createSealer, sealingKeys } from '@financial-agents/runtime/sealing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeSigningKey } from '../signing-key.ts'
import { startTestServer, type TestServer } from '../test-server.test-helper.ts'
import { getSigningKeys } from './signing-keys.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const read = (sealer = server.sealer) => getSigningKeys(server.db, sealer, makeSigningKey, server.clock.now())

test('replicas that start at once on an empty database share one key', async () => {
  await server.db.rows({ name: 'test_no_keys', text: 'DELETE FROM signing_keys' })
  const sets = await Promise.all(Array.from({ length: 8 }, () => read()))
  expect(new Set(sets.map(([key]) => key?.kid)).size).toBe(1)
  expect(new Set(sets.map((keys) => keys.length))).toEqual(new Set([1]))
})

test('the private part is sealed at rest and opens with the sealing key alone', async () => {
  const [key] = await read()
  const [row] = await server.db.rows<{ private_jwk_sealed: Buffer }>({
    name: 'test_key',
    text: 'SELECT * FROM signing_keys',
  })
  expect(row?.private_jwk_sealed.toString('latin1')).not.toContain(key?.d)
  const foreign = createSealer(sealingKeys.parse(`a:${randomBytes(32).toString('base64')}`))
  await expect(read(foreign)).rejects.toThrow()
})
