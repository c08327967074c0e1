/**
 * Recognises forms that a page of another origin has sent, by the browser's headers. Without these headers, only the
 * form's token decides.
 */

import type { IncomingHttpHeaders } from 'node:http'

/**
 * True if `Origin` or `Sec-Fetch-Site` shows that another origin sent the form.
 * @param baseUrl the origin of our own pages
 */
export function isForeignForm(headers: IncomingHttpHeaders, baseUrl: string): boolean {
  const { origin, 'sec-fetch-site': site } = headers
  return (site !== undefined && site !== 'same-origin') || (origin !== undefined && origin !== baseUrl)
}
