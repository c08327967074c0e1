/**
 * The authentication of an owner with the owner's device at the provider. Onboarding starts it, the owner approves at the
 * provider's hosted page, and onboarding identifies the owner. The provider's credentials never leave onboarding unsealed.
 */

/**
 * `return_url`: the address to which the hosted page sends the browser, approved or not. The page adds nothing to it; an OpenID
 * provider adds its response.
 */
export type StartSignInRequest = { return_url: string }

/** The page for the owner, or the reason why there is none. */
export type StartSignInAnswer =
  /** `url`: the hosted page. The browser never learns `sign_in_id`; only authz knows it. */
  | { type: 'started'; sign_in_id: string; url: string; expires_at: string }
  /** This release cannot adopt live devices of the provider. */
  | { type: 'not_available' }
  /** The provider is out of reach. */
  | { type: 'unreachable' }

/**
 * Asks for the result of a sign-in. May be repeated: the first result stays. `response`: the query that the provider
 * added to the return address, as the browser that started the sign-in brought it back. The first response stays.
 */
export type FinishSignInRequest = { sign_in_id: string; response?: string }

export type FinishSignInAnswer =
  /** The owner, known or new. The sign-in connects nothing. Repeated calls get the same answer until the sign-in expires. */
  | { type: 'signed_in'; owner: OwnerProfile }
  | { type: 'pending' }
  | { type: 'declined' }
  /** The browser came back with a response that the provider did not give to this sign-in. */
  | { type: 'refused' }
  | { type: 'expired' }
  | { type: 'unreachable' }

/** The owner's profile at the provider, for display only. */
export type OwnerProfile = {
  owner_id: string
  display_name: string | null
  /** A BCP 47 tag. */
  locale: string
  /** An IANA name. */
  timezone: string
}

/**
 * The reason why an owner cannot connect now. `ending`: an earlier connection is still being ended. If its revoke was sent, the owner
 * waits for at most ten minutes. `sign_in_again`: no sign-in of the owner is recent enough.
 */
export type CannotConnect = { type: 'ending' } | { type: 'sign_in_again' }

/** `connected`: the owner has a connection. `ready`: the owner can connect to the named provider. */
export type MayConnectAnswer = { type: 'connected' } | { type: 'ready'; provider_name: string } | CannotConnect

/** `connected`: this call or an earlier one connected the owner. */
export type ConnectAnswer = { type: 'connected' } | CannotConnect

/** `subject`: the subject that identifies the owner to operators, in the operation that the account page opens. */
export type DisconnectRequest = { owner_id: string; subject: string }

/**
 * `disconnected: false`: the owner has no connection. `fenced`: the submitter confirmed that it sends nothing more over the connection.
 */
export type DisconnectAnswer = { disconnected: true; fenced: boolean } | { disconnected: false }
