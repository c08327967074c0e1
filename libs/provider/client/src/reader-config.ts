/** Environment variables of services that read the provider. */

import { sealingKeys } from '@financial-agents/runtime/sealing'
import { z } from 'zod'

/** The adapters of the installation. The variables of a named adapter (`PROVIDER_<NAME>__…`) are the adapter's own. */
export const providerAdaptersConfig = z.object({
  /**
   * The adapters by the name of their provider, such as `acme=@acme/bank-adapter,other=http`. Without it the adapter `http`
   * serves every binding.
   */
  PROVIDER_ADAPTERS: z.string().optional(),
  /** The folder in which the packages of adapters are installed (`npm install --prefix <folder> <package>`). */
  PROVIDER_ADAPTERS_PATH: z.string().optional(),
  /** The provider's address, for the one adapter without a name. */
  PROVIDER_URL: z.url().optional(),
})

/** Bounds of the provider's use, and the keys of its credentials. `adapters.ts` reads the variables of the adapters. */
export const providerReaderConfig = z.object({
  ...providerAdaptersConfig.shape,
  /** The most open connections to each provider. */
  PROVIDER_CONNECTIONS: z.coerce.number().int().min(1).max(256).default(64),
  /** Time for a whole read (or request for a hosted page), connecting included. */
  PROVIDER_READ_TIMEOUT_MS: z.coerce.number().int().min(50).max(30_000).default(3_000),
  /** Keys that open the credentials which onboarding sealed. */
  CREDENTIAL_KEYS: sealingKeys,
})
