/** Migrations are frozen text: each is one SQL literal that never changes once its hash is committed. */

import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { findChanges, findUnfrozen, hashesOf, readHashes } from './hashes.ts'
import { listServiceMigrations, root } from './services.ts'

/** A comment, the import of `sqlMigration`, and one literal without interpolation. A migration can contain no live code. */
const frozenText =
  /^\/\*\*[^]*?\*\/\n\nimport \{ sqlMigration \} from '@financial-agents\/postgres\/migrate'\n\nexport const \w+ = sqlMigration\((?:'[^'\n]*'|`(?:[^`$\\]|\$(?!\{)|\\[^])*`)\)\n$/

const all = await listServiceMigrations()

describe.each(all)('the migrations of $service', ({ service, migrations }) => {
  const folder = join(root, 'services', service, 'src/migrations')
  const files = globSync('*', { cwd: folder }).toSorted()

  test('are text, and import nothing but sqlMigration', () => {
    const live = files.filter(
      (file) => file.endsWith('.ts') && !frozenText.test(readFileSync(join(folder, file), 'utf8')),
    )
    expect(live, 'write SQL as one literal: a value that changes later would change what the migration did').toEqual([])
  })

  test('are listed, each under the name of its file', async () => {
    expect(files.filter((file) => file !== 'hashes.json').map((file) => basename(file, '.ts'))).toEqual(
      Object.keys(migrations).toSorted(),
    )
    for (const [name, migration] of Object.entries(migrations)) {
      const content = (await import(join(folder, `${name}.ts`))) as Record<string, unknown>
      expect(Object.values(content), name).toEqual([migration])
    }
  })

  test('match their committed hashes', () => {
    const [frozen, now] = [readHashes(service), hashesOf(migrations)]
    expect([...findChanges(service, frozen, now), ...findUnfrozen(service, frozen, now)]).toEqual([])
  })
})

test('a migration with an interpolated value or another import is not text', () => {
  const file = (imports: string, sql: string) =>
    `/** A table. */\n\n${imports}\n\nexport const init = sqlMigration(${sql})\n`
  const allowed = "import { sqlMigration } from '@financial-agents/postgres/migrate'"
  expect(file(allowed, "`SELECT '$1', $$ $$, '\\\\d'`")).toMatch(frozenText)
  expect(file(allowed, "'SELECT 1'")).toMatch(frozenText)
  for (const sql of ['`SELECT ${value}`', '`SELECT 1` + more', 'text', 'textOf()', '`a` + `b`'])
    expect(file(allowed, sql)).not.toMatch(frozenText)
  expect(file(`${allowed}\nimport { states } from './states.ts'`, '`SELECT 1`')).not.toMatch(frozenText)
  expect(file(allowed, '`SELECT 1`').replace('export', 'const more = 1\nexport')).not.toMatch(frozenText)
})

test('a changed, a removed, a late and a new migration are each told apart, and the message says what to do', () => {
  const frozen = { '0001_init': 'a', '0003_more': 'b' }
  expect(findChanges('cards', frozen, { ...frozen, '0004_new': 'c' })).toEqual([])
  expect(findUnfrozen('cards', frozen, { ...frozen, '0004_new': 'c' })).toEqual([
    'cards: the migration 0004_new has no committed hash. Run npx -y pnpm@12 freeze-migrations.',
  ])
  expect(findChanges('cards', frozen, { '0001_init': 'changed', '0002_late': 'c' })).toEqual([
    'cards: the frozen migration 0001_init has changed. Databases that ran it keep the old schema. Undo the change and write a new migration.',
    'cards: the frozen migration 0003_more is gone. Restore it.',
    'cards: the new migration 0002_late must come after 0003_more, which is frozen. Give it a later number.',
  ])
})
