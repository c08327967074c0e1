/** The last polls of devices. One statement records a poll and tells if it came too early, on any replica. */

import { type Database, statement } from '@financial-agents/postgres/database'
import { hashId } from '@financial-agents/postgres/hash-id'

const record = statement(
  'device_polls_record',
  `INSERT INTO device_polls AS p (id_hash, polled_at, early, expires_at) VALUES ($1, $2, false, $4)
   ON CONFLICT (id_hash) DO UPDATE SET polled_at = $2, early = p.polled_at > $3
   RETURNING early`,
)

/** Returns true if the previous poll was less than `pauseMs` ago. */
export type RecordPoll = (deviceCode: string, poll: { now: Date; pauseMs: number; expiresAt: Date }) => Promise<boolean>

export function createRecordPoll(db: Database): RecordPoll {
  return async (deviceCode, { now, pauseMs, expiresAt }) => {
    const before = new Date(now.getTime() - pauseMs)
    const [row] = await db.rows<{ early: boolean }>(record, [hashId(deviceCode), now, before, expiresAt])
    return row?.early ?? false
  }
}
