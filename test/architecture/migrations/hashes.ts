/**
 * The committed hashes of migrations: `services/<service>/src/migrations/hashes.json` holds the SHA-256 of the SQL of
 * each.
 *
 * Invariant: a hash is added once and never replaced. A database that ran a migration does not run it again, so a
 * changed migration would give new installations a different schema from upgraded ones.
 */

import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Migrations } from '@financial-agents/postgres/migrate'
import { root, type ServiceMigrations } from './services.ts'

/** SHA-256 of a migration's SQL in hex, by the name of the migration. */
export type Hashes = Readonly<Record<string, string>>

export const freezeCommand = 'npx -y pnpm@12 freeze-migrations'

const fileOf = (service: string) => join(root, 'services', service, 'src/migrations/hashes.json')

/** Reads the committed hashes of a service; empty if the file does not exist. */
export function readHashes(service: string): Hashes {
  try {
    return JSON.parse(readFileSync(fileOf(service), 'utf8')) as Hashes
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw error
  }
}

export function hashesOf(migrations: Migrations): Hashes {
  return Object.fromEntries(
    Object.entries(migrations).map(([name, { text }]) => [name, createHash('sha256').update(text).digest('hex')]),
  )
}

/** Describes each forbidden change to the migrations, in one sentence each. */
export function findChanges(service: string, frozen: Hashes, now: Hashes): string[] {
  const last = Object.keys(frozen).toSorted().at(-1) ?? ''
  return [
    ...Object.entries(frozen).flatMap(([name, hash]) => {
      if (now[name] === undefined) return [`${service}: the frozen migration ${name} is gone. Restore it.`]
      if (now[name] === hash) return []
      return [
        `${service}: the frozen migration ${name} has changed. Databases that ran it keep the old schema. Undo the change and write a new migration.`,
      ]
    }),
    ...Object.keys(now)
      .filter((name) => frozen[name] === undefined && name < last)
      .map(
        (name) =>
          `${service}: the new migration ${name} must come after ${last}, which is frozen. Give it a later number.`,
      ),
  ]
}

/** Names the migrations without a hash, in one sentence each. */
export function findUnfrozen(service: string, frozen: Hashes, now: Hashes): string[] {
  return Object.keys(now)
    .filter((name) => frozen[name] === undefined)
    .map((name) => `${service}: the migration ${name} has no committed hash. Run ${freezeCommand}.`)
}

/**
 * Adds the hashes of new migrations to the file of a service, and returns their names.
 * @throws Error if a frozen migration has changed
 */
export function freeze({ service, migrations }: ServiceMigrations): string[] {
  const frozen = readHashes(service)
  const now = hashesOf(migrations)
  const changes = findChanges(service, frozen, now)
  if (changes.length > 0) throw new Error(changes.join('\n'))
  const added = Object.keys(now).filter((name) => frozen[name] === undefined)
  if (added.length > 0) writeFileSync(fileOf(service), `${JSON.stringify(now, null, 2)}\n`)
  return added
}
