/**
 * The next build of two services: their sources with a migration that only expands, and with code that uses it. The build
 * notes which build accepted an operation and which one claimed it, and tells the submitter the first in a new member of
 * a message.
 */

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from '@financial-agents/deploy/images/bundle-services'
import { servicesOptions } from '@financial-agents/deploy/images/esbuild-options'
import { runToEnd } from '@financial-agents/servers/child-process'
import type { Bundles } from '@financial-agents/testkit/programs'
import { build, type Plugin } from 'esbuild'

/** The services that differ. */
export const changed = ['operations', 'submitter'] as const

const migration = (sql: string) => [
  {
    find: `import { init } from './migrations/0001_init.ts'`,
    replace: `import { init } from './migrations/0001_init.ts'
      import { sqlMigration } from '@financial-agents/postgres/migrate'`,
  },
  {
    find: `{ '0001_init': init }`,
    replace: `{ '0001_init': init, '0002_next': sqlMigration(${JSON.stringify(sql)}) }`,
  },
]

/** The edits of each file. Each text occurs exactly once. */
const edits: Readonly<Record<string, readonly { find: string; replace: string }[]>> = {
  'services/operations/src/migrations.ts': migration('ALTER TABLE operations ADD COLUMN accepted_by text'),
  'services/operations/src/store/operations.ts': [
    { find: 'accepted_at)\n  SELECT', replace: 'accepted_at, accepted_by)\n  SELECT' },
    {
      find: `CASE state WHEN 'accepted' THEN $16 END\n  FROM item`,
      replace: `CASE state WHEN 'accepted' THEN $16 END, 'next'\n  FROM item`,
    },
    { find: 'traceparent, payload_sealed FROM', replace: 'traceparent, payload_sealed, accepted_by FROM' },
  ],
  'services/submitter/src/migrations.ts': migration(
    'ALTER TABLE submissions ADD COLUMN accepted_by text, ADD COLUMN claimed_by text',
  ),
  'services/submitter/src/store/claims.ts': [
    { find: `  valid_until: 'timestamptz',\n`, replace: `  valid_until: 'timestamptz',\n  accepted_by: 'text',\n` },
    {
      find: 'outcome_at, failure_code, failure_detail)',
      replace: 'outcome_at, failure_code, failure_detail, accepted_by, claimed_by)',
    },
    {
      find: 'THEN at END, failure_code, failure_detail\n',
      replace: `THEN at END, failure_code, failure_detail, accepted_by, 'next'\n`,
    },
    {
      find: '    valid_until: row.valid_until,\n',
      replace:
        '    valid_until: row.valid_until,\n    accepted_by: (operation as { accepted_by?: string }).accepted_by ?? null,\n',
    },
  ],
}

const edited: Plugin = {
  name: 'edited',
  setup: (build) => {
    build.onLoad({ filter: /services[/\\](operations|submitter)[/\\]src[/\\]/ }, async ({ path }) => {
      let contents = await readFile(path, 'utf8')
      for (const { find, replace } of edits[path.slice(root.length + 1)] ?? []) {
        if (contents.split(find).length !== 2) throw new Error(`${path} has to have this text once: ${find}`)
        contents = contents.replace(find, () => replace)
      }
      return { contents, loader: 'ts' }
    })
  },
}

/** Makes the next build of every service in a folder. Those that do not differ are copies. */
export async function buildNext(bundles: Bundles, folder: string): Promise<Bundles> {
  await runToEnd('cp', 'cp', ['-R', `${bundles.folder}/.`, folder])
  const { plugins, ...options } = servicesOptions(root, { services: changed, version: '0.0.0-next' })
  await build({ ...options, plugins: [...plugins, edited], outdir: join(folder) })
  return { ...bundles, folder }
}
