/** A body is application/json in UTF-8, without content coding, and declares at most the size that is accepted. */

import { Problem } from '@financial-agents/contract/problem'
import { maxBodyBytes } from '../body.ts'
import type { Exchange } from '../exchange.ts'

const json = /^application\/json(?:[ \t]*;[ \t]*charset=(?:utf-8|"utf-8"))?[ \t]*$/i

export function checkMediaType({ headers }: Exchange): void {
  if (headers.repeated.includes('contentType'))
    throw new Problem('malformed_request', { detail: 'The request has more than one Content-Type header.' })
  if (headers.contentType === undefined || !json.test(headers.contentType)) throw new Problem('unsupported_media_type')
  if (headers.contentEncoding !== undefined && headers.contentEncoding.toLowerCase() !== 'identity')
    throw new Problem('unsupported_media_type')
  if (Number(headers.contentLength ?? 0) > maxBodyBytes) throw new Problem('payload_too_large')
}
