/** The digest under which the database stores an identifier that is itself a secret, such as the id of a session. */

import { hash } from 'node:crypto'

export function hashId(id: string): Buffer {
  return hash('sha256', id, 'buffer')
}
