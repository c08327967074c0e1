/**
 * The verifier that PostgreSQL stores instead of a password (RFC 5803, SCRAM-SHA-256). It is computed on the client,
 * because the server logs failed statements: its log then contains the verifier and not the password.
 */

import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'

/**
 * Creates a new verifier of the password, for use as the PASSWORD of a role.
 * @param iterations the rounds of hashing at every login; the default is PostgreSQL's own
 */
export function createPasswordVerifier(password: string, iterations = 4_096): string {
  const salt = randomBytes(16)
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256')
  const keyOf = (name: string) => createHmac('sha256', salted).update(name).digest()
  const storedKey = createHash('sha256').update(keyOf('Client Key')).digest('base64')
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${storedKey}:${keyOf('Server Key').toString('base64')}`
}
