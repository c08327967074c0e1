/**
 * Attacks with amounts that are too small, too large or malformed. Every accepted amount counts by its value, however
 * it is written.
 */

import { randomUUID } from 'node:crypto'
import { decimal } from './cast.ts'
import { mandateOf } from './confirmations.ts'
import { aPayment, never, pay, type Scene, withdrawals } from './payments.ts'

const noAmounts: readonly unknown[] = [
  '-1.00',
  '0',
  '0.00',
  '1e-3',
  '1e0',
  '+1.00',
  '01.00',
  '.5',
  '1.',
  '1,00',
  ' 1.00',
  '0x1',
  '١.٠٠',
  'NaN',
  'Infinity',
  '1_0',
  '',
  '9'.repeat(40),
  1,
  0.1,
  ['1.00'],
  null,
]
const tooFine = ['0.001', '0.0100000000000001', '0.019', '1.009', '1.000000000000000001', `0.${'0'.repeat(17)}1`]

export async function oddAmount(scene: Scene): Promise<void> {
  const { player, chance } = scene
  const amount = chance.happens(0.5) ? chance.pick(noAmounts) : chance.pick(tooFine)
  const currency = chance.pick(['USD', 'JPY', 'XXX', 'eur'])
  const changed = chance.happens(0.7) ? { amount, currency: player.currency } : { amount: '0.01', currency }
  const mandate = player.mandates.at(-1)
  const isUnder = mandate !== undefined && chance.happens(0.5)
  await never(scene, 'an odd amount', 'POST', isUnder ? `/v1/mandates/${mandate.id}/transfers` : withdrawals, {
    key: randomUUID(),
    body: isUnder ? changed : { beneficiary_id: player.payeeId, ...changed },
  })
}

/** A confirmation for limits finer than a cent is refused. */
export async function fineCap(scene: Scene): Promise<void> {
  const { player, chance } = scene
  const cap = chance.pick([...tooFine, '2.001', '1e-3', '+1.0005', '1001e-3', '1.5e-2'])
  const name = chance.pick(['per_payment_max', 'daily_max', 'weekly_max', 'monthly_max', 'total_cap'])
  const body = { ...mandateOf(player.payeeId, '2.00'), [name]: cap }
  const request = { action: 'mandate_create', request: { path: '/v1/mandates', body } }
  await never(scene, 'a fine cap', 'POST', '/v1/confirmation-intents', { body: request })
}

/** Writes an amount with trailing zeros: twice with one key, and at the same time with another key. */
export async function longAmount(scene: Scene): Promise<void> {
  const one = aPayment(scene)
  const written = (zeros: number) => ({ ...one, body: { amount: decimal(one.cents) + '0'.repeat(zeros) } })
  const key = randomUUID()
  await Promise.all([pay(scene, { ...written(1), key }), pay(scene, { ...written(1), key }), pay(scene, written(16))])
}
