/**
 * Answers of tools. Every answer has the same head: the status of the call, whether the act may be started anew, and
 * the next call. The message contains only our own words. Texts of others are in data members, and are marked.
 */

import type { OwnerNeeded } from '@financial-agents/client'

/** The words for each status. They are the message of an answer that has no better one. */
export const statuses = {
  ok: 'Done.',
  prepared: 'Nothing is paid yet. Submit the draft within 15 minutes, once. Submitting it again is the same payment.',
  not_payable: 'This payment would be refused: `problem` says why, `limits` what is left. Nothing was prepared.',
  succeeded: 'It is done. Do not do it again.',
  failed:
    'It failed for good, and nothing was executed. A new attempt needs a new call, and the person should want it.',
  cancelled: 'It was cancelled, and nothing was executed.',
  needs_owner:
    'The owner has to act on a page. Give the person the address exactly as it is; nothing else can decide this.',
  still_running: 'It is accepted and under way. It is neither done nor failed.',
  indeterminate: 'The provider may have executed it. It is neither done nor failed until a read proves it.',
  unknown:
    'No answer of the API came: it may have been accepted. The call in `next` finds it, and cannot start a second one.',
  refused: 'The API refused this call. Nothing was executed by it.',
  refused_here: 'This server refuses it. Nothing was sent.',
  invalid_arguments: 'The arguments are wrong. Nothing was sent.',
  draft_unknown:
    'This store has no such draft, so this call sent nothing. If the draft was ever submitted, list_payments shows its payment. Otherwise prepare the payment.',
  draft_expired:
    'The draft was not submitted within 15 minutes. Nothing was sent. Prepare it again if the person still wants it.',
  unavailable: 'The API cannot be reached or cannot answer now. This call changed nothing.',
} as const

export type Status = keyof typeof statuses

/** The call that is next. */
export type Next = { tool: string; arguments: Record<string, unknown> }

export type Answer = {
  status: Status
  message: string
  /** True: do not start this act anew by any other call. Only `next` is safe. */
  do_not_repeat: boolean
  next: Next | null
  owner_action?: { kind: OwnerNeeded['kind']; url: string; code?: string; expires_at: string | null }
  problem?: { code: string; detail: string; fields: { path: string; message: string }[]; request_id: string | null }
  [data: string]: unknown
}

/** Statuses after which the act must not be started anew. */
const settledOrOpen = new Set<Status>(['succeeded', 'needs_owner', 'still_running', 'indeterminate', 'unknown'])

export function answer(status: Status, more: Partial<Answer> = {}): Answer {
  return { status, message: statuses[status], do_not_repeat: settledOrOpen.has(status), next: null, ...more }
}

/**
 * True for the statuses that MCP counts as errors. An answer that is uncertain or waits for the owner is no error,
 * because a host would start the act again.
 */
export function isError({ status }: Answer): boolean {
  return ['refused', 'refused_here', 'invalid_arguments', 'draft_unknown', 'draft_expired', 'unavailable'].includes(
    status,
  )
}
