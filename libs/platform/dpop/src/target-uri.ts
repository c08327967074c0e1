/**
 * The normal form of a request's target, with which a proof's `htu` is compared: RFC 3986 §6.2.2 and §6.2.3 (case of
 * scheme and host, default port, percent-encoding, dot segments, empty path), without query and fragment (RFC 9449
 * §4.3).
 *
 * The code does not use `new URL()`, which accepts more than RFC 3986 allows: white space, backslashes, user names,
 * missing slashes. It also leaves percent-encoded letters as they are.
 *
 * Invariant: normalising a normal form changes nothing. Only absolute http and https URIs have a normal form.
 */

const absoluteUri = /^(https?):\/\/([^/?#]+)([^?#]*)/i
const hostAndPort = /^([a-z0-9._~!$&'()*+,;=-]+|\[[0-9a-f:.]+\])(?::([0-9]{0,5}))?$/i
const printable = /^[\x21-\x7e]*$/
const triplet = /^%[0-9a-f]{2}$/i
const unreserved = /^[a-z0-9._~-]$/i
const worthNormalising = /%|\/\.|[^a-z0-9._~!$&'()*+,;=:@/-]/i

/**
 * The normal form of an absolute http or https URI, without query and fragment; undefined for any other text.
 *
 * The `url` given to the verifier must have this form: `normaliseTargetUri(publicBaseUrl + path)`.
 */
export function normaliseTargetUri(uri: string): string | undefined {
  const match = absoluteUri.exec(uri)
  if (match === null) return undefined
  const scheme = (match[1] as string).toLowerCase()
  const authority = normaliseAuthority(scheme, match[2] as string)
  const path = normalisePath(match[3] as string)
  if (authority === undefined || path === undefined) return undefined
  return `${scheme}://${authority}${path}`
}

function normaliseAuthority(scheme: string, authority: string): string | undefined {
  const match = hostAndPort.exec(authority)
  if (match === null) return undefined
  const host = (match[1] as string).toLowerCase()
  if (match[2] === undefined || match[2] === '') return host
  const port = Number(match[2])
  if (port > 65_535) return undefined
  return port === (scheme === 'https' ? 443 : 80) ? host : `${host}:${port}`
}

function normalisePath(path: string): string | undefined {
  if (path === '') return '/'
  if (!worthNormalising.test(path)) return path
  if (!printable.test(path)) return undefined
  const escapes = path.match(/%.{0,2}/g)
  if (escapes !== null && !escapes.every((escape) => triplet.test(escape))) return undefined
  const encoded = path.replace(/%..|[^a-z0-9._~!$&'()*+,;=:@/%-]/gi, normaliseEscape)
  return removeDotSegments(encoded)
}

function normaliseEscape(found: string): string {
  // A character that no URI may contain is escaped: HTTP clients send some of them as they are.
  if (found.length === 1) return `%${found.charCodeAt(0).toString(16).toUpperCase()}`
  const character = String.fromCharCode(Number.parseInt(found.slice(1), 16))
  return unreserved.test(character) ? character : found.toUpperCase()
}

function removeDotSegments(path: string): string {
  const segments = path.split('/').slice(1)
  const kept: string[] = []
  for (const segment of segments) {
    if (segment === '..') kept.pop()
    else if (segment !== '.') kept.push(segment)
  }
  const last = segments.at(-1)
  if (last === '.' || last === '..') kept.push('')
  return `/${kept.join('/')}`
}
