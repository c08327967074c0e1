import { Unavailable } from '@financial-agents/runtime/unavailable'
import { startPostgresProxy } from '@financial-agents/servers/postgres-proxy'
import { expect, test } from 'vitest'
import { openDatabase, statement } from './database.ts'
import { CommitUnknown, isRowFault } from './errors.ts'
import { createTestDatabase, patient } from './testing/database.ts'

const one = statement('one', 'SELECT 1 AS one')

async function open() {
  const tables = await createTestDatabase({ service: 'errors', migrations: {} })
  const proxy = await startPostgresProxy(tables.connectionString)
  const options = { ...patient, applicationName: 'test', schema: tables.schema, maxConnections: 2, onError: () => {} }
  const database = openDatabase({ ...options, connectionString: proxy.connectionString })
  const close = async () => {
    await database.close()
    await proxy.close()
    await tables.close()
  }
  return { database, proxy, close }
}

test('a broken connection, an absent server, a server that ends the session and a closed pool all count as out of reach', async () => {
  const { database, proxy, close } = await open()
  const sleeping = database.rows(statement('sleep', 'SELECT pg_sleep(100)'))
  const ended = database.rows(statement('end', 'SELECT pg_terminate_backend(pg_backend_pid())'))
  await expect(ended).rejects.toThrow(Unavailable)
  proxy.takeAway()
  await expect(sleeping).rejects.toThrow(Unavailable)
  await expect(database.rows(one)).rejects.toThrow(Unavailable)
  await expect(database.transaction((tx) => tx.rows(one))).rejects.toThrow(Unavailable)
  await expect(database.check()).rejects.toThrow(Unavailable)
  proxy.bringBack()
  expect(await database.rows(one)).toEqual([{ one: 1 }])
  await close()
  await expect(database.rows(one)).rejects.toThrow(Unavailable)
})

test('a commit that was not answered may have happened', async () => {
  const { database, proxy, close } = await open()
  proxy.arm('after_commit')
  const committed = database.transaction((tx) => tx.rows(one))
  await expect(committed).rejects.toThrow(CommitUnknown)
  await expect(committed).rejects.toMatchObject({ mayHaveHappened: true })
  await close()
})

test('a fault of a row or of a statement is no outage, and only the first is the row’s', async () => {
  const { database, close } = await open()
  const fail = (text: string) =>
    database.rows({ name: '', text }).then(
      () => undefined,
      (error: unknown) => error,
    )
  const ofRow = await fail('SELECT 1 / 0')
  const ofStatement = await fail('SELECT nothing FROM nowhere')
  expect([isRowFault(ofRow), isRowFault(ofStatement)]).toEqual([true, false])
  expect(ofRow).not.toBeInstanceOf(Unavailable)
  expect(ofStatement).not.toBeInstanceOf(Unavailable)
  await close()
})
