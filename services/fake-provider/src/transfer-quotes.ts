/** Quotes of transfers, by the provider's own rates. They are not stored and cannot be executed. */

import type { PayoutSchema } from '@financial-agents/provider-port/payout-schemas'
import type { ReadAsks, ReadData } from '@financial-agents/provider-port/reads'
import { BigNumber } from 'bignumber.js'
import { findBeneficiary } from './beneficiaries.ts'
import { findExcess, limitsOf, settlesAfterMs } from './limits.ts'
import { decimalText, findRate, isTooFine, type Money } from './money.ts'
import { payoutSchemas } from './payout-schemas.ts'
import { type Beneficiary } from './resources.ts'
import { offers, type TestUser } from './test-users.ts'
import type { World } from './world.ts'

const goodForMs = 15 * 60_000

export function quoteTransfer(
  world: World,
  testUser: TestUser,
  { source_currency, target_currency, amount, fixed_side, beneficiary_reference }: ReadAsks<'transferQuote'>,
): ReadData<'transferQuote'> {
  if (!holds(testUser, source_currency)) return { type: 'refused', member: 'source_currency' }
  const beneficiary = beneficiary_reference && findBeneficiary(world, testUser.id, beneficiary_reference)?.content
  if (beneficiary_reference !== undefined && !beneficiary) return { type: 'refused', member: 'beneficiary_reference' }
  const payoutSchema = findPayoutSchemaFor(testUser, target_currency, beneficiary || undefined)
  const rate = findRate(source_currency, target_currency)?.decimalPlaces(6)
  if (payoutSchema === undefined || rate === undefined) return { type: 'refused', member: 'target_currency' }
  if (isTooFine(amount)) return { type: 'refused', member: 'amount' }

  const source = fixed_side === 'source' ? new BigNumber(amount) : up(new BigNumber(amount).div(rate))
  const target = fixed_side === 'target' ? new BigNumber(amount) : down(new BigNumber(amount).times(rate))
  const limits = limitsOf(payoutSchema, testUser)
  if (findExcess(limits, target.toFixed(), null) !== undefined) return { type: 'refused', member: 'amount' }
  const fee = up(target.times(limits.fee_basis_points).div(10_000).plus(limits.fee_fixed).div(rate))
  const nowMs = world.clock.nowMs()
  return {
    type: 'quoted',
    quote: {
      source: money(source, source_currency),
      target: money(target, target_currency),
      rate: rate.toFixed(),
      fee: money(fee, source_currency),
      rail: payoutSchema.rail,
      estimated_arrival: new Date(nowMs + settlesAfterMs(payoutSchema)).toISOString(),
      expires_at: new Date(nowMs + goodForMs).toISOString(),
    },
  }
}

function holds({ currency, accounts }: TestUser, wanted: string): boolean {
  return currency === wanted || accounts.some((account) => account.currency === wanted && account.status === 'active')
}

/** Finds the payout schema for a currency: the beneficiary's, or the first one of the test user. */
function findPayoutSchemaFor(
  testUser: TestUser,
  currency: string,
  beneficiary: Beneficiary | undefined,
): PayoutSchema | undefined {
  const schemas = beneficiary === undefined ? payoutSchemas : [beneficiary.payoutSchema]
  return schemas.find((schema) => schema.currency === currency && offers(testUser, schema.id))
}

function up(value: BigNumber): BigNumber {
  return value.decimalPlaces(2, BigNumber.ROUND_UP)
}

function down(value: BigNumber): BigNumber {
  return value.decimalPlaces(2, BigNumber.ROUND_DOWN)
}

function money(value: BigNumber, currency: string): Money {
  return { amount: decimalText(value), currency }
}
