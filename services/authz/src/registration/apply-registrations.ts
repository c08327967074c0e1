/**
 * Makes the clients in the database equal to the declared ones, in one transaction, and records the changes for
 * gateways and the submitter. Applying the same declaration again changes nothing.
 *
 * Invariants: a client that is no longer declared is suspended with its grants, never deleted. Suspended clients and
 * grants are fenced. A service account's grant belongs to its one registered owner: another owner gets a new grant.
 * Grants end if the subject by which the client knows its owners would change. Whatever is declared in between, a grant
 * of the same owner to the same service account continues what was decided about the one before: the owner's revocation,
 * the owner's limits, and the suspension by an operator. Only a new declaration ends that suspension: the client is
 * taken out after it, and declared again. The account then gets a grant in place of the suspended one.
 */

import { randomUUIDv7 } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { clientNotRegistered } from '@financial-agents/owner-pages/grant-of-owner'
import type { Database, Queryable } from '@financial-agents/postgres/database'
import { type AuditEntry, recordAudit } from '../store/audit.ts'
import { changeInTurn, recordChange } from '../store/changes.ts'
import { type ClientRow, listClients, recordClient, recordClientSuspended } from '../store/clients.ts'
import { recordFencesWanted, recordFenceWanted } from '../store/fences.ts'
import { revokeGrantWithin, suspendGrantForOperator } from '../store/grant-status.ts'
import {
  type KnownSubject,
  listHumanSubjects,
  listLiveGrants,
  listServiceGrants,
  type OwnedGrant,
  pairOf,
  recordGrantScopes,
  recordGrantsResumed,
  recordGrantsSuspended,
  recordServiceGrant,
  type ServiceGrant,
} from '../store/grants.ts'
import { pairwiseSubject } from './pairwise-subject.ts'
import { type Registration, sectorOf } from './registration.ts'

/** The current state of a client. `last`: the last grant of the declared owner to a service account. */
type ClientInStore = { row: ClientRow | undefined; last: ServiceGrant | undefined; human: KnownSubject | undefined }

type Changing = { tx: Queryable; now: Date; lines: string[]; audit: AuditEntry[] }
type Work = Changing & { pairwiseKey: Buffer }

/** Returns one line for each change. */
export function applyRegistrations(
  db: Database,
  registrations: readonly Registration[],
  options: { pairwiseKey: Buffer; now: Date },
): Promise<string[]> {
  return changeInTurn(db, async (tx) => {
    const work: Work = { tx, ...options, lines: [], audit: [] }
    const known = new Map((await listClients(tx)).map((row) => [row.client_id, row]))
    const [grants, humans] = [await listServiceGrants(tx), await listHumanSubjects(tx)]
    for (const registration of registrations) {
      const { client_id } = registration
      const last =
        registration.profile === 'service' ? grants.get(pairOf(client_id, registration.service_owner)) : undefined
      const found = { row: known.get(client_id), last, human: humans.get(client_id) }
      known.delete(client_id)
      checkPairwiseKey(work.pairwiseKey, registration, found)
      await applyOne(work, registration, found)
    }
    for (const row of known.values()) if (row.status === 'active') await suspendOne(work, row.client_id)
    if (work.audit.length > 0) await recordAudit(tx, work.audit)
    return work.lines
  })
}

/** Suspends a client that was no longer declared in a time that the database lost. Returns true if it was active here. */
export function repeatSuspension(db: Database, clientId: string, now: Date): Promise<boolean> {
  return changeInTurn(db, async (tx) => {
    const row = (await listClients(tx)).find(({ client_id }) => client_id === clientId)
    if (row?.status !== 'active') return false
    const work = { tx, now, lines: [], audit: [] }
    await suspendOne(work, clientId)
    await recordAudit(tx, work.audit)
    return true
  })
}

async function applyOne(work: Work, registration: Registration, found: ClientInStore): Promise<void> {
  const { tx, now } = work
  const { row } = found
  const clientId = registration.client_id
  const changed = row ? changedMembers(row.registration, registration) : []
  const resumed = row?.status === 'suspended'
  if (!row) note(work, clientId, 'client_registered', null, `registered as ${registration.profile}`)
  if (row && changed.length > 0) note(work, clientId, 'client_changed', null, `changed (${changed.join(', ')})`)
  if (!row || changed.length > 0 || resumed) await recordClient(tx, registration, now)
  if (row && isAnother(row.registration, registration))
    for (const grantId of await listLiveGrants(tx, clientId)) await endGrant(work, clientId, grantId)
  const grantChanged = await applyServiceGrant(work, registration, found)
  if (resumed) await resumeOne(work, clientId)
  if (!row || changed.length > 0 || resumed || grantChanged) await recordChange(tx, { client_id: clientId }, now)
}

/**
 * Returns true if the grants of the earlier registration cannot continue: subjects would change, or keys would be held
 * in another way.
 */
function isAnother(before: Registration, after: Registration): boolean {
  const owner = (value: Registration) => (value.profile === 'service' ? value.service_owner : null)
  return before.profile !== after.profile || sectorOf(before) !== sectorOf(after) || owner(before) !== owner(after)
}

/**
 * Gives a service account its registered grant. A grant that its owner revoked is not given again. A new grant has the
 * limits that the owner set on the one before. A suspension by an operator stays, unless this is a new declaration.
 */
async function applyServiceGrant(work: Work, registration: Registration, { last }: ClientInStore): Promise<boolean> {
  const { tx, now } = work
  const wanted = serviceGrant(work.pairwiseKey, registration)
  if (!wanted) return false
  if (last?.status === 'revoked' && last.status_reason === 'revoked_by_owner') return false
  const anew = last?.status_reason === clientNotRegistered && last.suspended_by !== null ? last : undefined
  if (!anew && last && last.status !== 'revoked' && last.subject === wanted.subject) {
    if (isDeepStrictEqual(last.scopes, wanted.scopes)) return false
    await recordGrantScopes(tx, last.grant_id, wanted.scopes, now)
    return true
  }
  if (anew) await endGrant(work, wanted.client_id, anew.grant_id)
  const grantId = randomUUIDv7()
  // The registered policy bounds this one wherever it is read (`effectivePolicy`).
  const policy = last?.policy ?? null
  await recordServiceGrant(tx, { ...wanted, grant_id: grantId, policy }, now)
  const kept = `${anew ? ` in place of ${anew.grant_id}, which an operator had suspended` : ''}${policy ? ', with the ceilings of its owner' : ''}`
  note(work, wanted.client_id, 'grant_created', grantId, `grant ${grantId} created${kept}`, wanted.owner_id)
  if (last && !anew) await carrySuspension(work, last, grantId)
  return true
}

/**
 * A new grant inherits the suspension by an operator. A grant that an operator suspended is never resumed, so it was
 * still suspended if it ended.
 */
async function carrySuspension({ tx, now, lines }: Work, from: ServiceGrant, to: string): Promise<void> {
  const { suspended_by: operator, suspended_why: words, suspended_for_owner: for_owner } = from
  if (operator === null || words === null) return
  await suspendGrantForOperator(tx, to, { operator, words, for_owner, request_id: null }, now)
  lines.push(`client ${from.client_id}: grant ${to} suspended, as an operator suspended the one before`)
}

async function endGrant(work: Work, clientId: string, grantId: string): Promise<void> {
  const why = { reason: 'registration_changed', by: 'operator', request_id: null } as const
  if (await revokeGrantWithin(work.tx, grantId, why, work.now))
    work.lines.push(`client ${clientId}: grant ${grantId} revoked`)
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

/**
 * The same owner in the same sector has the same subject. A difference means that the key has changed. An ended grant
 * may have the subject of an earlier sector.
 */
function checkPairwiseKey(key: Buffer, registration: Registration, { row, last, human }: ClientInStore): void {
  if (!row || isAnother(row.registration, registration)) return
  const sector = sectorOf(registration)
  for (const known of [last?.status === 'revoked' ? undefined : last, human])
    if (known && known.subject !== pairwiseSubject(key, sector, known.owner_id))
      throw new Error('PAIRWISE_KEY is not the key that the subjects were made with; nothing was changed')
}

async function suspendOne(work: Changing, clientId: string): Promise<void> {
  const { tx, now } = work
  await recordClientSuspended(tx, clientId, now)
  note(work, clientId, 'client_suspended', null, 'suspended (no longer declared)')
  await follow(work, clientId, await recordGrantsSuspended(tx, clientId, clientNotRegistered, now), true)
  await recordChange(tx, { client_id: clientId }, now)
}

async function resumeOne(work: Work, clientId: string): Promise<void> {
  note(work, clientId, 'client_reactivated', null, 'reactivated')
  await follow(work, clientId, await recordGrantsResumed(work.tx, clientId, clientNotRegistered, work.now), false)
}

/** Records the fences of the client and its grants, and an audit entry for each grant. */
async function follow(work: Changing, clientId: string, grants: readonly OwnedGrant[], fenced: boolean): Promise<void> {
  const { tx, now } = work
  const wanted = { fenced, reason: fenced ? 'client_suspended' : 'client_reactivated' }
  await recordFenceWanted(tx, { target: 'client', target_id: clientId, ...wanted })
  await recordFencesWanted(tx, { target: 'grant', target_ids: grants.map((grant) => grant.grant_id), ...wanted })
  const event = fenced ? 'grant_suspended' : 'grant_resumed'
  const about = {
    at: now,
    event,
    client_id: clientId,
    actor: 'operator',
    detail: { reason: clientNotRegistered },
  } as const
  for (const grant of grants) work.audit.push({ ...about, ...grant })
}

function note(
  work: Changing,
  clientId: string,
  event: AuditEntry['event'],
  grantId: string | null,
  text: string,
  ownerId: string | null = null,
): void {
  const about = { at: work.now, client_id: clientId, grant_id: grantId, owner_id: ownerId, actor: 'operator' } as const
  work.lines.push(`client ${clientId}: ${text}`)
  work.audit.push({ ...about, event, detail: { text } })
}

function changedMembers(before: Registration, after: Registration): string[] {
  const old = before as Record<string, unknown>
  const next = after as Record<string, unknown>
  const names = [...new Set([...Object.keys(old), ...Object.keys(next)])]
  return names.filter((name) => !isDeepStrictEqual(old[name], next[name])).toSorted()
}
