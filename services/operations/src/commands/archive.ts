/**
 * Archives operations of old months with their history, decisions, payments and approvals. Their views and
 * their payments stay readable to clients, owners and operators. Sealed references of payments are not copied, because they
 * contain the owner's words.
 */

import { terminalStates } from '@financial-agents/contract/machine'
import { archiveCommand } from '@financial-agents/postgres/archive/command'
import type { ArchivePlan } from '@financial-agents/postgres/archive/plan'
import { operatorColumns } from '../store/operator-rows.ts'
import { viewColumns } from '../tables.ts'

const settled = terminalStates.map((state) => `'${state}'`).join(', ')

/** The columns that answers show, the columns that find an operation, and the columns that every row has. */
const kept = [...new Set([...viewColumns, ...operatorColumns, 'owner_id', 'binding_id', 'sequence'] as const)].filter(
  (column) => column !== 'action_required',
)

export const archivePlan: ArchivePlan = {
  service: 'operations',
  months: [
    {
      table: 'operations',
      keeps: kept,
      key: 'id',
      order: 'id',
      open: `state NOT IN (${settled})`,
      unclaimed: "state IN ('requires_action', 'accepted')",
    },
    { table: 'history', key: 'operation_id', order: 'operation_id, sequence' },
  ],
  rows: [
    { table: 'decisions', key: 'operation_id', order: 'operation_id' },
    { table: 'transfers', stays: true, key: 'operation_id', order: 'operation_id', omitted: ['reference_sealed'] },
    { table: 'approvals', key: 'operation_id', order: 'operation_id' },
    { table: 'unsuccessful', stays: true, key: 'operation_id', order: 'operation_id' },
  ],
}

export const command = archiveCommand(archivePlan)
