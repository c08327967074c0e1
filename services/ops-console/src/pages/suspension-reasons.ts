export const asked = z.strictObject({
  by: z.string(),
  reason: z.string(),
  reason_for_owner: z.string().exactOptional(),
  at: z.string(),
})

/** A request for a second person to confirm. */

import { z } from 'zod'
export type AskedSuspension = z.output<typeof asked>
/**
 * The two reasons of a suspension. The operator's stays with operators, because it may tell a suspicion. The other one is
 * for the owner, and may be left out.
 */

export type Reasons = { reason: string; reason_for_owner?: string }
export type ReasonField = keyof Reasons

/** The texts that were entered, and the fields that are refused. */
export type RefusedReasons = { entered: Reasons; fields: ReadonlySet<ReasonField> }

/** An empty reason for the owner is none. */
export function reasonsOf({ form }: { form: Readonly<Record<string, string | undefined>> }): Reasons {
  const [reason = '', forOwner = ''] = [form['reason'], form['reason_for_owner']].map((text) => text?.trim())
  return { reason, ...(forOwner === '' ? {} : { reason_for_owner: forOwner }) }
}
