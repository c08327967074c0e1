/** The schema grows while the previous release runs. Rows of that release are kept, and its writes still succeed. */

import { statement } from '@financial-agents/postgres/database'
import { migrate } from '@financial-agents/postgres/migrate'
import { createTestDatabase } from '@financial-agents/postgres/testing/database'
import { expect, test } from 'vitest'
import { init } from './migrations/0001_init.ts'
import { mandates } from './migrations/0002_mandates.ts'
import { migrations } from './migrations.ts'

const mandate = statement(
  'mandate',
  `INSERT INTO mandates (id, operation_id, owner_id, client_id, grant_id, beneficiary_id, currency, authorized_clients,
     authorized_rules, per_payment_max, daily_max, weekly_max, monthly_max, total_cap, payment_count, expires_at, state,
     created_at, updated_at)
   VALUES (gen_random_uuid(), gen_random_uuid(), 'owner', $1, $2, gen_random_uuid(), 'EUR', $3, '{}', 1, 1, 1, 1, 1, 1, now(),
     'active', now(), now())`,
)

test('a mandate of the release before may be paid by the grant that made it, where it names its client, and by no other', async () => {
  const before = { '0001_init': init, '0002_mandates': mandates }
  const database = await createTestDatabase({ service: 'beneficiaries', migrations: before })
  const { connectionString, schema } = database
  const db = database.open()
  await db.rows(mandate, ['agent', 'grant-1', ['agent', 'other']])
  await db.rows(mandate, ['agent', 'grant-2', ['other']])
  expect(await migrate({ connectionString, schema, migrations })).toEqual(Object.keys(migrations).slice(2))
  await db.rows(mandate, ['agent', 'grant-3', ['agent']])
  expect(await db.rows(statement('authorities', 'SELECT client_id, grant_id, how FROM mandate_authorities'))).toEqual([
    { client_id: 'agent', grant_id: 'grant-1', how: 'confirmed' },
  ])
  await database.close()
})
