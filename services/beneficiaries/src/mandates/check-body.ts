/**
 * The checks of a mandate's creation that only this area can make: canonical limits in order, the end, the beneficiary
 * and the rules. One answer reports all failures, each with its path.
 */

import type { KnownBeneficiary } from '@financial-agents/bus/messages/resources'
import { validateAmount, validateCurrency, writtenAmount } from '@financial-agents/contract/minor-units'
import { isPlainText } from '@financial-agents/contract/plain-text'
import { type Field, fieldsProblem } from '@financial-agents/contract/problem'
import type { RouteInput } from '@financial-agents/contract/route'
import type { mandatesRoutes } from '@financial-agents/contract/routes/mandates'
import { mandateCaps } from '@financial-agents/contract/schemas/mandate'
import { BigNumber } from 'bignumber.js'
import { findCanonicalDecimal } from './decimal.ts'

export type MandateBody = RouteInput<(typeof mandatesRoutes)['createMandate']>['body']
type Caps = Record<(typeof mandateCaps)[number], string>

type BodyContext = {
  /** Undefined if the owner has no beneficiary with this id. */
  beneficiary: KnownBeneficiary | undefined
  now: Date
}

const maxDays = 365
const dayMs = 86_400_000

/** @throws Problem validation_failed */
export function checkMandate(body: MandateBody, { beneficiary, now }: BodyContext) {
  const fields: Field[] = []
  const caps = readCaps(body, fields)
  if (caps) fields.push(...validateOrder(caps, beneficiary?.currency ?? ''))
  fields.push(...validateEnd(body, now), ...validateRules(body))
  if (!beneficiary) fields.push({ path: 'beneficiary_id', message: 'Send the id of one of GET /v1/beneficiaries.' })
  else fields.push(...validateBeneficiary(beneficiary))
  if (beneficiary && caps) fields.push(...validateUnits(caps, beneficiary))
  if (fields.length > 0 || !caps || !beneficiary?.upstream_reference) throw fieldsProblem(fields)
  return {
    caps,
    expires_at: new Date(body.expires_at).toISOString(),
    currency: beneficiary.currency,
    target_reference: beneficiary.upstream_reference,
  }
}

function readCaps(body: MandateBody, fields: Field[]): Caps | undefined {
  const read = mandateCaps.map((path) => [path, findCanonicalDecimal(body[path])] as const)
  const bad = read.filter(([, value]) => value === undefined)
  const message = 'Send at most 18 digits before the point and 18 after it.'
  fields.push(...bad.map(([path]) => ({ path, message })))
  return bad.length === 0 ? (Object.fromEntries(read) as Caps) : undefined
}

/** No limit is above the next wider one. */
function validateOrder(caps: Caps, currency: string): Field[] {
  return mandateCaps.flatMap((path, index): Field[] => {
    const tighter = mandateCaps[index - 1]
    return tighter && new BigNumber(caps[path]).lt(caps[tighter])
      ? [{ path, message: `Send at least ${writtenAmount(caps[tighter], currency)}, which is ${tighter}.` }]
      : []
  })
}

/** No limit is finer than the smallest unit of the beneficiary's currency. */
function validateUnits(caps: Caps, { currency }: KnownBeneficiary): Field[] {
  if (validateCurrency(currency))
    return [{ path: 'beneficiary_id', message: `Send another beneficiary: ${currency} is no currency in use.` }]
  return mandateCaps.flatMap((path): Field[] => {
    const message = validateAmount(caps[path], currency)
    return message ? [{ path, message }] : []
  })
}

function validateEnd({ expires_at }: MandateBody, now: Date): Field[] {
  const aheadMs = Date.parse(expires_at) - now.getTime()
  if (aheadMs > 0 && aheadMs <= maxDays * dayMs) return []
  return [{ path: 'expires_at', message: `Send a time that is to come, at most ${maxDays} days ahead.` }]
}

function validateRules({ authorized_rules = [] }: MandateBody): Field[] {
  return authorized_rules.flatMap((rule, index): Field[] =>
    isPlainText(rule) ? [] : [{ path: `authorized_rules.${index}`, message: 'Send text without control characters.' }],
  )
}

/** An inactive beneficiary cannot be paid, even if it may become active. */
function validateBeneficiary({ state, operation_id, upstream_reference }: KnownBeneficiary): Field[] {
  if (state === 'active' && upstream_reference !== null) return []
  const message =
    state === 'failed'
      ? 'Send an active beneficiary: the creation of this one failed.'
      : `Send an active beneficiary: wait until operation ${operation_id} has succeeded.`
  return [{ path: 'beneficiary_id', message }]
}
