/** What a service that reads the provider takes from the environment. */

import { sealingKeys } from '@financial-agents/runtime/sealing'
import { z } from 'zod'

/** Where the provider is, and with which credentials it is read. */
export const providerReaderConfig = z.object({
  /** The provider's address. */
  PROVIDER_URL: z.url(),
  /** Open connections to it at most. */
  PROVIDER_CONNECTIONS: z.coerce.number().int().min(1).max(256).default(64),
  /** For a whole read (or request for a hosted page), connecting included. */
  PROVIDER_READ_TIMEOUT_MS: z.coerce.number().int().min(50).max(30_000).default(3_000),
  /** Open the credentials that onboarding sealed. */
  CREDENTIAL_KEYS: sealingKeys,
})
