/**
 * What other services are answered: beneficiaries and mandates of an owner, as operations, spending and authz need them, and
 * whether what an owner is to confirm would be refused.
 */

import { serveCall } from '@financial-agents/bus/rpc'
import { serveJudgement } from '@financial-agents/bus/serve-judgement'
import { findBeneficiary } from './beneficiary-store.ts'
import { checkRevocation } from './mandates/judge-action.ts'
import { judgeCreation } from './mandates/judge-creation.ts'
import { findMandate, listMandates, toOwnerMandate } from './mandates/store.ts'
import type { Parts } from './parts.ts'

const maxMandates = 100

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
    async ({ owner_id }) => {
      const now = clock.now()
      const rows = await listMandates(db, { owner_id, client_id: null }, maxMandates, undefined, now)
      return rows.map((row) => toOwnerMandate(row, now))
    },
    { log },
  )
  serveJudgement(
    bus,
    'int.beneficiaries.judge-mandate-create',
    async ({ body }, asker) => void (await judgeCreation({ bus, db, clock }, body, asker)),
    { log },
  )
  serveJudgement(
    bus,
    'int.beneficiaries.judge-mandate-revoke',
    ({ params }, asker) => checkRevocation({ db, clock }, asker, params.mandate_id),
    { log },
  )
}
