/** `--check`: what would become of the payment if it were sent now. Nothing is sent. */

import type { PaymentCheck, PaymentLimit } from '@financial-agents/client'
import type { Cli } from '../cli.ts'

/** Prints the check. A payment that would be refused ends as a refusal does. */
export function printCheck(cli: Cli, summary: string, check: PaymentCheck): void {
  const { refusal, confirmation_required: asks, limits } = check
  const would = refusal ? 'be refused' : asks ? 'be accepted once the owner has confirmed it' : 'be accepted'
  cli.output.one(check, [
    [summary, `would ${would}`],
    ...(refusal ? [['Reason', `${refusal.code}: ${refusal.detail}`] as const] : []),
    ...limits.map((limit) => [nameOf(limit), leftOf(limit)] as const),
  ])
  cli.end(refusal ? 'failed' : 'done')
}

const nameOf = ({ limit }: PaymentLimit) => limit.replaceAll('_', ' ')

function leftOf({ currency, maximum, remaining, remaining_after: after }: PaymentLimit): string {
  const written = (amount: string) => (currency === null ? amount : `${amount} ${currency}`)
  const left = `${written(remaining)} of ${written(maximum)} left`
  return after === null ? left : `${left}, ${written(after)} after it`
}
