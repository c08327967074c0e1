/** Whether a form was sent by another origin's page, as browsers tell it. One that tells neither is judged by its token alone. */

import type { IncomingHttpHeaders } from 'node:http'

/** @param baseUrl the origin of our own pages */
export function isForeignForm(headers: IncomingHttpHeaders, baseUrl: string): boolean {
  const { origin, 'sec-fetch-site': site } = headers
  return (site !== undefined && site !== 'same-origin') || (origin !== undefined && origin !== baseUrl)
}
