/** Hashes and keyed hashes of this service: identifiers at rest, and the subject by which a sector knows an owner. */

import { createHmac, hash } from 'node:crypto'

/** What stands in the database for an identifier that is itself a secret. */
export function hashId(id: string): Buffer {
  return hash('sha256', id, 'buffer')
}

/** The pairwise subject of `ownerId` in `sector`: the same for all clients of a sector, unrelated across sectors. */
export function pairwiseSubject(key: Buffer, sector: string, ownerId: string): string {
  return createHmac('sha256', key).update(`${sector}\0${ownerId}`).digest('base64url')
}
