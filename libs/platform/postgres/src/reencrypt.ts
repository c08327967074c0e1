/**
 * The command `reencrypt` of a service. It seals values again with the first key of a ring if another key of the ring
 * sealed them. Afterwards no row needs the other keys. Each batch is its own transaction. The service may run
 * meanwhile, and the command may be repeated.
 *
 * Invariant: a row is read and written under one lock, so no concurrent change is lost. A value that no key opens stays
 * as it is, and its row is reported.
 */

import type { Command } from '@financial-agents/runtime/command'
import { type databaseUrlConfig, readConfig } from '@financial-agents/runtime/config'
import { createSealer, type Sealer, type SealingKey } from '@financial-agents/runtime/sealing'
import { withDatabase } from './command-database.ts'
import { type Database, statement } from './database.ts'

/** A column of sealed values. Each value is sealed for the `id` of its row, a UUID. */
export type SealedColumn = { table: string; column: string }

/** The number of values that were sealed again, and the ids of the rows whose value no key opens. */
export type Reencrypted = { reencrypted: number; unopened: string[] }

type Row = { id: string; sealed: Buffer }

const batchSize = 1_000
const least = '00000000-0000-0000-0000-000000000000'
const greatest = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
const namedAtMost = 10

/** Visits all rows once, in the order of their ids. */
export async function reencrypt(
  db: Database,
  { table, column }: SealedColumn,
  keys: readonly SealingKey[],
): Promise<Reencrypted> {
  const sealer = createSealer(keys)
  const findEnd = statement(
    `reencrypt_end_${table}`,
    `SELECT id FROM ${table} WHERE id > $1 ORDER BY id OFFSET ${batchSize - 1} LIMIT 1`,
  )
  const find = statement(
    `reencrypt_find_${table}_${column}`,
    `SELECT id, ${column} AS sealed FROM ${table}
     WHERE id > $1 AND id <= $2 AND substring(${column} FROM 1 FOR length($3::bytea)) <> $3::bytea ORDER BY id FOR UPDATE`,
  )
  const write = statement(
    `reencrypt_write_${table}_${column}`,
    `UPDATE ${table} SET ${column} = anew.sealed FROM unnest($1::uuid[], $2::bytea[]) AS anew (id, sealed)
     WHERE ${table}.id = anew.id`,
  )
  const result: Reencrypted = { reencrypted: 0, unopened: [] }
  for (let after = least; after !== greatest; ) {
    const [end = { id: greatest }] = await db.rows<{ id: string }>(findEnd, [after])
    await db.transaction(async (tx) => {
      const anew: Row[] = []
      for (const { id, sealed } of await tx.rows<Row>(find, [after, end.id, sealer.prefix])) {
        const plain = openedBy(sealer, sealed, id)
        if (plain) anew.push({ id, sealed: sealer.seal(plain, id) })
        else result.unopened.push(id)
      }
      if (anew.length > 0) await tx.rows(write, [anew.map(({ id }) => id), anew.map(({ sealed }) => sealed)])
      result.reencrypted += anew.length
    })
    after = end.id
  }
  return result
}

function openedBy(sealer: Sealer, sealed: Buffer, id: string): Buffer | undefined {
  try {
    return sealer.open(sealed, id)
  } catch {
    return undefined
  }
}

/** @param options.keysOf returns the ring of keys from the command's configuration */
export function reencryptCommand<Config extends typeof databaseUrlConfig>(options: {
  service: string
  sealed: readonly SealedColumn[]
  config: Config
  keysOf: (given: ReturnType<typeof readConfig<Config>>) => readonly SealingKey[]
}): Command {
  const { service, sealed, config } = options
  return {
    summary: 'seal values of other keys again with the first key',
    usage: [
      ['reencrypt', `${namesOf(sealed)}: run it when every replica knows the first key, before another key is removed`],
    ],
    config,
    run: async ({ environment }) => {
      const given = readConfig(config, environment)
      const keys = options.keysOf(given)
      const called = { connectionString: given.DATABASE_URL, service, command: 'reencrypt' }
      const all: Reencrypted = { reencrypted: 0, unopened: [] }
      await withDatabase(called, async (db) => {
        for (const column of sealed) {
          const { reencrypted, unopened } = await reencrypt(db, column, keys)
          all.reencrypted += reencrypted
          all.unopened.push(...unopened)
        }
      })
      const { reencrypted, unopened } = all
      const done = `${namesOf(sealed)}: ${reencrypted} sealed anew with key ${keys[0]?.id}`
      if (unopened.length === 0) return [done]
      const named = unopened.slice(0, namedAtMost).join(', ')
      const more = unopened.length > namedAtMost ? ', …' : ''
      throw new Error(`${done}; ${unopened.length} of a key that is not in the ring: ${named}${more}`)
    },
  }
}

function namesOf(sealed: readonly SealedColumn[]): string {
  return [...new Set(sealed.map(({ table }) => table))].join(', ')
}
