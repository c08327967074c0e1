/** Environment variables of services that read the provider. */

import { sealingKeys } from '@financial-agents/runtime/sealing'
import { z } from 'zod'

/** The provider's address, bounds of its use, and the keys of its credentials. */
export const providerReaderConfig = z.object({
  /** The provider's address. */
  PROVIDER_URL: z.url(),
  /** The most open connections to the provider. */
  PROVIDER_CONNECTIONS: z.coerce.number().int().min(1).max(256).default(64),
  /** Time for a whole read (or request for a hosted page), connecting included. */
  PROVIDER_READ_TIMEOUT_MS: z.coerce.number().int().min(50).max(30_000).default(3_000),
  /** Keys that open the credentials which onboarding sealed. */
  CREDENTIAL_KEYS: sealingKeys,
})
