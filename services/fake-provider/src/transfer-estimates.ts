/** Estimates of transfers, by the provider's own rates. They are not stored and cannot be executed. */

import type { newTransferEstimate } from '@financial-agents/provider-api/shapes/quotes'
import { BigNumber } from 'bignumber.js'
import type { z } from 'zod'
import { findExcess, limitsOf, settlesAfterMs } from './limits.ts'
import { decimalText, findRate, isTooFine, type Money } from './money.ts'
import { findPayee, type Payee } from './payees.ts'
import { payoutSchemes, type Scheme } from './payout-schemes.ts'
import { offers, type TestUser } from './test-users.ts'
import type { World } from './world.ts'

export type EstimateTerms = z.infer<typeof newTransferEstimate>

export type TransferEstimate = {
  readonly give: Money
  readonly receive: Money
  /** The value of one unit of `give` in the currency of `receive`. */
  readonly rate: string
  /** The fee in addition to `give`. */
  readonly charge: Money
  readonly network: string
  readonly arrives_at: string
  readonly good_until: string
}

type NotOffered = { readonly not_offered: keyof EstimateTerms }

const goodForMs = 15 * 60_000

export function estimateTransfer(
  world: World,
  testUser: TestUser,
  terms: EstimateTerms,
): { readonly estimate: TransferEstimate } | NotOffered {
  const { from_ccy, to_ccy, value, fixed, payee_ref } = terms
  if (!holds(testUser, from_ccy)) return { not_offered: 'from_ccy' }
  const payee = payee_ref === null ? undefined : findPayee(world, testUser.id, payee_ref)?.content
  if (payee_ref !== null && payee === undefined) return { not_offered: 'payee_ref' }
  const scheme = findScheme(testUser, to_ccy, payee)
  const rate = findRate(from_ccy, to_ccy)?.decimalPlaces(6)
  if (scheme === undefined || rate === undefined) return { not_offered: 'to_ccy' }
  if (isTooFine(value)) return { not_offered: 'value' }

  const give = fixed === 'from' ? new BigNumber(value) : up(new BigNumber(value).div(rate))
  const receive = fixed === 'to' ? new BigNumber(value) : down(new BigNumber(value).times(rate))
  const limits = limitsOf(scheme, testUser)
  if (findExcess(limits, receive.toFixed(), null) !== undefined) return { not_offered: 'value' }
  const charge = up(receive.times(limits.fee.basis_points).div(10_000).plus(limits.fee.fixed).div(rate))
  const nowMs = world.clock.nowMs()
  return {
    estimate: {
      give: money(give, from_ccy),
      receive: money(receive, to_ccy),
      rate: rate.toFixed(),
      charge: money(charge, from_ccy),
      network: scheme.network,
      arrives_at: new Date(nowMs + settlesAfterMs(scheme)).toISOString(),
      good_until: new Date(nowMs + goodForMs).toISOString(),
    },
  }
}

function holds({ currency, accounts }: TestUser, ccy: string): boolean {
  return ccy === currency || accounts.some((account) => account.ccy === ccy && account.status === 'open')
}

/** Finds the scheme for a currency: the payee's, or the first of the test user's schemes. */
function findScheme(testUser: TestUser, ccy: string, payee: Payee | undefined): Scheme | undefined {
  const schemes = payee === undefined ? payoutSchemes : [payee.scheme]
  return schemes.find(({ scheme_id, currency_code }) => currency_code === ccy && offers(testUser, scheme_id))
}

function up(value: BigNumber): BigNumber {
  return value.decimalPlaces(2, BigNumber.ROUND_UP)
}

function down(value: BigNumber): BigNumber {
  return value.decimalPlaces(2, BigNumber.ROUND_DOWN)
}

function money(value: BigNumber, ccy: string): Money {
  return { value: decimalText(value), ccy }
}
