/** The secret that signs local notifications: of the environment, or of the profile, made at its first use. */

import { randomBytes } from 'node:crypto'
import type { Cli } from '../cli.ts'
import { wrongUse } from '../failure.ts'

const variable = 'FINANCIAL_AGENTS_WEBHOOK_SECRET'
const name = 'webhook-secret'

/** Finds or makes the secret (`whsec_…`). */
export async function webhookSecret(cli: Cli): Promise<string> {
  const given = cli.process.env[variable]
  if (given !== undefined && given !== '') {
    if (!/^whsec_[A-Za-z0-9+/]{16,}={0,2}$/.test(given))
      throw wrongUse(`${variable} is not a secret: whsec_ and base64.`)
    return given
  }
  const { store } = await cli.used()
  const made = `whsec_${randomBytes(32).toString('base64')}`
  if (await store.set(name, made, { ifAbsent: true, secret: true })) return made
  return (await store.get(name)) as string
}
