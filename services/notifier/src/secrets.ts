/** The secrets of subscriptions: random, shown once, and stored sealed for their subscription. */

import { randomBytes } from 'node:crypto'
import type { Sealer } from '@financial-agents/runtime/sealing'

const secretBytes = 32

/** Makes a secret: sealed for the table, and as its client sees it. */
export function newSecret(sealer: Sealer, subscriptionId: string): { sealed: Buffer; shown: string } {
  const secret = randomBytes(secretBytes)
  return { sealed: sealer.seal(secret, subscriptionId), shown: `whsec_${secret.toString('base64')}` }
}

type Sealed = {
  id: string
  secret_sealed: Buffer
  previous_secret_sealed: Buffer | null
  previous_secret_until: Date | null
}

/** Opens the secrets that sign now, the current one first. @throws if one cannot be opened */
export function signingSecrets(sealer: Sealer, subscription: Sealed, now: Date): Buffer[] {
  const { id, secret_sealed, previous_secret_sealed, previous_secret_until } = subscription
  const isSigning = previous_secret_until !== null && previous_secret_until > now
  const sealed = [secret_sealed, ...(isSigning && previous_secret_sealed ? [previous_secret_sealed] : [])]
  return sealed.map((one) => sealer.open(one, id))
}
