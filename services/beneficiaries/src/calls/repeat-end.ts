/** `int.beneficiaries.repeat-end`: suspends a mandate whose end the database has lost. */

import type { RepeatEnd } from '@financial-agents/bus/messages/witness'
import { isUuid } from '@financial-agents/postgres/is-uuid'
import type { Dependencies } from '../dependencies.ts'
import { repeatEndOf } from '../mandates/moves.ts'

export function repeatEnd({ db, clock }: Pick<Dependencies, 'db' | 'clock'>) {
  return async ({ target_id }: RepeatEnd): Promise<boolean> =>
    isUuid(target_id) && db.transaction((tx) => repeatEndOf(tx, target_id, clock.now()))
}
