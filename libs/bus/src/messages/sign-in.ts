/**
 * Provider-device authentication of an owner: onboarding asks the provider, the owner approves at the provider's hosted
 * page, and onboarding tells whose account it is. Credentials of the provider never leave onboarding unsealed.
 */

/** `return_url`: where the hosted page sends the browser, approved or not; nothing is added to it. */
export type StartSignInRequest = { return_url: string }

/** Where the owner is sent, or why nobody can be. */
export type StartSignInAnswer =
  /** `url`: the hosted page. `sign_in_id` is known to authz alone, never to the browser. */
  | { type: 'started'; sign_in_id: string; url: string; expires_at: string }
  /** Adoption of live provider devices is not in this release. */
  | { type: 'not_available' }
  /** The provider cannot be asked now. */
  | { type: 'unreachable' }

/** Asks what became of a sign-in. May be repeated: the first result stays. */
export type FinishSignInRequest = { sign_in_id: string }

/** What became of a sign-in. */
export type FinishSignInAnswer =
  /** The owner, known or new. Nothing is connected by it. The same answer again for the same id until it expires. */
  | { type: 'signed_in'; owner: OwnerProfile }
  | { type: 'pending' }
  | { type: 'declined' }
  | { type: 'expired' }
  | { type: 'unreachable' }

/** Who the owner is, as the provider shows it: display only. */
export type OwnerProfile = {
  owner_id: string
  display_name: string | null
  /** BCP 47. */
  locale: string
  /** IANA. */
  timezone: string
}

/**
 * Why an owner cannot connect now. `ending`: an earlier connection is still being ended; one whose revoke was sent holds
 * the owner up for ten minutes at most. `sign_in_again`: no sign-in of the owner is recent enough to connect with.
 */
export type CannotConnect = { type: 'ending' } | { type: 'sign_in_again' }

/** `connected`: there is a connection. `ready`: the owner can connect, and is then connected to this provider. */
export type MayConnectAnswer = { type: 'connected' } | { type: 'ready'; provider_name: string } | CannotConnect

/** `connected`: now or before. */
export type ConnectAnswer = { type: 'connected' } | CannotConnect

/** `subject`: by which operators know the owner in the record of the account page. */
export type DisconnectRequest = { owner_id: string; subject: string }

/**
 * False: nothing is connected. `fenced`: the submitter has confirmed that it sends nothing more over the connection.
 */
export type DisconnectAnswer = { disconnected: true; fenced: boolean } | { disconnected: false }
