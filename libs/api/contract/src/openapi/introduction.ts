/** The introduction of the document, to be read before any operation. Markdown (CommonMark). */

import { routePagePath } from '../documentation-paths.ts'

/** Returns the description of the API, with addresses of this origin. */
export function introduction(baseUrl: string): string {
  return `A JSON-over-HTTPS API through which an OAuth client acts for one owner: it reads accounts, spending, beneficiaries, mandates, cards and purchases, and begins financial writes.

## Writes are operations

Every financial write is a durable operation, submitted to the provider at most once. It is accepted with 202 and followed by reading [\`GET /v1/operations/{id}\`](${baseUrl}${routePagePath('getOperation', { area: 'operations' })}); never repeat the write to learn its outcome. \`succeeded\`, \`failed\` and \`cancelled\` are final. \`indeterminate\` means that the provider may have accepted the write: keep reading, do not use a new key, do not send it again.

A keyed write takes an \`Idempotency-Key\`. The equal request with the same key within 24 hours is a replay: it answers 202 with the operation as it is now and \`Idempotent-Replayed: true\`. The same key with another request is refused (\`idempotency_key_conflict\`). If a response was lost, \`GET /v1/operations?idempotency_key=…\` finds the operation.

Some writes need the owner's confirmation: ask for it with \`POST /v1/confirmation-intents\`, hand its address to the owner, and send the confirmed request with \`Confirmation-Intent-ID\`.

## Authentication

OAuth 2.0 with tokens bound to a key of the client (DPoP, RFC 9449). Protected requests carry \`Authorization: DPoP <access token>\` and a \`DPoP\` header with a proof made for that request. Every response of a protected route carries \`DPoP-Nonce\`: put the latest into the next proof. Without a valid nonce the answer is 401 \`use_dpop_nonce\`, and the request is repeated with the nonce of that answer. Addresses come from \`${baseUrl}/.well-known/oauth-authorization-server\`.

Keep the key: for every client profile, a refresh token is valid only with proofs by the key of its first token. A client that loses the key asks the owner again. A confidential client pushes its authorization request (RFC 9126) with \`dpop_jkt\`, or with a proof by that key; all parameters of the authorization request other than \`request_uri\` and \`client_id\` are then ignored.

The routes of the area operator take only tokens of another class (audience \`${baseUrl}/v1/ops\`). The console makes them, and no OAuth flow of this API does. The challenges of these routes name the realm.

## Problems

Errors are \`application/problem+json\` (RFC 9457). \`code\` is stable; \`retryable\` says whether repeating the identical request can safely succeed; \`submission_uncertain\` says that a write may have reached the provider. Every code has a page: \`${baseUrl}/problems\`. The \`failure_code\` of an operation says what went wrong with it: \`${baseUrl}/failure-codes\`.

A resource that is not visible to the caller answers 404, exactly like one that does not exist. A path of the API with a method that it does not take answers 405 with \`Allow\`.

## Conventions

Amounts are decimal strings with a currency, never floating-point numbers. An amount that you state is never finer than the smallest unit of its currency (ISO 4217: none for JPY, two digits for EUR, three for KWD), else the answer is 422; trailing zeros do not count. Times are RFC 3339, UTC, with milliseconds. Identifiers are UUIDs of this API; a path with an identifier that is no UUID answers 404, like one that does not exist. Only the paths of webhook subscriptions answer 422. Request bodies are \`application/json\` of at most 64 KiB; unknown members and unknown query parameters are refused.

Lists answer \`{ "items": […], "next_cursor": … }\`. Pass \`next_cursor\` as \`cursor\` with the same query to go on; null ends the list.

## Versions

The version of the document is semantic (\`info.version\`); its first number is that of the path, \`/v1\`. Within it, everything that a client may rely on stays. A minor version may add routes, members of responses, optional members and parameters of requests, problem codes of a route, and values to the lists that say \`x-extensible-enum\`. Requests that are valid stay valid. A list that says \`enum\` is complete: the states and kinds of operations, for two, never grow.

So a client ignores members that it does not know, and treats a value that it does not know in an \`x-extensible-enum\` as the general case: an unknown \`failure_code\` by the state of its operation, an unknown problem \`code\` by its status with \`retryable\` and \`submission_uncertain\`, an unknown event by reading the operation, an unknown type as one that it does not handle. The schemas say \`additionalProperties: false\`, because an object of this version has the members that are named here and no others. A client that checks answers against them checks the minor version that it was generated from; one that is to take later ones too ignores the keyword in answers.

\`x-problem-codes\` of a response lists the codes that the route can answer with its status. Generators that do not know OpenAPI's webhooks find the same document without them at \`${baseUrl}/docs/openapi-without-webhooks.json\`.

## Every answer

Every response carries \`X-Request-Id\`. Requests beyond the shared limit of the grant, or of the address if there is no grant, answer 429 with \`Retry-After\`.`
}
