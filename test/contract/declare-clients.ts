/** Applies the stack's registrations after a change, as an operator would with a new file. */

import { randomUUID } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { expect } from 'vitest'
import { parse, stringify } from 'yaml'
import type { TestStack } from '../stack.test-helper.ts'

export type Declared = Record<string, unknown> & { client_id: string }

export async function declareClients(stack: TestStack, change: (clients: Declared[]) => Declared[]): Promise<void> {
  const { clients } = parse(await readFile(stack.declarations.clientsFile, 'utf8')) as { clients: Declared[] }
  const file = join(stack.folder, `clients-${randomUUID()}.yaml`)
  await writeFile(file, stringify({ clients: change(clients) }, { aliasDuplicateObjects: false }))
  await stack.runCommand('authz', 'apply-clients', [file])
}

/**
 * Waits until the submitter has confirmed every fence that authz wants set or lifted. A client that is declared again
 * may write at once, but the submitter cancels its operations until it has lifted the client's fence.
 */
export async function fencesConfirmed(stack: TestStack): Promise<void> {
  const database = new pg.Client({ connectionString: stack.postgres.adminUrl })
  await database.connect()
  const unconfirmed = async () =>
    (await database.query('SELECT target, target_id FROM authz.fences WHERE confirmed_version < version')).rows
  await expect.poll(unconfirmed, { interval: 50 }).toEqual([])
  await database.end()
}
