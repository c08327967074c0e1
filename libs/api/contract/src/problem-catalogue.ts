/**
 * Every problem code of the API with its status and title, and the text of its page. An entry also says if repeating
 * the identical request can safely succeed (`retryable`), and if the provider may have received a write
 * (`submission_uncertain`). The renderer, the pages and the OpenAPI document derive from the catalogue. No status is
 * defined anywhere else.
 */

type Entry = {
  status: number
  title: string
  retryable: boolean
  submission_uncertain: boolean
  description: string
}

const refusal = { retryable: false, submission_uncertain: false }
const passing = { retryable: true, submission_uncertain: false }

/** Every problem of the API, by code. */
export const problemCatalogue = {
  malformed_json: {
    status: 400,
    title: 'The body is not JSON',
    ...refusal,
    description:
      'The request body could not be parsed, or an object in it has a member twice. Send one UTF-8 encoded JSON value, each member once.',
  },
  malformed_request: {
    status: 400,
    title: 'The request is not well-formed HTTP',
    ...refusal,
    description:
      'The path, a header or the query could not be decoded, or a header that may appear only once came twice.',
  },
  invalid_token: {
    status: 401,
    title: 'The access token is not valid here',
    ...refusal,
    description:
      'The token is missing, expired, revoked, of another environment or class, or not sent with the DPoP scheme. Inspect WWW-Authenticate, then obtain a new token.',
  },
  invalid_dpop_proof: {
    status: 401,
    title: 'The DPoP proof is not valid',
    ...refusal,
    description:
      'The proof is missing, malformed, for another request, token or key, or was used before. Make a new proof for this exact request (RFC 9449).',
  },
  use_dpop_nonce: {
    status: 401,
    title: 'A fresh DPoP nonce is needed',
    ...passing,
    description:
      'Put the value of the DPoP-Nonce response header into the nonce claim of a new proof and repeat the request.',
  },
  insufficient_scope: {
    status: 403,
    title: 'The access token does not authorise this',
    ...refusal,
    description:
      'The token lacks the scope that WWW-Authenticate names. The owner has to grant it. Operators get it from their groups.',
  },
  capability_unavailable: {
    status: 403,
    title: 'The capability is not available',
    ...refusal,
    description:
      'GET /v1/public-config says which capabilities are available, and why one is not. If the capability is available there, the provider of this owner does not offer it.',
  },
  confirmation_required: {
    status: 403,
    title: 'The owner has to confirm this',
    ...refusal,
    description:
      'The request needs a Confirmation-Intent-ID of this client and owner. POST /v1/confirmation-intents makes one; send it once the owner has confirmed.',
  },
  confirmation_pending: {
    status: 403,
    title: 'The owner has not confirmed yet',
    ...refusal,
    description: 'Poll GET /v1/confirmation-intents/{intent_id}; repeat the request once its status is confirmed.',
  },
  confirmation_declined: {
    status: 403,
    title: 'The owner has declined this',
    ...refusal,
    description:
      'The owner declined the confirmation, or took it back before it was used. Do not repeat the request unless the owner asks for it again.',
  },
  confirmation_mismatch: {
    status: 403,
    title: 'The owner confirmed another request',
    ...refusal,
    description:
      'The confirmation is bound to one exact request of one grant (method, path and body) and to the provider connection of that time. Send the confirmed request, or ask the owner to confirm this one. If the owner has connected again since, ask anew.',
  },
  webhooks_unavailable: {
    status: 403,
    title: 'Webhooks are not on here',
    ...refusal,
    description:
      'This environment has no key to sign notifications. Poll GET /v1/operations, which is the source of truth in every environment.',
  },
  mandate_client_not_authorized: {
    status: 403,
    title: 'The mandate does not authorise this client',
    ...refusal,
    description:
      'The client is not among the authorized_clients of the mandate, or its current grant has no authority under the mandate. That authority belongs to the grant that the client held when the owner confirmed the mandate, and ends with that grant. Ask the owner for consent again: the consent page lists the mandate, and the owner can let the client continue. A service account needs a new mandate.',
  },
  mandate_rule_not_authorized: {
    status: 403,
    title: 'The mandate does not authorise this rule',
    ...refusal,
    description:
      'A transfer must name one of the authorized_rules of its mandate, and no rule if the mandate has none.',
  },
  route_not_found: {
    status: 404,
    title: 'There is no such route',
    ...refusal,
    description: 'The path is not part of this API. Every path of the API starts with /v1.',
  },
  operation_not_found: {
    status: 404,
    title: 'There is no such operation',
    ...refusal,
    description: 'No operation of the current subject and client has this identifier.',
  },
  transfer_not_found: {
    status: 404,
    title: 'There is no such transfer',
    ...refusal,
    description: 'No transfer of the current subject and client has this identifier.',
  },
  beneficiary_not_found: {
    status: 404,
    title: 'There is no such beneficiary',
    ...refusal,
    description: 'The owner has no beneficiary with this identifier.',
  },
  payout_schema_not_found: {
    status: 404,
    title: 'There is no such payout schema',
    ...refusal,
    description: 'The provider offers no payout schema with this identifier.',
  },
  confirmation_intent_not_found: {
    status: 404,
    title: 'There is no such confirmation intent',
    ...refusal,
    description:
      'The owner and client have no confirmation intent with this identifier, or it ended a day ago or more.',
  },
  mandate_not_found: {
    status: 404,
    title: 'There is no such mandate',
    ...refusal,
    description: 'No mandate that this client made or is authorised under has this identifier.',
  },
  card_not_found: {
    status: 404,
    title: 'There is no such card',
    ...refusal,
    description: 'The owner has no card with this identifier.',
  },
  service_connection_not_found: {
    status: 404,
    title: 'No provider is connected',
    ...refusal,
    description: 'The owner has no connection to a provider, or it was disconnected.',
  },
  account_not_found: {
    status: 404,
    title: 'There is no such account',
    ...refusal,
    description: 'The owner has no account with this identifier.',
  },
  purchase_quote_not_found: {
    status: 404,
    title: 'There is no such purchase quote',
    ...refusal,
    description: 'The owner and client have no purchase quote with this identifier.',
  },
  purchase_not_found: {
    status: 404,
    title: 'There is no such purchase',
    ...refusal,
    description: 'The owner has no purchase with this identifier.',
  },
  service_not_found: {
    status: 404,
    title: 'There is no such service',
    ...refusal,
    description: 'No service has this identifier. GET /v1/services lists them.',
  },
  webhook_subscription_not_found: {
    status: 404,
    title: 'There is no such webhook subscription',
    ...refusal,
    description: 'The owner and client have no webhook subscription with this identifier.',
  },
  webhook_delivery_not_found: {
    status: 404,
    title: 'There is no such delivery',
    ...refusal,
    description: 'The subscription has no delivery with this identifier. Deliveries are kept for thirty days.',
  },
  grant_not_found: {
    status: 404,
    title: 'There is no such grant',
    ...refusal,
    description: 'No grant has this identifier. GET /v1/ops/grants lists them.',
  },
  method_not_allowed: {
    status: 405,
    title: 'The path does not take this method',
    ...refusal,
    description: 'The Allow header lists the methods that the path takes.',
  },
  method_not_implemented: {
    status: 501,
    title: 'There is no such method',
    ...refusal,
    description: 'No path of this API takes a method of this name. Method names are written in capital letters.',
  },
  request_timeout: {
    status: 408,
    title: 'The request did not arrive in time',
    ...refusal,
    description: 'The head or the body of the request was not complete within the time that the server waits.',
  },
  provider_connection_unavailable: {
    status: 409,
    title: 'The provider is not connected',
    ...refusal,
    description:
      'The owner has no connected provider, has disconnected it, or the provider refuses this read over the owner’s connection. Before this grant can be used, the owner has to connect on the account page, or to resolve the refusal with the provider. A service account uses the connection that its declaration fixed. If that connection has ended, an operator has to declare the account again.',
  },
  idempotency_key_conflict: {
    status: 409,
    title: 'The key belongs to another request',
    ...refusal,
    description:
      'This Idempotency-Key was used within its window for a different request. Repeat the first request exactly, or use a new key for a new intention.',
  },
  idempotency_key_expired: {
    status: 409,
    title: 'The key is past its window',
    ...refusal,
    description:
      'Keys are honoured for 24 hours. The request was not executed. Look for the operation with GET /v1/operations before you start again with a new key.',
  },
  confirmation_already_used: {
    status: 409,
    title: 'The confirmation was used before',
    ...refusal,
    description:
      'A confirmation can be used for one operation. To get that operation, repeat its request with its own Idempotency-Key.',
  },
  confirmation_expired: {
    status: 409,
    title: 'The confirmation has expired',
    ...refusal,
    description: 'A confirmation lives ten minutes. Ask the owner for a new one.',
  },
  resource_busy: {
    status: 409,
    title: 'Another operation is changing this',
    ...refusal,
    description:
      'Another operation on this resource is not settled. Follow that operation, then send the request with a new key. Meanwhile a card can be closed, and a card with an unsettled unfreeze can be frozen. A mandate can be revoked.',
  },
  mandate_not_active: {
    status: 409,
    title: 'The mandate is not active',
    ...refusal,
    description: 'The state of the mandate does not allow this. GET /v1/mandates/{mandate_id} shows it.',
  },
  mandate_revocation_in_progress: {
    status: 409,
    title: 'The mandate is being revoked',
    ...refusal,
    description: 'A revocation of the mandate is under way. Follow its operation.',
  },
  mandate_already_revoked: {
    status: 409,
    title: 'The mandate is revoked',
    ...refusal,
    description: 'The mandate was revoked before; nothing is left to revoke.',
  },
  mandate_cap_exceeded: {
    status: 409,
    title: 'A cap of the mandate would be exceeded',
    ...refusal,
    description: 'The transfer exceeds the rest of a cap. Amounts with an unknown outcome count as spent.',
  },
  grant_ceiling_exceeded: {
    status: 409,
    title: 'A ceiling of the grant would be exceeded',
    ...refusal,
    description:
      'The owner allowed this client payments up to a ceiling, by withdrawal or under a mandate. GET /v1/authorization shows it. The daily ceiling counts all payments of this client for the owner in a UTC day, over all its grants.',
  },
  card_not_active: {
    status: 409,
    title: 'The card is not active',
    ...refusal,
    description: 'The state of the card does not allow this. GET /v1/cards/{card_id} shows it.',
  },
  card_not_frozen: {
    status: 409,
    title: 'The card is not frozen',
    ...refusal,
    description: 'Only a frozen card can be unfrozen. GET /v1/cards/{card_id} shows its state.',
  },
  card_already_closed: {
    status: 409,
    title: 'The card is closed',
    ...refusal,
    description: 'The card was closed before, and nothing changes a closed card.',
  },
  card_reveal_refused: {
    status: 409,
    title: 'The provider does not show this card',
    ...refusal,
    description: 'The provider refuses to show the number of this card as things stand.',
  },
  grant_not_active: {
    status: 409,
    title: 'The grant is not active',
    ...refusal,
    description: 'Only an active grant can be suspended: this one was revoked or has expired.',
  },
  kyc_session_unavailable: {
    status: 409,
    title: 'There is nothing to verify now',
    ...refusal,
    description: 'The provider does not open a verification at present. GET /v1/kyc shows the status.',
  },
  webhook_subscription_limit_reached: {
    status: 409,
    title: 'There are enough webhook subscriptions',
    ...refusal,
    description:
      'The owner and client already have the maximum number of webhook subscriptions. Delete one that is not needed.',
  },
  payload_too_large: {
    status: 413,
    title: 'The body is too large',
    ...refusal,
    description: 'Request bodies hold at most 64 KiB.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'The media type is not supported',
    ...refusal,
    description: 'Send the body as application/json, without content coding.',
  },
  expectation_failed: {
    status: 417,
    title: 'The expectation is not known',
    ...refusal,
    description: 'Send Expect: 100-continue, or no Expect header at all.',
  },
  validation_failed: {
    status: 422,
    title: 'The request has not the required shape',
    ...refusal,
    description: 'The member fields names what is wrong: path is dot-delimited, message says what to send.',
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    ...passing,
    description: 'The shared request limit is exceeded. Wait the whole seconds that Retry-After names.',
  },
  request_header_too_large: {
    status: 431,
    title: 'The head of the request is too large',
    ...refusal,
    description: 'Request line and headers together hold at most 16 KiB.',
  },
  internal_error: {
    status: 500,
    title: 'Something went wrong on our side',
    ...refusal,
    description: 'The failure is logged under the request id. Look up a keyed write by its key.',
  },
  response_contract_failed: {
    status: 500,
    title: 'The response broke its contract',
    ...refusal,
    description:
      'The answer did not have the shape that this API promises, so it was withheld. It is logged under the request id.',
  },
  authorization_unavailable: {
    status: 503,
    title: 'Authorization cannot be checked',
    ...passing,
    description:
      'A part that authorization depends on is out of reach, so requests are refused. Repeat after a moment.',
  },
  provider_unavailable: {
    status: 503,
    title: 'The provider is out of reach',
    ...passing,
    description: 'The provider did not answer a read. Nothing was written. Repeat after a moment.',
  },
  service_unavailable: {
    status: 503,
    title: 'The service is out of reach',
    ...passing,
    description:
      'A part of the system is out of reach, or has not confirmed yet what was asked for. Repeating the identical request is safe: repeat it after a moment.',
  },
  acceptance_unknown: {
    status: 503,
    title: 'Whether the write was accepted is not known',
    retryable: false,
    submission_uncertain: true,
    description:
      'The write may have been accepted. Read GET /v1/operations?idempotency_key=… with the key of the request; never use a new key to find out. If the route takes no key, detail says what to read or to do first.',
  },
} as const satisfies Record<string, Entry>

/** The codes that refuse an invalid confirmation (decisions, "Confirmation intents"). */
export const confirmationProblems = [
  'confirmation_required',
  'confirmation_pending',
  'confirmation_declined',
  'confirmation_mismatch',
  'confirmation_already_used',
  'confirmation_expired',
] as const satisfies readonly ProblemCode[]

/** A code that refuses an invalid confirmation. */
export type ConfirmationProblem = (typeof confirmationProblems)[number]

export type ProblemCode = keyof typeof problemCatalogue

export const problemCodes = Object.keys(problemCatalogue) as readonly ProblemCode[]
