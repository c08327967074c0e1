/**
 * The headers of a page. A page loads nothing but its own inlined stylesheet, runs no script unless it says so, and then files
 * of its own origin alone, is framed by nobody, tells no other origin where its reader came from, and is stored by no cache.
 *
 * Invariant: whatever a page says more than that, it says in `PageRights`, for itself alone.
 */

import { createHash } from 'node:crypto'
import { stylesheet } from './stylesheet.ts'

/** What one page may do beyond reading. */
export type PageRights = {
  /** It loads scripts and stylesheets of this origin, and asks it for more. Nothing inline, nothing evaluated. */
  application?: boolean
  /** It has forms; they go to this origin. */
  forms?: boolean
  /**
   * Addresses to which an answer to a form redirects: browsers hold redirects to `form-action` too. Their origins, or the
   * schemes of private ones, are allowed.
   */
  formRedirects?: readonly string[]
  /** It runs files of this origin, never what stands in it, and those ask this origin alone. */
  scripts?: boolean
}

const styleHash = createHash('sha256').update(stylesheet).digest('base64')

/** The headers of a page with these rights. */
export function pageHeaders(rights: PageRights = {}): Record<string, string> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': contentSecurityPolicy(rights),
    'cache-control': 'no-store',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()',
    // Without a referrer browsers write `Origin: null` on forms, and nobody could tell ours from others'.
    'referrer-policy': rights.forms ? 'same-origin' : 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  }
}

/** The policy alone, for pages that somebody else sends. */
export function contentSecurityPolicy({ application, forms, formRedirects = [], scripts }: PageRights = {}): string {
  const targets = ["'self'", ...new Set(formRedirects.map(sourceOf))]
  return [
    "default-src 'none'",
    `style-src 'sha256-${styleHash}'${application ? " 'self'" : ''}`,
    ...(application || scripts ? ["script-src 'self'", "connect-src 'self'"] : []),
    ...(application ? ['img-src data:'] : []),
    `form-action ${forms ? targets.join(' ') : "'none'"}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** As a source expression: an origin; a scheme where there is none, or where the grammar has no word for the host (IPv6). */
function sourceOf(address: string): string {
  const { protocol, origin, hostname } = new URL(address)
  return origin === 'null' || hostname.startsWith('[') ? protocol : origin
}
