/** A client's public keys, registered or published: ES256, a point on the curve, and never a private key by mistake. */

import { createPublicKey, type KeyObject } from 'node:crypto'
import { z } from 'zod'

const coordinate = z.string().regex(/^[A-Za-z0-9_-]{43}$/, { error: 'must be 43 characters of base64url' })

const publicJwk = z
  .strictObject({
    kty: z.literal('EC', { error: 'must be EC: only ES256 keys are taken' }),
    crv: z.literal('P-256', { error: 'must be P-256: only ES256 keys are taken' }),
    x: coordinate,
    y: coordinate,
    kid: z.string().min(1).max(200).optional(),
    use: z.literal('sig').optional(),
    alg: z.literal('ES256').optional(),
    key_ops: z.array(z.literal('verify')).max(1).optional(),
    d: z
      .never({ error: 'is the private part of a key: register the public one and consider this one lost' })
      .optional(),
  })
  .refine(isOnCurve, { error: 'is not a point of P-256' })

export const clientJwks = z
  .strictObject({ keys: z.array(publicJwk).min(1).max(10) })
  .refine(({ keys }) => new Set(keys.map((key) => key.kid)).size === keys.length, {
    error: 'keys must have different kids',
  })

/** A key of a published set, whose further members are not ours to validate. */
const publishedJwk = z.object({
  ...publicJwk.shape,
  kid: z.string().optional(),
  key_ops: z
    .array(z.string())
    .refine((operations) => operations.includes('verify'))
    .optional(),
})

/** Returns the key of a published set. Undefined if it is no public key for ES256 signatures. */
export function verifyingKey(published: unknown): { kid: string | undefined; key: KeyObject } | undefined {
  const { data } = publishedJwk.safeParse(published)
  const key = data && keyOnCurve(data)
  return key && { kid: data.kid, key }
}

type Point = { kty: string; crv: string; x: string; y: string }

function isOnCurve(point: Point): boolean {
  return keyOnCurve(point) !== undefined
}

function keyOnCurve({ kty, crv, x, y }: Point): KeyObject | undefined {
  try {
    return createPublicKey({ key: { kty, crv, x, y }, format: 'jwk' })
  } catch {
    return undefined
  }
}
