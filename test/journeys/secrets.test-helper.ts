/**
 * Returns everything that a stack stores or sends, as text: the rows of every table as the superuser sees them, every
 * message of every stream, every log. Also the forms in which a secret could appear in that text.
 */

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { connectBus } from '@financial-agents/bus/connect'
import { createLog } from '@financial-agents/runtime/log'
import type pg from 'pg'
import type { TestStack } from '../stack.test-helper.ts'

/** Name: `table operations.history`, `stream OPS_EVENT` or `log gateway`. Text: bytes as Latin-1. */
export type Place = { name: string; text: string }

export async function readTables(database: pg.Pool): Promise<Place[]> {
  const { rows: tables } = await database.query<{ schema: string; name: string; quoted: string }>(
    `SELECT nspname AS schema, relname AS name, format('%I.%I', nspname, relname) AS quoted
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE relkind IN ('r', 'p', 'm') AND NOT relispartition AND nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast')`,
  )
  const places: Place[] = []
  for (const { schema, name, quoted } of tables) {
    // The text of a row shows bytes in hexadecimal.
    const { rows } = await database.query<{ row: string }>(`SELECT t::text AS row FROM ${quoted} AS t`)
    const text = rows.map(({ row }) => row).join('\n')
    places.push({ name: `table ${schema}.${name}`, text: Buffer.from(text).toString('latin1') })
  }
  return places
}

/** A register of the witness keeps its last message alone. */
function noneAtThatPlace(error: Error): undefined {
  if (error.message !== 'no message found') throw error
}

/** Only the provisioner may read the streams. */
export async function readStreams({ nats }: TestStack): Promise<Place[]> {
  const bus = await connectBus({
    config: { NATS_URL: nats.server.url, NATS_NKEY_SEED: nats.seeds.provisioner },
    name: 'provisioner',
    log: createLog({ service: 'journey', level: 'silent' }),
  })
  try {
    const manager = await bus.connection.jetstreamManager()
    const places: Place[] = []
    for await (const { config, state } of manager.streams.list()) {
      const messages: string[] = []
      for (let seq = Math.max(1, state.first_seq); seq <= state.last_seq; seq += 1) {
        const message = await manager.streams.getMessage(config.name, { seq }).catch(noneAtThatPlace)
        if (!message) continue
        const { header, data } = message
        const headers = header ? [...header].map(([name, values]) => `${name}: ${values.join()}`) : []
        messages.push(...headers, Buffer.from(data).toString('latin1'))
      }
      places.push({ name: `stream ${config.name}`, text: messages.join('\n') })
    }
    return places
  } finally {
    await bus.drain()
  }
}

/** Logs of our own processes. The two fake providers stand for other companies' systems, so their logs do not count. */
export function readLogs({ folder }: TestStack): Place[] {
  return globSync('logs/*.log', { cwd: folder })
    .filter((file) => !file.includes('fake-'))
    .map((file) => ({
      name: `log ${file.slice('logs/'.length, -'.log'.length)}`,
      text: readFileSync(join(folder, file), 'latin1'),
    }))
}

export async function readEverything(stack: TestStack, database: pg.Pool): Promise<Place[]> {
  return [...(await readTables(database)), ...(await readStreams(stack)), ...readLogs(stack)]
}

/** Returns the names of the places that contain one of the secrets, in any form. */
export function findPlaces(places: readonly Place[], secrets: readonly (string | Buffer)[]): string[] {
  const forms = secrets.flatMap(formsOf)
  return places.filter(({ text }) => forms.some((form) => text.includes(form))).map(({ name }) => name)
}

/** Plain, hexadecimal and base64 (also inside a longer encoded text), and one encoding inside the other. */
export function formsOf(secret: string | Buffer): string[] {
  const bytes = Buffer.from(secret)
  const encoded = base64FormsOf(bytes)
  const texts = [bytes.toString('latin1'), ...encoded, ...base64FormsOf(Buffer.from(bytes.toString('hex')))]
  const inHex = [bytes, ...encoded.map((form) => Buffer.from(form))].map((form) => form.toString('hex'))
  return [...new Set([...texts, ...inHex, ...inHex.map((form) => form.toUpperCase())])]
}

/** The part of the base64 text that does not depend on the bytes around it, for each offset and both alphabets. */
function base64FormsOf(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap((before) => {
    const padded = Buffer.concat([Buffer.alloc(before), bytes])
    const firstCertain = Math.ceil((before * 8) / 6)
    const certain = padded.toString('base64').slice(firstCertain, Math.floor((padded.length * 8) / 6))
    return [certain, certain.replaceAll('+', '-').replaceAll('/', '_')]
  })
}
