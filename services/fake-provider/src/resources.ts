/** The members of each resource that the provider keeps. */

import type { cardTerms, mandateTerms } from '@financial-agents/provider-http/api/instructions'
import type { PayoutSchema } from '@financial-agents/provider-port/payout-schemas'
import { BigNumber } from 'bignumber.js'
import type { z } from 'zod'
import type { Money } from './money.ts'
import type { RecordOf } from './records.ts'
import type { Done, Stateful } from './stateful.ts'
import type { TestUser } from './test-users.ts'

export type Beneficiary = { readonly name: string; readonly payoutSchema: PayoutSchema }
export type Transfer = {
  readonly testUser: TestUser
  readonly beneficiary: RecordOf<Beneficiary>
  readonly amount: Money
  readonly memo: string | null
  /** The mandate of the transfer; undefined for a direct transfer. */
  readonly mandate: RecordOf<Mandate> | undefined
}
export type Card = {
  readonly terms: CardTerms
  readonly brand: string
  /** The whole number, sixteen digits. */
  readonly number: string
  readonly standing: Stateful<CardState, CardAction>
  /** Every action on the card, oldest first. */
  readonly taken: RecordOf<Done<RecordOf<Card>, CardAction>>[]
}

export type CardTerms = z.infer<typeof cardTerms>

export type CardAction = 'freeze' | 'unfreeze' | 'close'

export type CardState = 'active' | 'frozen' | 'closed'
/** @param times 1 for a use, -1 if the payment failed later */
export function countUse(mandate: Mandate, { amount }: Money, times: 1 | -1): void {
  mandate.spent = mandate.spent.plus(new BigNumber(amount).times(times))
  mandate.payments += times
}

export type Mandate = {
  readonly beneficiary: RecordOf<Beneficiary>
  readonly terms: MandateTerms
  readonly standing: Stateful<MandateState, MandateAction>
  spent: BigNumber
  payments: number
}

export type MandateTerms = z.infer<typeof mandateTerms>

export type MandateAction = 'suspend' | 'revoke'

export type MandateState = 'active' | 'suspended' | 'revoked'
