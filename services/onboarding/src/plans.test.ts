/** Statements that run often, or over whole tables, use their indexes on tables of a realistic size. */

import { randomUUID } from 'node:crypto'
import { type Queryable, type Statement, statement } from '@financial-agents/postgres/database'
import type { Prune } from '@financial-agents/postgres/prune'
import { explain } from '@financial-agents/postgres/testing/explain'
import { takeDue } from '@financial-agents/writes/store'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { lockByIds, lockConnected } from './binding-changes.ts'
import { connectionOfOwner, currentBindings, sealedCredentials } from './bindings-store.ts'
import { erase, takeToErase } from './erase-credentials.ts'
import { countSessions, latestSession, openSession, pruneSessions } from './kyc-sessions-store.ts'
import {
  followKycUntil,
  lockDueKyc,
  lockKyc,
  pruneKycChanges,
  putOffKyc,
  standingOfOwner,
  takeDueKyc,
  updateKyc,
} from './kyc-store.ts'
import { endingOfOwner } from './left-behind.ts'
import { openTestParts } from './opened.test-helper.ts'
import { livingBinding } from './sign-in-customer.ts'
import { dropWaiting, waitingSignIn, waitingSignInLocked } from './sign-ins-store.ts'

const { db, close } = await openTestParts()
afterAll(close)

const owner = '01990000-0000-7000-8000-000000000007'
const ids = [randomUUID(), randomUUID()]

beforeAll(async () => {
  await db.rows(
    statement(
      '',
      `INSERT INTO bindings (id, owner_id, provider, status, source, credentials_sealed, connected_at, disconnected_at, updated_at,
         pending_operation_id, disconnecting_at)
       SELECT gen_random_uuid(), gen_random_uuid(), 'fake', s, 'declared', CASE WHEN s <> 'disconnected' OR n % 200 = 0 THEN '\\x00'::bytea END,
         t, CASE s WHEN 'disconnected' THEN t END, t,
         CASE s WHEN 'disconnecting' THEN gen_random_uuid() END, CASE s WHEN 'disconnecting' THEN t END
       FROM (SELECT n, timestamptz '2026-01-01' + n * interval '1 second' AS t,
               CASE WHEN n % 3 = 0 THEN 'connected' WHEN n % 300 = 1 THEN 'disconnecting' ELSE 'disconnected' END AS s
             FROM generate_series(1, 30000) n) filled`,
    ),
  )
  await db.rows(
    statement(
      '',
      `INSERT INTO customers (provider, reference, owner_id, created_at)
       SELECT 'fake', id::text, owner_id, connected_at FROM bindings`,
    ),
  )
  await db.rows(
    statement(
      '',
      `INSERT INTO announcements (owner_id, binding_id, fence, fenced_at, announced_at, created_at)
       SELECT owner_id, id, true, connected_at, connected_at, connected_at FROM bindings`,
    ),
  )
  await db.rows(
    statement(
      '',
      `INSERT INTO kyc (owner_id, status, changed_at, binding_id, read_at, due_at)
       SELECT DISTINCT ON (owner_id) owner_id, 'verified', connected_at, id, connected_at,
         CASE WHEN get_byte(decode(left(replace(id::text, '-', ''), 2), 'hex'), 0) < 3 THEN connected_at END FROM bindings`,
    ),
  )
  await db.rows(
    statement(
      '',
      `INSERT INTO kyc_changes (owner_id, binding_id, status, changed_at, recorded_at)
       SELECT owner_id, binding_id, status, changed_at, read_at FROM kyc`,
    ),
  )
  await db.rows(
    statement(
      '',
      `INSERT INTO kyc_sessions (id, owner_id, client_id, binding_id, kyc_status, kyc_changed_at, created_at)
       SELECT gen_random_uuid(), owner_id, 'client', binding_id, status, changed_at, read_at FROM kyc`,
    ),
  )
  await db.rows(
    statement(
      '',
      `INSERT INTO sign_ins (id_hash, provider, created_at, expires_at, outcome, owner_id, credentials_sealed, locale, timezone)
       SELECT id::text::bytea, 'fake', connected_at, connected_at, 'signed_in', owner_id,
         CASE WHEN status = 'disconnected' THEN '\\x00'::bytea END, 'en', 'UTC' FROM bindings`,
    ),
  )
  for (const table of ['sign_ins', 'bindings', 'customers', 'announcements', 'kyc', 'kyc_changes', 'kyc_sessions'])
    await db.rows(statement('', `ANALYZE ${table}`))
})

const plan = (query: Statement, values: unknown[]) => explain(db, query, values)

const late = '2026-02-01T05:00:00.000Z'
const early = '2026-01-01T00:01:00.000Z'

/** Returns the statement that a prune runs. */
async function statementOf(prune: Prune): Promise<Statement> {
  const seen: Statement[] = []
  const rows: Queryable['rows'] = async (query) => {
    seen.push(query)
    return []
  }
  await prune({ rows }, new Date(early), 500)
  return seen[0] as Statement
}

test.each<[string, Statement, unknown[], string]>([
  ['the connection of an owner', connectionOfOwner, [owner], 'bindings_'],
  ['the bindings of owners', currentBindings, [[owner]], 'bindings_'],
  ['what a disconnect locks', lockByIds, [ids], 'bindings_pkey'],
  ['what the file ends', lockConnected, [owner], 'bindings_'],
  ['what a sign-in finds', livingBinding, [owner], 'bindings_'],
  ['what connecting leaves behind', endingOfOwner, [owner, late], 'bindings_'],
  ['what connects an owner', waitingSignIn, [owner, early], 'sign_ins_to_connect'],
  ['what connects an owner, locked', waitingSignInLocked, [owner, early], 'sign_ins_to_connect'],
  ['what connects nobody any more', dropWaiting, [owner], 'sign_ins_to_connect'],
  ['sealed credentials', sealedCredentials, [ids], 'bindings_pkey'],
  ['what is to be erased', takeToErase, [late, late, 200], 'bindings_to_erase'],
  ['the erasure', erase, [ids, late], 'bindings_pkey'],
  ['how an owner stands', standingOfOwner, [owner], 'kyc_pkey'],
  ['the connection that an owner stands with', standingOfOwner, [owner], 'bindings_'],
  ['the verification of an owner', lockKyc, [owner], 'kyc_pkey'],
  ['what a read brought', updateKyc, [owner, 'verified', null, late, owner, late, late], 'kyc_pkey'],
  ['what is followed', followKycUntil, [owner, late, late], 'kyc_pkey'],
  ['what is put off', putOffKyc, [owner, late], 'kyc_pkey'],
  ['the verifications that are due', lockDueKyc, [early, 8], 'kyc_due'],
  ['the connections of those', takeDueKyc, [early, ids], 'bindings_one_connected'],
  ['the latest visit of a client', latestSession, [owner, 'client', early], 'kyc_sessions_of_owner'],
  ['the visits of a day', countSessions, [owner, early, 20], 'kyc_sessions_of_owner'],
  ['the opening of a visit', openSession, [owner, late], 'kyc_sessions_pkey'],
  ['the visits that are past their time', await statementOf(pruneSessions), [early, 500], 'kyc_sessions_by_age'],
  ['the changes that are past their time', await statementOf(pruneKycChanges), [early, 500], 'kyc_changes_by_age'],
  ['the background job of writes', takeDue, [late, 30_000, 200], 'writes_to_check'],
])('%s is found by an index, never by reading a table', async (_name, query, values, index) => {
  const text = await plan(query, values)
  expect(text).toContain(index)
  expect(text).not.toContain('Seq Scan')
})
