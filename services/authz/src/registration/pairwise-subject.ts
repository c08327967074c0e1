/**
 * The subject by which a client knows an owner. It is the same for all clients of a sector (`sectorOf`) and unrelated
 * across sectors. Without the key it cannot be traced back to the owner.
 */

import { createHmac } from 'node:crypto'

export function pairwiseSubject(key: Buffer, sector: string, ownerId: string): string {
  return createHmac('sha256', key).update(`${sector}\0${ownerId}`).digest('base64url')
}
