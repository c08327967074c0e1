/** The stored form of an identifier that is itself a secret. */

import { hash } from 'node:crypto'

export function hashId(id: string): Buffer {
  return hash('sha256', id, 'buffer')
}
