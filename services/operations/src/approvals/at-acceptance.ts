/** The part of an acceptance that concerns approvals. */

import type { AcceptRequest } from '@financial-agents/bus/messages/operations'
import type { OperationKind } from '@financial-agents/contract/kinds'
import type { Queryable } from '@financial-agents/postgres/database'
import type { ViewRow } from '../tables.ts'

/** The fields of the committed operation that the provider is asked about, and those of its first move. */
export type StartedApproval = Pick<
  AcceptRequest,
  'operation_id' | 'kind' | 'target_reference' | 'traceparent' | 'payload_sealed'
> & { binding_id: string; owner_id: string; subject: string; client_id: string; grant_id: string }

/** Approvals of operations for which the provider may require the owner's approval. */
export type AcceptanceApprovals = {
  mayAsk: (kind: OperationKind) => boolean
  /** Writes the approval rows of these operations, in the accepting transaction. */
  record: (tx: Queryable, operationIds: readonly string[], now: Date) => Promise<void>
  /** Asks the provider after the operation is committed. Returns the view as it is then. Never rejects. */
  begin: (operation: ViewRow, started: StartedApproval, timeoutMs: number) => Promise<ViewRow>
}
