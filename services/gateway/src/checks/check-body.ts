/** The body is one JSON value in strict UTF-8, and no object in it repeats a member. The service checks the shape. */

import { Problem } from '@financial-agents/contract/problem'
import { decodeBody, readBody } from '../body.ts'
import type { Exchange } from '../exchange.ts'
import { printable } from '../query.ts'
import { findRepeatedMember } from '../repeated-member.ts'

export async function checkBody(exchange: Exchange): Promise<void> {
  exchange.text = decodeBody(await readBody(exchange))
  try {
    exchange.body = JSON.parse(exchange.text)
  } catch {
    throw new Problem('malformed_json')
  }
  const repeated = findRepeatedMember(exchange.text)
  if (repeated) throw repetition(repeated)
}

function repetition(names: readonly string[]): Problem {
  const path = printable(names.map(printable).join('.')) || 'body'
  const message = 'Send this member once.'
  return new Problem('malformed_json', { detail: `${path}: ${message}`, fields: [{ path, message }] })
}
