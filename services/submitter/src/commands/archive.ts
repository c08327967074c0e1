/**
 * Archives submissions of old months, after operations has archived the same months: a row is removed when nothing can
 * offer its operation any more.
 */

import { archiveCommand } from '@financial-agents/postgres/archive/command'
import type { ArchivePlan } from '@financial-agents/postgres/archive/plan'

export const archivePlan: ArchivePlan = {
  service: 'submitter',
  months: [
    {
      table: 'submissions',
      key: 'operation_id',
      order: 'operation_id',
      open: `state = 'submitting' OR (late_answer IS NOT NULL AND NOT late_answer_delivered)
        OR operation_id IN (SELECT unnest(operation_ids) FROM outbox)`,
    },
  ],
  rows: [],
  after: 'operations',
}

export const command = archiveCommand(archivePlan)
