/**
 * Brings the clients in the database to what was declared, in one transaction, and leaves behind what gateways and the
 * submitter must hear of it. Applying the same declaration again changes nothing.
 *
 * Invariants: a client that is no longer declared is suspended with its grants, never deleted; what is suspended is fenced;
 * a service account's grant belongs to its one registered owner, so that another owner gets a new grant.
 */

import { randomUUIDv7 } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Database, Queryable } from '@financial-agents/postgres/database'
import { pairwiseSubject } from '../hash.ts'
import { type AuditEntry, recordAudit } from '../store/audit.ts'
import { lockChanges, recordChange } from '../store/changes.ts'
import { type ClientRow, listClients, recordClient, recordClientSuspended } from '../store/clients.ts'
import { recordFenceWanted } from '../store/fences.ts'
import {
  listServiceGrants,
  recordGrantRevoked,
  recordGrantScopes,
  recordGrantsResumed,
  recordGrantsSuspended,
  recordServiceGrant,
  type ServiceGrant,
} from '../store/grants.ts'
import { type Registration, sectorOf } from './registration.ts'

const removed = 'client_not_declared'

type Work = { tx: Queryable; pairwiseKey: Buffer; now: Date; lines: string[]; audit: AuditEntry[] }

/** Answers one line for each change. */
export function applyRegistrations(
  db: Database,
  registrations: readonly Registration[],
  options: { pairwiseKey: Buffer; now: Date },
): Promise<string[]> {
  return db.transaction(async (tx) => {
    await lockChanges(tx)
    const work: Work = { tx, ...options, lines: [], audit: [] }
    const known = new Map((await listClients(tx)).map((row) => [row.client_id, row]))
    const grants = await listServiceGrants(tx)
    for (const registration of registrations) {
      const row = known.get(registration.client_id)
      known.delete(registration.client_id)
      await applyOne(work, registration, row, grants.get(registration.client_id))
    }
    for (const row of known.values()) if (row.status === 'active') await suspendOne(work, row.client_id)
    if (work.audit.length > 0) await recordAudit(tx, work.audit)
    return work.lines
  })
}

async function applyOne(
  work: Work,
  registration: Registration,
  row: ClientRow | undefined,
  grant: ServiceGrant | undefined,
): Promise<void> {
  const { tx, now } = work
  const clientId = registration.client_id
  const changed = row ? changedMembers(row.registration, registration) : []
  const resumed = row?.status === 'suspended'
  if (!row) note(work, clientId, 'client_registered', null, `registered as ${registration.profile}`)
  if (row && changed.length > 0) note(work, clientId, 'client_changed', null, `changed (${changed.join(', ')})`)
  if (!row || changed.length > 0 || resumed) await recordClient(tx, registration, now)
  const grantChanged = await applyServiceGrant(work, registration, row, grant)
  if (resumed) await resumeOne(work, clientId)
  if (!row || changed.length > 0 || resumed || grantChanged) await recordChange(tx, { client_id: clientId }, now)
}

/** Gives a service account the grant it is registered for, and takes away any other. */
async function applyServiceGrant(
  work: Work,
  registration: Registration,
  row: ClientRow | undefined,
  grant: ServiceGrant | undefined,
): Promise<boolean> {
  const { tx, now } = work
  const wanted = serviceGrant(work.pairwiseKey, registration)
  if (grant && wanted && grant.owner_id === wanted.owner_id && grant.subject === wanted.subject) {
    if (isDeepStrictEqual(grant.scopes, wanted.scopes)) return false
    await recordGrantScopes(tx, grant.grant_id, wanted.scopes, now)
    return true
  }
  if (grant) {
    checkPairwiseKey(registration, row, grant)
    await recordGrantRevoked(tx, grant.grant_id, 'registration_changed', now)
    await recordFenceWanted(tx, { target: 'grant', target_id: grant.grant_id, fenced: true, reason: 'grant_revoked' })
    note(work, grant.client_id, 'grant_revoked', grant.grant_id, `grant ${grant.grant_id} revoked`)
  }
  if (wanted) {
    const grantId = randomUUIDv7()
    await recordServiceGrant(tx, { ...wanted, grant_id: grantId }, now)
    note(work, wanted.client_id, 'grant_created', grantId, `grant ${grantId} created`)
  }
  return grant !== undefined || wanted !== undefined
}

function serviceGrant(pairwiseKey: Buffer, registration: Registration) {
  if (registration.profile !== 'service') return undefined
  return {
    client_id: registration.client_id,
    owner_id: registration.service_owner,
    subject: pairwiseSubject(pairwiseKey, sectorOf(registration), registration.service_owner),
    scopes: registration.scopes,
  }
}

/** The same owner in the same sector has the same subject, or the key is not the one it was made with. */
function checkPairwiseKey(registration: Registration, row: ClientRow | undefined, grant: ServiceGrant): void {
  if (!row || registration.profile !== 'service') return
  if (grant.owner_id === registration.service_owner && sectorOf(row.registration) === sectorOf(registration))
    throw new Error('PAIRWISE_KEY is not the key that the subjects were made with; nothing was changed')
}

async function suspendOne(work: Work, clientId: string): Promise<void> {
  const { tx, now } = work
  await recordClientSuspended(tx, clientId, now)
  const grantIds = await recordGrantsSuspended(tx, clientId, removed, now)
  await wantFences(work, clientId, grantIds, true)
  await recordChange(tx, { client_id: clientId }, now)
  note(work, clientId, 'client_suspended', null, 'suspended (no longer declared)')
}

async function resumeOne(work: Work, clientId: string): Promise<void> {
  const grantIds = await recordGrantsResumed(work.tx, clientId, removed, work.now)
  await wantFences(work, clientId, grantIds, false)
  note(work, clientId, 'client_reactivated', null, 'reactivated')
}

async function wantFences(work: Work, clientId: string, grantIds: string[], fenced: boolean): Promise<void> {
  const reason = fenced ? 'client_suspended' : 'client_reactivated'
  await recordFenceWanted(work.tx, { target: 'client', target_id: clientId, fenced, reason })
  for (const grantId of grantIds)
    await recordFenceWanted(work.tx, { target: 'grant', target_id: grantId, fenced, reason })
}

function note(work: Work, clientId: string, event: AuditEntry['event'], grantId: string | null, text: string): void {
  work.lines.push(`client ${clientId}: ${text}`)
  work.audit.push({ at: work.now, event, client_id: clientId, grant_id: grantId, detail: { text } })
}

function changedMembers(before: Registration, after: Registration): string[] {
  const old = before as Record<string, unknown>
  const next = after as Record<string, unknown>
  const names = [...new Set([...Object.keys(old), ...Object.keys(next)])]
  return names.filter((name) => !isDeepStrictEqual(old[name], next[name])).toSorted()
}
