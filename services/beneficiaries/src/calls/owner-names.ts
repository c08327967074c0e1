/** `int.beneficiaries.owner-names`: returns names for the owner's pages. An id of another owner gets no name. */

import type { OwnerNames, OwnerNamesRequest } from '@financial-agents/bus/messages/resources'
import { isUuid } from '@financial-agents/postgres/is-uuid'
import { listNames } from '../beneficiary-store.ts'
import type { Dependencies } from '../dependencies.ts'
import { listPayeesOfMandates } from '../mandates/store.ts'

export function ownerNames({ db }: Pick<Dependencies, 'db'>) {
  return async ({ owner_id, beneficiary_ids, mandate_ids }: OwnerNamesRequest): Promise<OwnerNames> => {
    const [payees, ofMandates] = await Promise.all([
      listNames(db, owner_id, beneficiary_ids.filter(isUuid)),
      listPayeesOfMandates(db, owner_id, mandate_ids.filter(isUuid)),
    ])
    return [...payees, ...ofMandates]
  }
}
