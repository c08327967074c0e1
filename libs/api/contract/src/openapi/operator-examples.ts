/** The examples for the routes of operators, by schema name. */

import { clientId, delivery, ids, operation, page, written } from './story.ts'

const unexplained = { reason: null, evidence: null }

const unsettled = {
  ...operation,
  kind: 'mandate_transfer',
  state: 'indeterminate',
  submission_uncertain: true,
  failure_code: 'provider_connection_lost',
  failure_detail: 'The connection broke before the answer came.',
  resource_id: ids.mandate,
  resource_type: 'mandate',
  next_reconcile_at: '2026-11-20T10:15:04.000Z',
  subject: 'hU3xq0T9bV',
  client: { id: clientId, name: 'Rent agent' },
  grant_id: ids.grant,
  mandate_id: ids.mandate,
  trace_id: '0af7651916cd43dd8448eb211c80319c',
  payment: { amount: '850.00', currency: 'EUR' },
  review: true,
  review_reason: 'not found by 10 reads',
  age_seconds: 3_600,
}

export const suspendedGrant = {
  id: ids.grant,
  subject: 'hU3xq0T9bV',
  client: { id: clientId, name: 'Rent agent', profile: 'web' },
  status: 'suspended',
  scopes: ['operations:read', 'spending:withdraw'],
  created_at: '2026-11-01T10:00:00.000Z',
  last_used_at: '2026-11-20T09:10:00.000Z',
  suspended: {
    at: '2026-11-20T09:30:00.000Z',
    by: 'jonas.brandt',
    reason: 'Its key was found in a public repository.',
    reason_for_owner: null,
  },
  operations_in_flight: 1,
}

/** The responses to operators. */
export const operatorResponses = {
  OperatorGrant: suspendedGrant,
  OperatorGrantList: page(suspendedGrant),
  OperatorOperationDetail: {
    ...unsettled,
    reads: {
      count: 1,
      not_found: 1,
      items: [
        {
          read: 'mandate_transfer_by_reference',
          result: 'not_found',
          observed_at: '2026-11-20T10:14:34.000Z',
          digest: 'JhbBJxRPEOUOWC1wZcE6Ls2XCghIp2uH4rIVgqYSaWc',
        },
      ],
      late_answer: null,
    },
    history: [
      { sequence: 1, from: null, to: 'accepted', by: 'operations', at: written.created_at, ...unexplained },
      { sequence: 2, from: 'accepted', to: 'submitting', by: 'submitter', at: written.created_at, ...unexplained },
      {
        sequence: 3,
        from: 'submitting',
        to: 'indeterminate',
        by: 'submitter',
        at: written.updated_at,
        reason: 'The reply was lost.',
        evidence: {
          read: 'transaction_lookup',
          result: 'not_found',
          observed_at: written.updated_at,
          digest: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
        },
      },
    ],
    webhook_deliveries: [{ ...delivery, event_type: 'operation.indeterminate' }],
  },
  OperatorOperationList: {
    ...page(unsettled),
    counts: {
      requires_action: 0,
      accepted: 0,
      submitting: 2,
      submitted: 4,
      succeeded: 318,
      failed: 3,
      indeterminate: 1,
      cancelled: 1,
    },
  },
}
