/**
 * `int.beneficiaries.authorize-mandates`: records the owner's consent that a grant may pay under these mandates from
 * now on.
 */

import type { AuthorizeMandatesRequest, AuthorizeMandatesResponse } from '@financial-agents/bus/messages/resources'
import { isUuid } from '@financial-agents/postgres/is-uuid'
import type { Dependencies } from '../dependencies.ts'
import { recordConsented } from '../mandates/authority-store.ts'

export function authorizeMandates({ db, clock, log }: Pick<Dependencies, 'db' | 'clock' | 'log'>) {
  return async (request: AuthorizeMandatesRequest): Promise<AuthorizeMandatesResponse> => {
    const mandate_ids = request.mandate_ids.filter(isUuid)
    const given = await recordConsented(db, { ...request, mandate_ids }, clock.now())
    log.info({ grant_id: request.grant_id, mandate_ids: given }, 'an owner gave authority under mandates again')
    return { mandate_ids: given }
  }
}
