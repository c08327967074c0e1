/**
 * What other services are answered: beneficiaries and mandates of an owner, as operations, spending and authz need them, and
 * whether what an owner is to confirm would be refused.
 */

import { ownerMandatesOver, ownerMandatesPage } from '@financial-agents/bus/messages/resources'
import { serveCall } from '@financial-agents/bus/rpc'
import { serveJudgement } from '@financial-agents/bus/serve-judgement'
import { isUuid } from '@financial-agents/postgres/is-uuid'
import { findBeneficiary } from './beneficiary-store.ts'
import { recordConsented } from './mandates/authority-store.ts'
import { checkRevocation } from './mandates/judge-action.ts'
import { judgeCreation } from './mandates/judge-creation.ts'
import { findMandate, listOver, listRunning, toOwnerMandate } from './mandates/store.ts'
import type { Parts } from './parts.ts'

export function serveCalls({ bus, db, clock, log }: Pick<Parts, 'bus' | 'db' | 'clock' | 'log'>): void {
  serveCall(
    bus,
    'int.beneficiaries.find-beneficiary',
    async ({ owner_id, beneficiary_id }) => (await findBeneficiary(db, owner_id, beneficiary_id)) ?? null,
    { log },
  )
  serveCall(
    bus,
    'int.beneficiaries.find-mandate',
    async ({ mandate_id, ...seer }) => {
      const now = clock.now()
      const row = await findMandate(db, seer, mandate_id, now)
      return row ? toOwnerMandate(row, now) : null
    },
    { log },
  )
  serveCall(
    bus,
    'int.beneficiaries.owner-mandates',
    async (request) => {
      const now = clock.now()
      const { owner_id } = request
      const rows =
        request.which === 'running'
          ? await listRunning(db, owner_id, request.after, ownerMandatesPage, now)
          : await listOver(db, owner_id, ownerMandatesOver, now)
      return rows.map((row) => toOwnerMandate(row, now))
    },
    { log },
  )
  serveCall(
    bus,
    'int.beneficiaries.authorize-mandates',
    async (request) => {
      const mandate_ids = request.mandate_ids.filter(isUuid)
      const given = await recordConsented(db, { ...request, mandate_ids }, clock.now())
      log.info({ grant_id: request.grant_id, mandate_ids: given }, 'an owner gave authority under mandates again')
      return { mandate_ids: given }
    },
    { log },
  )
  serveJudgement(
    bus,
    'int.beneficiaries.judge-mandate-create',
    async ({ body }, asker) => void (await judgeCreation({ db, clock }, body, asker)),
    { log },
  )
  serveJudgement(
    bus,
    'int.beneficiaries.judge-mandate-revoke',
    ({ params }, asker) => checkRevocation({ db, clock }, asker, params.mandate_id),
    { log },
  )
}
