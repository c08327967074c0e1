/**
 * Converts an ES256 signature from the JWS form (r and s, 32 bytes each, RFC 7518 §3.4) to the DER form that OpenSSL
 * checks. The conversion that node:crypto offers (`dsaEncoding: 'ieee-p1363'`) costs far more than these lines.
 *
 * Invariant: the result is minimal DER: each integer has a leading zero byte only if its first bit is set.
 */

const half = 32
const integerTag = 0x02
const sequenceTag = 0x30

/** The DER form of a raw signature; undefined if the signature is not 64 bytes long, or r or s is zero. */
export function derFromRaw(raw: Uint8Array): Buffer | undefined {
  if (raw.length !== 2 * half) return undefined
  const rStart = firstNonZero(raw, 0, half)
  const sStart = firstNonZero(raw, half, 2 * half)
  if (rStart === half || sStart === 2 * half) return undefined
  const rPad = (raw[rStart] as number) >> 7
  const sPad = (raw[sStart] as number) >> 7
  const rLength = rPad + half - rStart
  const sLength = sPad + 2 * half - sStart

  const der = Buffer.alloc(6 + rLength + sLength)
  der[0] = sequenceTag
  der[1] = 4 + rLength + sLength
  der[2] = integerTag
  der[3] = rLength
  der.set(raw.subarray(rStart, half), 4 + rPad)
  der[4 + rLength] = integerTag
  der[5 + rLength] = sLength
  der.set(raw.subarray(sStart), 6 + rLength + sPad)
  return der
}

function firstNonZero(bytes: Uint8Array, from: number, to: number): number {
  let at = from
  while (at < to && bytes[at] === 0) at += 1
  return at
}
