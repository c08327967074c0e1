/**
 * The two HTTP authentication fields of a protected resource: reading `Authorization: DPoP <token>` and writing
 * `WWW-Authenticate: DPoP …` (RFC 9110 §11, RFC 6750 §3, RFC 9449 §7.1).
 *
 * Invariant: whatever is put into a challenge, the value stays one challenge of printable ASCII: nothing ends a quoted
 * string early or starts a new header line.
 */

/** Why an `Authorization` header holds no DPoP token. */
export type AuthorizationProblem = 'missing' | 'malformed' | 'unsupported_scheme'

/** What an Authorization header holds. */
export type Authorization = { scheme: 'dpop'; token: string } | { problem: AuthorizationProblem }

/** The error codes of a challenge (RFC 6750 §3.1, RFC 9449 §7.1 and §9). */
export type ChallengeError =
  | 'invalid_request'
  | 'invalid_token'
  | 'insufficient_scope'
  | 'invalid_dpop_proof'
  | 'use_dpop_nonce'

/** What a challenge says. */
export interface Challenge {
  realm?: string
  error?: ChallengeError
  errorDescription?: string
  /** The scope that the request needs, space-delimited. */
  scope?: string
  /** The address of the protected resource metadata (RFC 9728 §5.1). */
  resourceMetadata?: string
}

const maxHeaderChars = 8192
const schemeName = /^[!#$%&'*+.^_`|~0-9a-z-]+$/i
const token68 = /^[a-z0-9._~+/-]+=*$/i

/**
 * Reads an `Authorization` header: the scheme `DPoP` in any letter case and exactly one token.
 *
 * @param value the raw value; the caller tells a repeated header apart, joined by a comma it is `malformed`
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

// Not a pattern: ` +(.*)$` takes quadratic time over spaces that nothing follows.
function withoutLeadingSpaces(text: string): string {
  let at = 0
  while (text[at] === ' ') at += 1
  return text.slice(at)
}

/** Renders the value of `WWW-Authenticate`: always the scheme DPoP, always with `algs="ES256"`. */
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
