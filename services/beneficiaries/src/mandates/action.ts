/**
 * The common part of suspensions and revocations: a draft marks the mandate under its lock, and the machine moves it.
 */

import { Problem } from '@financial-agents/contract/problem'
import { type Queryable, statement } from '@financial-agents/postgres/database'
import type { Draft, WriteKind } from '@financial-agents/writes/write'
import { lockMandates } from './lock.ts'
import { followMandates } from './moves.ts'
import { type MandateRow, readMandates } from './store.ts'

type Action<Name extends 'suspend' | 'revoke'> = {
  action: Name
  route: string
  findRefusal: (row: MandateRow, now: Date) => Problem | undefined
}

/** The operation kind of the action. Its drafts hold no data except the mandate. */
export function mandateAction<Name extends 'suspend' | 'revoke'>({
  action,
  route,
  findRefusal,
}: Action<Name>): WriteKind<null, `mandate_${Name}`> {
  const waiting = `${action}_operation_id` as const
  const mark = statement(
    `mandates_mark_${action}`,
    `UPDATE mandates m SET ${waiting} = d.operation_id
     FROM jsonb_to_recordset($1::jsonb) AS d(resource_id uuid, operation_id uuid) WHERE m.id = d.resource_id`,
  )
  return {
    kind: `mandate_${action}`,
    route,
    lock: lockMandates,
    draft: async (tx: Queryable, drafts: readonly Draft<null>[], now: Date) => {
      const refused = new Map<string, Problem>()
      const rows = await readMandates(
        tx,
        drafts.map(({ resource_id }) => resource_id),
        now,
      )
      for (const { operation_id, resource_id } of drafts) {
        const row = rows.get(resource_id)
        const refusal = row ? findRefusal(row, now) : new Problem('mandate_not_found')
        if (refusal) refused.set(operation_id, refusal)
        else if (row) rows.set(resource_id, { ...row, [waiting]: operation_id })
      }
      const marked = drafts.filter(({ operation_id }) => !refused.has(operation_id))
      if (marked.length > 0) await tx.rows(mark, [JSON.stringify(marked)])
      return refused
    },
    follow: (tx, moves) => followMandates(tx, action, moves),
  }
}
