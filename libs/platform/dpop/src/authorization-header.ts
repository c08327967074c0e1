/**
 * The two HTTP authentication fields of a protected resource: reads `Authorization: DPoP <token>` and writes
 * `WWW-Authenticate: DPoP …` (RFC 9110 §11, RFC 6750 §3, RFC 9449 §7.1).
 *
 * Invariant: a rendered value is always one challenge of printable ASCII. No parameter can end a quoted string early or
 * start a new header line.
 */

/** The reason why an `Authorization` header holds no DPoP token. */
export type AuthorizationProblem = 'missing' | 'malformed' | 'unsupported_scheme'

/** The DPoP token of an `Authorization` header, or the reason why there is none. */
export type Authorization = { scheme: 'dpop'; token: string } | { problem: AuthorizationProblem }

/** The error codes of a challenge (RFC 6750 §3.1, RFC 9449 §7.1 and §9). */
export type ChallengeError =
  | 'invalid_request'
  | 'invalid_token'
  | 'insufficient_scope'
  | 'invalid_dpop_proof'
  | 'use_dpop_nonce'

export interface Challenge {
  realm?: string
  error?: ChallengeError
  errorDescription?: string
  /** The scopes that the request needs, separated by spaces. */
  scope?: string
  /** The URL of the protected resource metadata (RFC 9728 §5.1). */
  resourceMetadata?: string
}

const maxHeaderChars = 8192
const schemeName = /^[!#$%&'*+.^_`|~0-9a-z-]+$/i
const token68 = /^[a-z0-9._~+/-]+=*$/i

/**
 * Parses an `Authorization` header: the scheme `DPoP` in any letter case, and exactly one token.
 *
 * @param value the raw value. The caller detects a repeated header; values joined by a comma are `malformed`
 */
export function parseAuthorization(value: string | undefined): Authorization {
  if (value === undefined || value === '') return { problem: 'missing' }
  if (value.length > maxHeaderChars) return { problem: 'malformed' }
  const schemeEnd = value.indexOf(' ')
  const scheme = schemeEnd === -1 ? value : value.slice(0, schemeEnd)
  if (!schemeName.test(scheme)) return { problem: 'malformed' }
  if (scheme.toLowerCase() !== 'dpop') return { problem: 'unsupported_scheme' }
  const token = withoutLeadingSpaces(value.slice(scheme.length))
  if (!token68.test(token)) return { problem: 'malformed' }
  return { scheme: 'dpop', token }
}

// A loop and not a pattern: ` +(.*)$` takes quadratic time over spaces that nothing follows.
function withoutLeadingSpaces(text: string): string {
  let at = 0
  while (text[at] === ' ') at += 1
  return text.slice(at)
}

/** Renders the value of `WWW-Authenticate`, always with the scheme DPoP and `algs="ES256"`. */
export function challenge(parameters: Challenge): string {
  const rendered = [
    parameter('realm', parameters.realm),
    parameter('error', parameters.error),
    parameter('error_description', parameters.errorDescription),
    parameter('scope', parameters.scope),
    parameter('resource_metadata', parameters.resourceMetadata),
    parameter('algs', 'ES256'),
  ]
  return `DPoP ${rendered.filter((text) => text !== undefined).join(', ')}`
}

function parameter(name: string, value: string | undefined): string | undefined {
  if (value === undefined) return undefined
  // RFC 6750 §3 allows neither quotes nor backslashes in these values, escaped or not.
  return `${name}="${value.replaceAll('"', "'").replace(/[^\x20-\x7e]|\\/g, '?')}"`
}
