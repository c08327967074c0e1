/** Amounts and times of Increase in the API's shapes. */

import type { Money } from '@financial-agents/provider-port/primitives'
import { BigNumber } from 'bignumber.js'

export function dollars(cents: number): Money {
  return { amount: new BigNumber(cents).shiftedBy(-2).toFixed(2), currency: 'USD' }
}

/** In UTC with milliseconds. */
export function timestampOf(time: string): string {
  return new Date(time).toISOString()
}
