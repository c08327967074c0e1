/**
 * The two reasons of a suspension. The operator's stays with operators, because it may tell a suspicion. The other one is
 * for the owner, and may be left out.
 */

import type { PageRequest } from '../http/console-page.ts'

export type Reasons = { reason: string; reason_for_owner?: string }
export type ReasonField = keyof Reasons

/** The texts that were entered, and the fields that are refused. */
export type RefusedReasons = { entered: Reasons; fields: ReadonlySet<ReasonField> }

/** Reads a form. An empty reason for the owner is none. */
export function reasonsOf({ form }: PageRequest): Reasons {
  const [reason = '', forOwner = ''] = [form['reason'], form['reason_for_owner']].map((text) => text?.trim())
  return { reason, ...(forOwner === '' ? {} : { reason_for_owner: forOwner }) }
}
