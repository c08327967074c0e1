/**
 * The subject by which a client knows an owner: the same for all clients of a sector (`sectorOf`), unrelated across sectors, and
 * not to be traced back to the owner without the key.
 */

import { createHmac } from 'node:crypto'

export function pairwiseSubject(key: Buffer, sector: string, ownerId: string): string {
  return createHmac('sha256', key).update(`${sector}\0${ownerId}`).digest('base64url')
}
