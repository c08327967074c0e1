/** The one callback for everything that the owner has to do. */

import { ClientError } from './client-error.ts'

/** Something that the owner has to do on a page. */
export type OwnerNeeded = {
  /** Sign in and consent, confirm one request, or approve an operation at the provider. */
  kind: 'sign_in' | 'confirmation' | 'approval'
  /** The page to open, in the owner's browser. */
  url: string
  /** The code that the owner enters on the page: sign-in on another device only. */
  code?: string
  /** Until when the page can be used; null if it is not known. */
  expiresAt: Date | null
  /** The words that the owner will read; confirmations only. Plain text, several lines. */
  summary?: string
}

/** Shows the page to the owner: prints it, sends it, opens it. The call goes on when it returns, and waits for the owner. */
export type OnOwnerNeeded = (needed: OwnerNeeded) => void | Promise<void>

/** Tells the application. @throws ClientError `owner_needed` if it has no callback */
export async function tellOwner(callback: OnOwnerNeeded | undefined, needed: OwnerNeeded): Promise<void> {
  if (!callback)
    throw new ClientError(
      'owner_needed',
      `The owner has to open ${needed.url}${needed.code ? ` and enter the code ${needed.code}` : ''}. Give the client onOwnerNeeded, and call again.`,
    )
  await callback(needed)
}
