/** Parameters and response headers that many operations share. Each is described once and referenced. */

/** Spaces around a value of a header do not count (RFC 9110 §5.5). */
const identifier = {
  type: 'string',
  minLength: 16,
  maxLength: 200,
  pattern: '^[\\x21-\\x7e][\\x20-\\x7e]*[\\x21-\\x7e]$',
}
const requestId = { type: 'string', pattern: '^[A-Za-z0-9._~-]{8,128}$' }

/** The member `components.parameters` of the document. */
export const parameters = {
  RequestId: {
    name: 'X-Request-Id',
    in: 'header',
    description:
      'Names the request in logs, here and at the client. A value that is not safe to log is replaced by a generated UUID.',
    schema: requestId,
    example: 'order-7f3a9c21',
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: true,
    description:
      'Unique for one intended write. An equal request with the same key within 24 hours returns the current operation and never writes twice. Printable ASCII; spaces before and after it do not count.',
    schema: identifier,
    example: '3f1c5d0e-rent-2026-11',
  },
  ConfirmationIntentId: {
    name: 'Confirmation-Intent-ID',
    in: 'header',
    required: true,
    description: 'The confirmation of exactly this request, given by the owner (`POST /v1/confirmation-intents`).',
    schema: identifier,
    example: '01980f3e-6a2b-7c41-9d55-0a4f1f6f2c11',
  },
  ConfirmationIntentIdByPolicy: {
    name: 'Confirmation-Intent-ID',
    in: 'header',
    required: false,
    description:
      'The confirmation of exactly this request, given by the owner, if the policy of the grant requires one (`GET /v1/authorization`).',
    schema: identifier,
    example: '01980f3e-6a2b-7c41-9d55-0a4f1f6f2c11',
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    required: false,
    description: 'The `ETag` of your cached version.',
    schema: { type: 'string' },
  },
} as const

/** The member `components.headers` of the document. */
export const headers = {
  'X-Request-Id': {
    description: 'Names this request in our logs. It is the value that was sent, if that is safe to log.',
    schema: requestId,
    example: 'order-7f3a9c21',
  },
  'DPoP-Nonce': {
    description: 'Use it as the `nonce` of the next proof. It replaces any earlier nonce.',
    schema: { type: 'string', pattern: '^[A-Za-z0-9_-]{43}$' },
  },
  'Idempotent-Replayed': {
    description: 'Present only on a replay: the operation was started by an earlier equal request.',
    schema: { type: 'string', enum: ['true'] },
  },
  'WWW-Authenticate': {
    description: 'The DPoP challenge: inspect it before you decide between a new token and a new proof.',
    schema: { type: 'string', pattern: '^DPoP ' },
  },
  'Retry-After': {
    description: 'The number of whole seconds to wait.',
    schema: { type: 'integer', format: 'int32', minimum: 1 },
    example: 1,
  },
  Allow: { description: 'The methods that the path supports.', schema: { type: 'string' }, example: 'GET, POST' },
  'Cache-Control': { description: 'The time for which the answer may be cached.', schema: { type: 'string' } },
  ETag: { description: 'Names this version of the answer, for `If-None-Match`.', schema: { type: 'string' } },
} as const

export function headerReferences(names: readonly (keyof typeof headers)[]): Record<string, { $ref: string }> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

export function parameterReference(name: keyof typeof parameters): { $ref: string } {
  return { $ref: `#/components/parameters/${name}` }
}
