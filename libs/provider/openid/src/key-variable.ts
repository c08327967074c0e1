/** Private keys among the variables of an adapter. A wrong one is named with what to do, and never with its value. */

import { createPrivateKey, type KeyObject } from 'node:crypto'
import { z } from 'zod'

export const pem = z.string().regex(/^-----BEGIN [A-Z ]+-----\n[^]+-----END [A-Z ]+-----\s*$/, 'give a PEM text')

/** @param types the types or curves of Node's `KeyObject` that are taken */
export const privateKey = (types: readonly string[], what: string) =>
  pem.transform((text, context): KeyObject => {
    const found = findKey(text)
    if (found !== undefined && types.includes(found.asymmetricKeyDetails?.namedCurve ?? found.asymmetricKeyType ?? ''))
      return found
    context.addIssue(`give ${what} as a PEM text`)
    return z.NEVER
  })

export const p256 = privateKey(['prime256v1'], 'a P-256 private key')

function findKey(text: string): KeyObject | undefined {
  try {
    return createPrivateKey(text)
  } catch {
    return undefined
  }
}
