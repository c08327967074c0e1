/** The adapter `http` in the form of an adapter package. Its variable `URL` is the provider's address. */

import { isOperationKind, type OperationKind, operationKinds } from '@financial-agents/contract/kinds'
import { readOpenid } from '@financial-agents/provider-openid/variables'
import { AdapterError, type ProviderAdapter, portVersion } from '@financial-agents/provider-port/adapter'
import { z } from 'zod'
import { createHttpAdapter } from './adapter.ts'
import type { Authentication } from './authentication.ts'
import { AuthenticationError, readAuthentication } from './authentication-variables.ts'

const Variables = z.object({
  URL: z.url({ protocol: /^https?$/, error: 'give the address of the provider' }),
  /** The largest difference between the provider's clocks and the delay of its reads, ms. */
  CLOCK_MARGIN_MS: z.coerce.number().int().min(0).max(3_600_000).default(5_000),
  /** The kinds that the provider offers, separated by commas; all of them by default. */
  KINDS: z
    .string()
    .transform((list) => list.split(',').map((kind) => kind.trim()))
    .refine((kinds): kinds is OperationKind[] => kinds.every(isOperationKind), {
      error: `give some of ${operationKinds.join(', ')}, separated by commas`,
    })
    .optional(),
})

const adapter: ProviderAdapter = {
  portVersion,
  kinds: operationKinds,
  open({ variables, ...limits }) {
    const parsed = Variables.safeParse(variables)
    if (!parsed.success) {
      const wrong = parsed.error.issues.map(({ path, message }) => `${path.join('.')} (${message})`)
      throw new AdapterError(wrong.join('; '))
    }
    const { URL: baseUrl, CLOCK_MARGIN_MS: clockMarginMs, KINDS: kinds } = parsed.data
    const authentication = authenticationOf(variables)
    const openid = readOpenid(variables, authentication?.tls)
    return createHttpAdapter({ ...limits, baseUrl, clockMarginMs, kinds, authentication, openid })
  },
}

function authenticationOf(variables: Readonly<Record<string, string>>): Authentication | undefined {
  try {
    return readAuthentication(variables)
  } catch (error) {
    if (error instanceof AuthenticationError) throw new AdapterError(error.message)
    throw error
  }
}

export default adapter
