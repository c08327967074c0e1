/**
 * Writes a device's code, with the decision about it.
 *
 * Invariants: the first decision about a code holds, whichever browsers entered it. A code is approved in the transaction
 * that finds its grant active and writes the audit entry. A device polls by itself, so withholding the answer to the
 * owner would not withhold the tokens.
 */

import type { Database, Queryable } from '@financial-agents/postgres/database'
import type { Clock } from '@financial-agents/runtime/clock'
import type { Sealer } from '@financial-agents/runtime/sealing'
import { type AdapterPayload, errors, type KoaContextWithOIDC } from 'oidc-provider'
import { createArtifactStore } from '../../store/artifacts.ts'
import { recordAudit } from '../../store/audit.ts'
import { holdGrant } from '../../store/human-grants.ts'
import { deviceApproved } from '../audit-entries.ts'
import { AlreadyDecided, type OwnerDecision, type OwnerDecisions } from '../owner-decisions.ts'

export type DeviceCodeDependencies = { db: Database; sealer: Sealer; clock: Clock; decisions: OwnerDecisions }

export const model = 'DeviceCode'

/**
 * Returns a function that overwrites the content that was read as `before`, and returns the new content.
 * @throws InvalidRequest if the code has changed since, or was decided otherwise
 */
export function createWriteCode({ db, sealer, clock, decisions }: DeviceCodeDependencies) {
  return (ctx: KoaContextWithOIDC, id: string, payload: AdapterPayload, before: Buffer): Promise<Buffer> =>
    db.transaction(async (tx) => {
      const approved = isApproved(payload) ? payload : undefined
      const decision = approved ? allowed(approved) : payload.error === 'access_denied' ? declined(payload) : undefined
      if (decision) await decideSame(tx, id, decision)
      const now = clock.now()
      if (approved) await holdGrant(tx, approved.grantId, now)
      const { grantId, userCode } = payload
      const sealed = await createArtifactStore(tx, sealer, model).replace(id, payload, { grantId, userCode }, before)
      if (!sealed) throw new errors.InvalidRequest('the code was used by a concurrent request')
      if (approved) await recordAudit(tx, [deviceApproved(ctx, approved, now)])
      return sealed
    })

  /** Records the decision. If there is one already, it has to be the same. */
  async function decideSame(tx: Queryable, id: string, decision: OwnerDecision): Promise<void> {
    await decisions.decideCode(tx, id, decision).catch(async (error: unknown) => {
      if (!(error instanceof AlreadyDecided)) throw error
      if (grantOf(await decisions.findOfCode(id)) !== grantOf(decision))
        throw new errors.InvalidRequest('somebody has decided otherwise about the code')
    })
  }
}

type Approved = AdapterPayload & { grantId: string; accountId: string }

/** The library sets the owner also on a code whose approval failed, and then its error. */
function isApproved(payload: AdapterPayload): payload is Approved {
  const { grantId, accountId, error } = payload
  return grantId !== undefined && accountId !== undefined && error === undefined
}

function allowed({ clientId = '', accountId, grantId }: Approved): OwnerDecision {
  return { type: 'allowed', clientId, ownerId: accountId, grantId, mandateIds: [] }
}

function declined({ clientId = '', errorDescription }: AdapterPayload): OwnerDecision {
  return { type: 'declined', clientId, ownerId: undefined, description: String(errorDescription) }
}

function grantOf(decision: OwnerDecision | undefined): string | undefined {
  return decision?.type === 'allowed' ? decision.grantId : undefined
}
