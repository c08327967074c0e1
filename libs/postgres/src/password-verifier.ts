/**
 * What PostgreSQL stores instead of a password (RFC 5803, SCRAM-SHA-256), made here: the server logs a statement that
 * fails, and then logs this and not the password.
 */

import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'

const iterations = 4_096

/** A new verifier of the password, to be given as the PASSWORD of a role. */
export function createPasswordVerifier(password: string): string {
  const salt = randomBytes(16)
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256')
  const keyOf = (name: string) => createHmac('sha256', salted).update(name).digest()
  const storedKey = createHash('sha256').update(keyOf('Client Key')).digest('base64')
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${storedKey}:${keyOf('Server Key').toString('base64')}`
}
