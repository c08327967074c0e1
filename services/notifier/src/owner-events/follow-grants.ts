/**
 * Follows the grants that are given, and makes an event of each. A stored time tells how far they were seen. A grant that is
 * read twice has one event, because its key is the grant.
 */

import type { Bus } from '@financial-agents/bus/connect'
import { newContext } from '@financial-agents/bus/headers'
import type { AccessGiven, AccessGivenRequest } from '@financial-agents/bus/messages/owner-events'
import { call } from '@financial-agents/bus/rpc'
import { type Queryable, statement } from '@financial-agents/postgres/database'
import type { Clock } from '@financial-agents/runtime/clock'
import { recordEvents } from './event-store.ts'
import { readOwners } from './owners.ts'

/** A grant becomes visible later than the time that it carries, and clocks differ. */
const overlapMs = 5 * 60_000
const pageSize = 200
const patienceMs = 5_000

export const begin = statement(
  'seen_grants_begin',
  'INSERT INTO seen_grants (until) VALUES ($1) ON CONFLICT (singleton) DO NOTHING',
)
export const seen = statement('seen_grants_until', 'SELECT until FROM seen_grants')
export const advance = statement('seen_grants_advance', 'UPDATE seen_grants SET until = $1 WHERE until < $1')

export type FollowDependencies = { bus: Bus; db: Queryable; clock: Pick<Clock, 'now'> }

/** Grants given before the first call have no event. */
export async function followGrants({ bus, db, clock }: FollowDependencies, onDue: () => void): Promise<void> {
  const now = clock.now()
  await db.rows(begin, [new Date(now.getTime() + overlapMs)])
  const [row] = await db.rows<{ until: Date }>(seen)
  if (!row) return
  const since = new Date(row.until.getTime() - overlapMs).toISOString()
  let after: AccessGivenRequest['after'] = null
  for (;;) {
    const given: AccessGiven[] = await call(
      bus,
      'int.authz.access-given',
      { since, after, limit: pageSize },
      newContext(patienceMs),
    )
    if ((await recordGiven({ bus, db }, given, now)) > 0) onDue()
    const last = given.at(-1)
    if (!last || given.length < pageSize) break
    after = { at: last.at, grant_id: last.grant_id }
  }
  await db.rows(advance, [now])
}

async function recordGiven({ bus, db }: Omit<FollowDependencies, 'clock'>, given: readonly AccessGiven[], now: Date) {
  const owners = await readOwners(bus, given)
  const keyed = given.map(({ at, owner_id, ...facts }) => ({
    key: `access ${facts.grant_id}`,
    event: { type: 'owner.access_given', timestamp: at, data: { owner: owners.of(owner_id), ...facts } } as const,
  }))
  return recordEvents(db, keyed, now)
}
