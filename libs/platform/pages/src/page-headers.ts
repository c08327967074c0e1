/**
 * The security headers of a page. By default a page loads only its inlined stylesheet, runs no script, cannot be
 * framed, sends no referrer to other origins, and is not cached.
 *
 * Invariant: every further right is listed in `PageRights`, for one page only.
 */

import { type Branding, unbranded } from './branding.ts'
import type { Reader } from './reader.ts'

/** The rights of one page beyond reading. */
export type PageRights = {
  /** The page has forms, which it sends to this origin. */
  forms?: boolean
  /**
   * Addresses to which the answer to a form redirects, because browsers apply `form-action` to redirects too. Their
   * origins are allowed, or their schemes if these are private ones.
   */
  formRedirects?: readonly string[]
  /**
   * The page runs script files of this origin, which send requests to this origin only. Inline scripts stay forbidden.
   */
  scripts?: boolean
  /** The page shows pictures of this origin. A page with the installation's logo has this right already. */
  pictures?: boolean
}

/**
 * Returns the headers of a page with these rights. `reader`: the reader of a page that has several languages.
 * `branding`: the branding with which the page is rendered.
 */
export function pageHeaders(
  rights: PageRights = {},
  reader?: Reader,
  branding: Branding = unbranded,
): Record<string, string> {
  return {
    'content-type': 'text/html; charset=utf-8',
    ...(reader && { 'content-language': reader.language, vary: 'Accept-Language, Cookie' }),
    'content-security-policy': contentSecurityPolicy(rights, branding),
    'cache-control': 'no-store',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()',
    // With `no-referrer`, browsers send `Origin: null` with forms, and our forms would look like foreign ones.
    'referrer-policy': rights.forms ? 'same-origin' : 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  }
}

/** Returns the content security policy alone, for pages that another component sends. */
export function contentSecurityPolicy(
  { forms, formRedirects = [], scripts, pictures }: PageRights = {},
  { styleHash, logo }: Branding = unbranded,
): string {
  const targets = ["'self'", ...new Set(formRedirects.map(sourceOf))]
  return [
    "default-src 'none'",
    `style-src 'sha256-${styleHash}'`,
    ...(pictures || logo !== undefined ? ["img-src 'self'"] : []),
    ...(scripts ? ["script-src 'self'", "connect-src 'self'"] : []),
    `form-action ${forms ? targets.join(' ') : "'none'"}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/**
 * The CSP source expression for an address: its origin, or its scheme if the address has no origin or an IPv6 host, for
 * which the grammar has no expression.
 */
function sourceOf(address: string): string {
  const { protocol, origin, hostname } = new URL(address)
  return origin === 'null' || hostname.startsWith('[') ? protocol : origin
}
