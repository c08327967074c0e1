/** The adapter `increase` in the form of an adapter package, its kinds and its variables. */

import { AdapterError, type ProviderAdapter, portVersion } from '@financial-agents/provider-port/adapter'
import { z } from 'zod'
import { createIncreaseAdapter } from './adapter.ts'

const addresses = { production: 'https://api.increase.com', sandbox: 'https://sandbox.increase.com' } as const

const flag = z.enum(['true', 'false'], { error: 'write true or false' }).default('false')

const Variables = z.object({
  API_KEY: z.string({ error: 'give the API key of Increase, from a secret' }).regex(/^[\x21-\x7e]{8,200}$/, {
    error: 'give the API key of Increase: one line without spaces',
  }),
  /** Required, without a default: a key of one environment is refused by the other. */
  ENVIRONMENT: z.enum(['production', 'sandbox'], { error: 'write production or sandbox' }),
  /** Another address, such as a proxy's or a test's. */
  URL: z.url({ protocol: /^https?$/, error: 'give an address' }).optional(),
  APPROVE_TRANSFERS: flag,
  STATEMENT_DESCRIPTOR: z.string().min(1).max(140, { error: 'at most 140 characters' }).default('Payment'),
  CARD_DETAILS: z.enum(['refuse', 'iframe'], { error: 'write refuse or iframe' }).default('refuse'),
})

const adapter: ProviderAdapter = {
  portVersion,
  kinds: [
    'beneficiary_create',
    'card_close',
    'card_create',
    'card_freeze',
    'card_unfreeze',
    'mandate_create',
    'mandate_revoke',
    'mandate_suspend',
    'mandate_transfer',
    'transfer',
    'transfer_grant_revoke',
  ],
  executedHere: ['mandate_create', 'mandate_revoke', 'mandate_suspend', 'transfer_grant_revoke'],
  open({ variables, ...limits }) {
    const { data, error } = Variables.safeParse(variables)
    if (data === undefined) {
      const wrong = error.issues.map(({ path, message }) => `${path.map(String).join('.')} (${message})`)
      throw new AdapterError(wrong.join('; '))
    }
    return createIncreaseAdapter({
      ...limits,
      apiKey: data.API_KEY,
      baseUrl: data.URL ?? addresses[data.ENVIRONMENT],
      approveTransfers: data.APPROVE_TRANSFERS === 'true',
      statementDescriptor: data.STATEMENT_DESCRIPTOR,
      revealsCards: data.CARD_DETAILS === 'iframe',
    })
  },
}

export default adapter
