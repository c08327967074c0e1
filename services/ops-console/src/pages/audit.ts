/** The page of the audit. It does not refresh itself, because a look at it is itself an entry. */

import type { ConsolePage } from '../http/console-page.ts'
import { auditView } from './views/audit.ts'

export const auditPage: ConsolePage = {
  method: 'GET',
  path: '/ops/audit',
  scope: 'ops:read',
  look: 'viewAudit',
  answer: async ({ listAudit, query }) => {
    const { operator_id, action, cursor } = query
    const asked = {
      ...(operator_id === undefined ? {} : { operator_id }),
      ...(action === undefined ? {} : { action }),
      ...(cursor === undefined ? {} : { cursor }),
    }
    const { items, next_cursor: nextCursor } = await listAudit(asked)
    return { view: auditView({ items, nextCursor, query: asked, now: new Date() }) }
  },
}
