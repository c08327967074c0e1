/** The limits of a network and a test user for one withdrawal. The provider states them beforehand and enforces them. */

import { BigNumber } from 'bignumber.js'
import type { Scheme } from './payout-schemes.ts'
import type { TestUser } from './test-users.ts'

export type Limits = {
  readonly scheme_id: string
  readonly account_kind: string
  readonly ccy: string
  readonly lowest: string
  readonly highest: string
  readonly fee: { readonly fixed: string; readonly basis_points: string }
  readonly network: string
  readonly note: { readonly allowed: boolean; readonly min: number; readonly max: number }
  readonly purposes: readonly string[]
}

type NetworkTerms = Pick<Limits, 'lowest' | 'highest' | 'fee' | 'note' | 'purposes'> & {
  /** The time until a transfer is final, by the provider's clock. */
  readonly settlesAfterMs: number
}

const instant: NetworkTerms = {
  lowest: '0.01',
  highest: '100000.00',
  fee: { fixed: '0.00', basis_points: '0' },
  note: { allowed: true, min: 0, max: 140 },
  purposes: [],
  settlesAfterMs: 0,
}

const networks: { readonly [Network in string]?: NetworkTerms } = {
  'sepa.credit_transfer': instant,
  faster_payments: { ...instant, highest: '25000.00', fee: { fixed: '0.20', basis_points: '0' } },
  ach: { ...instant, lowest: '1.00', note: { allowed: true, min: 0, max: 80 }, settlesAfterMs: 60_000 },
  swift: {
    ...instant,
    lowest: '25.00',
    highest: '50000.00',
    fee: { fixed: '15.00', basis_points: '25.5' },
    purposes: ['family_support', 'goods', 'salary', 'services'],
    settlesAfterMs: 120_000,
  },
}

function termsOf(scheme: Scheme): NetworkTerms {
  return networks[scheme.network] ?? instant
}

export function limitsOf(scheme: Scheme, testUser: TestUser): Limits {
  const { settlesAfterMs: _, ...terms } = termsOf(scheme)
  const highest = BigNumber.min(terms.highest, testUser.highestTransfer)
  return {
    scheme_id: scheme.scheme_id,
    account_kind: 'current',
    ccy: scheme.currency_code,
    ...terms,
    highest: highest.toFixed(2),
    network: scheme.network,
  }
}

export function settlesAfterMs(scheme: Scheme): number {
  return termsOf(scheme).settlesAfterMs
}

/** The reason why a transfer exceeds the limits; undefined if it does not. */
export function findExcess(limits: Limits, value: string, note: string | null): string | undefined {
  if (new BigNumber(value).lt(limits.lowest)) return 'under_limit'
  if (new BigNumber(value).gt(limits.highest)) return 'over_limit'
  const length = Array.from(note ?? '').length
  return length < limits.note.min || length > limits.note.max ? 'note_length' : undefined
}
