/**
 * `int.beneficiaries.cap-use`: returns the limits of mandates, each with the part that is used in the period of the given
 * time.
 */

import type { CapUse, CapUseRequest } from '@financial-agents/bus/messages/owner-events'
import { type Windows, windowsAt } from '@financial-agents/contract/cap-windows'
import { subtractDecimals } from '@financial-agents/contract/decimals'
import { isUuid } from '@financial-agents/postgres/is-uuid'
import { BigNumber } from 'bignumber.js'
import type { Dependencies } from '../dependencies.ts'
import { type MandateRow, readMandates } from '../mandates/store.ts'

const amounts = [
  ['daily_max', 'remaining_daily', 'day'],
  ['weekly_max', 'remaining_weekly', 'week'],
  ['monthly_max', 'remaining_monthly', 'month'],
  ['total_cap', 'remaining_total', null],
] as const

export function capUse({ db }: Pick<Dependencies, 'db'>) {
  return async ({ mandates }: CapUseRequest): Promise<CapUse[]> => {
    const asked = mandates.filter(({ mandate_id }) => isUuid(mandate_id))
    // Mandates of one day share their periods.
    const days = Map.groupBy(asked, ({ at }) => windowsAt(new Date(at)).day)
    const used: CapUse[] = []
    for (const some of days.values()) {
      const at = new Date(some[0]?.at ?? '')
      const rows = await readMandates(db, [...new Set(some.map(({ mandate_id }) => mandate_id))], at)
      used.push(...rows.values().flatMap((row) => capsOf(row, windowsAt(at))))
    }
    return used
  }
}

function capsOf(row: MandateRow, windows: Windows): CapUse[] {
  const { id: mandate_id, owner_id, beneficiary_id, currency, payment_count, remaining_payments } = row
  const about = { mandate_id, owner_id, beneficiary_id }
  const ofAmounts = amounts.map(([cap, remaining, period]) => ({
    ...about,
    cap,
    period_start: period && windows[period],
    ...part(row[cap], subtractDecimals(row[cap], row[remaining])),
    currency,
  }))
  const payments = part(String(payment_count), String(payment_count - remaining_payments))
  return [...ofAmounts, { ...about, cap: 'payment_count', period_start: null, ...payments, currency: null }]
}

function part(limit: string, used: string): Pick<CapUse, 'limit' | 'used' | 'used_percent'> {
  const percent = new BigNumber(used).times(100).idiv(limit)
  return { limit, used, used_percent: percent.toNumber() }
}
