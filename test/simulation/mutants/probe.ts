/**
 * Runs the mutants of every statement against the recorded cases. A case notices a mutant if the mutant answers
 * differently from its statement or leaves different rows. Each mutant is tried until a case notices it.
 */

import { isDeep } from '@financial-agents/testkit/deep'
import type pg from 'pg'
import { acceptedMutants } from './accepted.ts'
import { mutantsOf } from './mutants-of-statements.ts'

export type Asked = {
  service: string
  name: string
  text: string
  values: readonly unknown[]
  answers: boolean
  /** True if the statement ran outside of a transaction. Otherwise `client` is inside of it. */
  alone: boolean
}

type Open = { about: string; noticed: boolean; mutants: Map<string, string>; accepted: string[] }

/**
 * Mutants that no case has noticed yet, by the text of their statement. Two services that share a statement share its
 * entry. Accepted mutants are not tried.
 */
export type Unnoticed = Map<string, Open>

/** Each execution would draw a token of its own. */
const withFixedTokens = (text: string) =>
  text.replaceAll('gen_random_uuid()', `'00000000-0000-4000-8000-000000000000'::uuid`)

/** Tries the remaining mutants of the statement, and leaves all rows as they were. */
export async function probe(client: pg.Client, asked: Asked, unnoticed: Unnoticed): Promise<void> {
  const text = withFixedTokens(asked.text)
  const open = unnoticed.get(text) ?? newOpen(asked.name, text)
  unnoticed.set(text, open)
  if (open.mutants.size === 0) return
  if (open.noticed && !isDeep) return
  if (asked.alone) await client.query('BEGIN')
  await tryMutants(client, { ...asked, text }, open)
  if (asked.alone) await client.query('ROLLBACK')
}

async function tryMutants(client: pg.Client, asked: Asked, open: Open): Promise<void> {
  const { text } = asked
  const tables = writtenBy(text)
  const expected = await outcome(client, text, asked.values, tables)
  if (asked.answers && expected.startsWith(failed))
    throw new Error(`${open.about} ${expected}, and did not when it was recorded`)
  for (const [name, mutant] of open.mutants)
    if ((await outcome(client, mutant, asked.values, tables)) !== expected) {
      open.mutants.delete(name)
      open.noticed = true
    }
}

function newOpen(about: string, text: string): Open {
  const mutants = mutantsOf(text).map((one) => ({ ...one, name: `${about}: ${one.what}` }))
  const tried = mutants.filter(({ name }) => !acceptedMutants.has(name))
  const accepted = mutants.filter(({ name }) => acceptedMutants.has(name))
  return {
    noticed: false,
    about,
    mutants: new Map(tried.map((one) => [one.name, one.text])),
    accepted: accepted.map(({ name }) => name),
  }
}

function writtenBy(text: string): string[] {
  const written = text.matchAll(/\b(?:INSERT\s+INTO|DELETE\s+FROM|(?<!FOR )(?<!KEY )UPDATE)\s+(?!SET\b)([a-z_]+)/gi)
  return [...new Set(Array.from(written, ([, table]) => table as string))]
}

const failed = 'failed: '

/** Returns the answer and the remaining rows as one text, then rolls everything back. */
async function outcome(
  client: pg.Client,
  text: string,
  values: readonly unknown[],
  tables: readonly string[],
): Promise<string> {
  await client.query('SAVEPOINT probe')
  try {
    const { rows } = await client.query<Record<string, unknown>>({ text, values: values as unknown[] })
    const answer = rows.map((row) => JSON.stringify(row)).toSorted()
    return JSON.stringify([answer, await digestOf(client, tables)])
  } catch (error) {
    return failed + String((error as { code?: string }).code)
  } finally {
    await client.query('ROLLBACK TO SAVEPOINT probe')
  }
}

async function digestOf(client: pg.Client, tables: readonly string[]): Promise<string | undefined> {
  if (tables.length === 0) return undefined
  const digests = tables.map((table) => `(SELECT sum(hashtextextended(t::text, 0)) FROM ${table} t)`)
  const { rows } = await client.query<{ digest: string }>(`SELECT concat_ws(' ', ${digests.join(', ')}) AS digest`)
  return rows[0]?.digest
}
