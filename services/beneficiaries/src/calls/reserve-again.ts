/**
 * `int.beneficiaries.reserve-again`: counts payments that the database has lost against the caps of their mandates. A mandate that was
 * lost too needs nothing: nobody can pay under it.
 */

import type { WitnessedPayments } from '@financial-agents/bus/messages/witness'
import type { Dependencies } from '../dependencies.ts'
import { lockRows } from '../mandates/lock.ts'
import { recordLost } from '../mandates/reservation-store.ts'

export function reserveAgain({ db }: Pick<Dependencies, 'db'>) {
  return async ({ payments }: WitnessedPayments): Promise<null> => {
    const lost = payments.flatMap(({ mandate_id, ...payment }) =>
      mandate_id === null ? [] : [{ ...payment, mandate_id }],
    )
    if (lost.length === 0) return null
    await db.transaction(async (tx) => {
      await tx.rows(lockRows, [lost.map(({ mandate_id }) => mandate_id), []])
      await recordLost(tx, lost)
    })
    return null
  }
}
