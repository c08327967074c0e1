/**
 * Archives operations of old months with their history, decisions, payments and approvals. Sealed references of
 * payments are not copied. They contain the owner's words, and are deleted with their rows.
 */

import { terminalStates } from '@financial-agents/operation-machine/machine'
import { archiveCommand } from '@financial-agents/postgres/archive/command'
import type { ArchivePlan } from '@financial-agents/postgres/archive/plan'

const settled = terminalStates.map((state) => `'${state}'`).join(', ')

export const archivePlan: ArchivePlan = {
  service: 'operations',
  months: [
    {
      table: 'operations',
      key: 'id',
      order: 'id',
      open: `state NOT IN (${settled})`,
      unclaimed: "state IN ('requires_action', 'accepted')",
    },
    { table: 'history', key: 'operation_id', order: 'operation_id, sequence' },
  ],
  rows: [
    { table: 'decisions', key: 'operation_id', order: 'operation_id' },
    { table: 'transfers', key: 'operation_id', order: 'operation_id', omitted: ['reference_sealed'] },
    { table: 'approvals', key: 'operation_id', order: 'operation_id' },
    { table: 'unsuccessful', key: 'operation_id', order: 'operation_id' },
  ],
}

export const command = archiveCommand(archivePlan)
