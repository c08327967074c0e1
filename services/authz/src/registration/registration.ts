/**
 * The possible registrations of a client: one strict shape for each profile. A registration that passes needs no
 * further check.
 *
 * Invariants: redirects are exact, and only the client can receive them. Keys are public and ES256. The limit
 * contains only scopes of the contract.
 */

import { compareDecimals } from '@financial-agents/contract/decimals'
import { canBeSeen } from '@financial-agents/contract/plain-text'
import { statedMoney } from '@financial-agents/contract/schemas/primitives'
import { scopeNames } from '@financial-agents/contract/scopes'
import { z } from 'zod'
import { clientJwks } from './client-keys.ts'

export const profiles = ['web', 'spa', 'native', 'device', 'service'] as const

const httpsUrl = z.string().refine((value) => parsed(value)?.protocol === 'https:', { error: 'must be an https URL' })

const httpsRedirect = httpsUrl.refine(isExact, {
  error: 'must be an exact address: no fragment, no user name, no wildcard',
})

const nativeRedirect = z.string().refine(isNativeRedirect, {
  error:
    'must be an https address, http://127.0.0.1 or http://[::1] with a path, or a private scheme such as com.example.app:/callback',
})

const browserOrigin = z.string().refine((value) => isHttps(value) && parsed(value)?.origin === value, {
  error: 'must be an https origin such as https://app.example.com',
})

const localRedirect = z.string().refine((value) => (isHttps(value) || isLoopback(value)) && isExact(value), {
  error: 'must be an exact https address, or one of http://127.0.0.1 or http://[::1]',
})

const localOrigin = z
  .string()
  .refine((value) => (isHttps(value) || isLoopback(value)) && parsed(value)?.origin === value, {
    error: 'must be an https origin, or one of http://127.0.0.1 or http://[::1]',
  })

const hostName = z.string().regex(/^(?=.{1,253}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/, {
  error: 'must be a host name in lower case',
})

const unique = <Item extends z.ZodType>(item: Item) =>
  z
    .array(item)
    .min(1)
    .max(50)
    .refine((values) => new Set(values).size === values.length, { error: 'must not name the same value twice' })

const apiScopes = unique(z.enum(scopeNames, { error: 'is not a scope that a client can be given' }))
const loginScopes = unique(z.enum([...scopeNames, 'openid'], { error: 'is not a scope that a client can be given' }))

/** The policy that every grant of the client starts from (decisions, "Authorization server"). */
const policy = z
  .strictObject({
    /** Withdrawals above this amount need the owner's confirmation. */
    withdrawal_confirmation_above: statedMoney.optional(),
    withdrawal_ceilings: z
      .strictObject({ per_payment: statedMoney.optional(), per_day: statedMoney.optional() })
      .optional(),
  })
  .superRefine(({ withdrawal_confirmation_above, withdrawal_ceilings: { per_payment, per_day } = {} }, context) => {
    const refuse = (path: string[], message: string) => context.addIssue({ code: 'custom', path, message })
    const amounts = [withdrawal_confirmation_above, per_payment, per_day].filter((amount) => amount !== undefined)
    if (new Set(amounts.map((amount) => amount.currency)).size > 1) refuse([], 'amounts must be in one currency')
    else if (per_payment && per_day && compareDecimals(per_payment.amount, per_day.amount) > 0)
      refuse(['withdrawal_ceilings', 'per_payment'], 'must not be above per_day')
  })

const clientId = /^[A-Za-z0-9][A-Za-z0-9._~-]{0,127}$/

/** Returns true if a client can have this id. PostgreSQL fails a whole statement for text that no column can hold. */
export function isClientId(value: string): boolean {
  return clientId.test(value)
}

// Characters that change the text direction are refused: an owner must read the name as it is.
const shownName = z
  .string()
  .regex(/^[^\p{Cc}\p{Zl}\p{Zp}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]{1,100}$/u, {
    error: 'must be 1 to 100 characters without control characters',
    abort: true,
  })
  .refine(canBeSeen, { error: 'must be something that can be seen' })

const publisher = z.strictObject({ name: shownName, verified: z.boolean() })

const common = {
  client_id: z.string().regex(clientId, {
    error: 'must be 1 to 128 letters, digits, ".", "_", "~" or "-"',
  }),
  name: shownName,
  sector_identifier: hostName.optional(),
  /** The picture of the application. It is fetched once and served from our origin. */
  logo_uri: httpsUrl.optional(),
  /** The publisher of the application, and if the operator has verified it. Only the operator's file says so. */
  publisher: publisher.optional(),
  policy: policy.optional(),
}

const keys = { jwks: clientJwks.optional(), jwks_uri: httpsUrl.optional() }

const web = z.strictObject({
  ...common,
  profile: z.literal('web'),
  redirect_uris: unique(httpsRedirect),
  ...keys,
  scopes: loginScopes,
})

const spaWith = (redirect: z.ZodType<string>, origin: z.ZodType<string>) =>
  z.strictObject({
    ...common,
    profile: z.literal('spa'),
    redirect_uris: unique(redirect),
    origins: unique(origin),
    scopes: loginScopes,
  })

const native = z.strictObject({
  ...common,
  profile: z.literal('native'),
  redirect_uris: unique(nativeRedirect),
  scopes: loginScopes,
})

const device = z.strictObject({ ...common, profile: z.literal('device'), scopes: apiScopes })

const service = z.strictObject({
  ...common,
  profile: z.literal('service'),
  ...keys,
  scopes: apiScopes,
  /** The owner of the account. No other owner can be attached. */
  service_owner: z.guid({ error: 'must be the id of an owner (a UUID)' }).toLowerCase(),
})

const registrationWith = (spa: ReturnType<typeof spaWith>) =>
  z
    .discriminatedUnion('profile', [web, spa, native, device, service], {
      error: `must be one of ${profiles.join(', ')}`,
    })
    .superRefine((value, context) => {
      if ((value.profile === 'web' || value.profile === 'service') && Boolean(value.jwks) === Boolean(value.jwks_uri))
        context.addIssue({ code: 'custom', path: ['jwks'], message: 'give either jwks or jwks_uri' })
      if (value.sector_identifier === undefined && redirectHosts(value).size > 1)
        context.addIssue({
          code: 'custom',
          path: ['sector_identifier'],
          message: 'is needed where redirect_uris have several hosts',
        })
    })

export const registration = registrationWith(spaWith(httpsRedirect, browserOrigin))

/**
 * A registration of the environment `local`, whose stack has plain HTTP on loopback: an application in the browser may have its pages
 * there too. No other environment takes such a registration.
 */
export const localRegistration = registrationWith(spaWith(localRedirect, localOrigin))

export type Registration = z.output<typeof registration>

/**
 * The sector within which an owner's subject is the same: the declared one, else the host of the redirects, else the
 * client itself.
 */
export function sectorOf(value: Registration): string {
  const [host] = redirectHosts(value)
  return value.sector_identifier ?? host ?? `client:${value.client_id}`
}

function redirectHosts(value: Registration): Set<string> {
  const uris = 'redirect_uris' in value ? value.redirect_uris : []
  return new Set(uris.filter(isHttps).map((uri) => new URL(uri).host))
}

function parsed(value: string): URL | undefined {
  return URL.parse(value) ?? undefined
}

function isHttps(value: string): boolean {
  return parsed(value)?.protocol === 'https:'
}

function isLoopback(value: string): boolean {
  const { protocol, hostname = '' } = parsed(value) ?? {}
  return protocol === 'http:' && ['127.0.0.1', '[::1]'].includes(hostname)
}

function isExact(value: string): boolean {
  const url = parsed(value)
  return url !== undefined && !/[#*]/.test(value) && url.username === '' && url.password === ''
}

function isNativeRedirect(value: string): boolean {
  const url = parsed(value)
  if (url === undefined || !isExact(value)) return false
  if (url.protocol === 'https:') return true
  if (url.protocol === 'http:') return isLoopback(value)
  // A private scheme is a reversed domain name (RFC 8252, 7.1), so that two apps do not share one by accident.
  return /^[a-z][a-z0-9-]*(\.[a-z0-9-]+)+:$/.test(url.protocol)
}
