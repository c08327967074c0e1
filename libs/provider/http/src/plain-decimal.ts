/** Converts decimals as clients may write them (contract, "POST /v1/mandates") to the one form that is sent to the provider. */

import { BigNumber } from 'bignumber.js'
import { z } from 'zod'

const written = /^\+?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?$/

/** `+1.25e1` → `12.5`; undefined if the text is not a positive decimal of at most 64 characters. */
export function findPlainDecimal(text: string): string | undefined {
  if (text.length > 64 || !written.test(text)) return undefined
  const value = new BigNumber(text.replace('+', ''))
  return value.isFinite() && value.gt(0) ? value.toFixed() : undefined
}

/** The same as a schema. */
export const PlainDecimal = z.string().transform((text, context) => {
  const plain = findPlainDecimal(text)
  if (plain === undefined) context.addIssue('not a positive decimal')
  return plain ?? z.NEVER
})
