import { Unavailable } from '@financial-agents/runtime/unavailable'
import { startPostgresProxy } from '@financial-agents/servers/postgres-proxy'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase, statement } from './database.ts'
import { CommitUnknown, failureReasonOf, isRowFault } from './errors.ts'
import { sqlMigration } from './migrate.ts'
import { createTestDatabase, patient } from './testing/database.ts'

const one = statement('one', 'SELECT 1 AS one')

/** A row here ends the commit of its transaction with an SQLSTATE, or ends the session. */
const ending = `
CREATE TABLE endings (how text);
CREATE FUNCTION end_commit() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF NEW.how = 'terminated' THEN PERFORM pg_terminate_backend(pg_backend_pid()), pg_sleep(60); END IF;
  RAISE EXCEPTION 'ended' USING ERRCODE = NEW.how;
END $$;
CREATE CONSTRAINT TRIGGER ends AFTER INSERT ON endings DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION end_commit();`
const endWith = statement('end_with', 'INSERT INTO endings (how) VALUES ($1)')

async function open() {
  const tables = await createTestDatabase({ service: 'errors', migrations: { '0001_init': sqlMigration(ending) } })
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

describe('a commit that PostgreSQL, or a pooler before it, ends', () => {
  let opened: Awaited<ReturnType<typeof open>>
  beforeAll(async () => {
    opened = await open()
  })
  afterAll(() => opened.close())
  const commits = (how: string): [string, () => Promise<unknown>][] => [
    ['transaction', () => opened.database.transaction((tx) => tx.rows(endWith, [how]))],
    ['atOnce', () => opened.database.atOnce([[endWith, [how]], [one]])],
  ]

  test.each(['terminated', '57P01', '57P02', '08006', '08007', '08P01', '40003', '58030', 'XX000'])(
    'with %s may have happened',
    async (how) => {
      for (const [name, commit] of commits(how)) await expect(commit(), name).rejects.toThrow(CommitUnknown)
      expect(await opened.database.rows(one)).toEqual([{ one: 1 }])
    },
  )

  test.each(['23505', '40001', '40P01', 'P0001'])('with %s has not happened', async (how) => {
    for (const [name, commit] of commits(how)) {
      const error = await commit().catch((refusal: unknown) => refusal)
      expect(error, name).not.toBeInstanceOf(Unavailable)
      expect(error, name).toMatchObject({ code: how })
    }
  })
})

test.each([
  ['53100', 'disk_full'],
  ['53200', 'out_of_memory'],
  ['53300', 'too_many_connections'],
  ['57P03', 'sqlstate_57'],
])('SQLSTATE %s is an outage with the reason %s', async (state, reason) => {
  const { database, close } = await open()
  const raise = `DO $$ BEGIN RAISE EXCEPTION 'no room' USING ERRCODE = '${state}'; END $$`
  const refused = await database.rows({ name: '', text: raise }).catch((error: Error) => error)
  expect(refused).toBeInstanceOf(Unavailable)
  expect(failureReasonOf((refused as Error).cause)).toBe(reason)
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
