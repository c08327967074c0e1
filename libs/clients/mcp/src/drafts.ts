/**
 * Drafts of payments. A draft is one payment. Its handle names the intent of the write, so the draft can be submitted
 * any number of times, even after a restart. Two equal payments on purpose are two drafts.
 *
 * A draft that nobody submitted ends after 15 minutes. A submitted one is kept: its operation is found for good.
 */

import type { Store } from '@financial-agents/client'

const draftMs = 15 * 60_000
/**
 * The time for which an unanswered write may be sent again. It is shorter than the 24 hours for which the API honours a
 * key.
 */
const resendMs = 23 * 3_600_000
/** The number of drafts in the list of this server, which serves the warning of a similar draft. */
const mostListed = 100

/** A payment as it will be sent. */
export type Payment = {
  beneficiary_id: string
  /** The mandate; absent for a payment from the spending account. */
  mandate_id?: string
  amount: string
  currency: string
  reference?: string
  rule?: string
}

/** A draft, as the store has it. */
export type Draft = {
  handle: string
  payment: Payment
  preparedAtMs: number
  /** Set before the first byte is sent, and never removed. */
  startedAtMs?: number
  /** Set while the last attempt is one that the API refused, and that leaves nothing behind. */
  refusedAtMs?: number
  operationId?: string
}

/** The acts that a draft allows now. */
export type DraftState = 'open' | 'expired' | 'refused' | 'sent' | 'accepted' | 'unresolved'

/** The drafts of one owner. */
export type Drafts = {
  prepare(payment: Payment): Promise<Draft>
  get(handle: string): Promise<Draft | undefined>
  save(draft: Draft): Promise<void>
  /** The newest drafts that are neither submitted nor expired. */
  open(): Promise<Draft[]>
}

/** The end of a draft that is not submitted. */
export function expiresAt({ preparedAtMs }: Draft): string {
  return new Date(preparedAtMs + draftMs).toISOString()
}

/** The intent depends only on the handle. */
export function intentOf({ handle }: Draft): string {
  return `mcp/${handle}`
}

/** True if an attempt of the draft may have been accepted, or may still be. */
export function mayBeSent({ startedAtMs, refusedAtMs }: Draft): boolean {
  return startedAtMs !== undefined && refusedAtMs === undefined
}

/** Only a draft that was never sent is `expired`. */
export function stateOf(draft: Draft, nowMs: number): DraftState {
  const { preparedAtMs, startedAtMs, operationId } = draft
  if (operationId !== undefined) return 'accepted'
  if (startedAtMs !== undefined && mayBeSent(draft)) return nowMs - startedAtMs < resendMs ? 'sent' : 'unresolved'
  // A time in the future means that the clock has been set back.
  if (Math.abs(nowMs - preparedAtMs) < draftMs) return 'open'
  return startedAtMs === undefined ? 'expired' : 'refused'
}

/** Keeps drafts in this server's part of the client's store. */
export function draftsIn(store: Store, now: () => number = Date.now): Drafts {
  const pathOf = (handle: string) => `draft/${handle}`
  const listed = async () => ((await store.get('drafts')) as string[] | undefined) ?? []
  const get = async (handle: string) => (await store.get(pathOf(handle))) as Draft | undefined
  return {
    get,
    save: async (draft) => void (await store.set(pathOf(draft.handle), draft)),
    prepare: async (payment) => {
      const draft: Draft = { handle: `draft_${newId()}`, payment, preparedAtMs: now() }
      await store.set(pathOf(draft.handle), draft)
      const handles = [draft.handle, ...(await listed())]
      await store.set('drafts', handles.slice(0, mostListed))
      for (const old of handles.slice(mostListed)) await forget(old)
      return draft
    },
    open: async () => {
      const drafts = await Promise.all((await listed()).map(get))
      return drafts.filter((draft) => draft !== undefined && stateOf(draft, now()) === 'open') as Draft[]
    },
  }

  async function forget(handle: string): Promise<void> {
    const draft = await get(handle)
    if (draft && stateOf(draft, now()) === 'expired') await store.delete(pathOf(handle))
  }
}

/** About 130 random bits, without characters that are taken for others. */
function newId(): string {
  const letters = '23456789abcdefghjkmnpqrstuvwxyz'
  return Array.from(crypto.getRandomValues(new Uint8Array(27)), (byte) => letters[byte % letters.length]).join('')
}
