/** Mandates, a part of the authorization area: delegated authority to pay, and the transfers made under it. */

import { z } from 'zod'
import { confirmationProblems } from '../problem-catalogue.ts'
import { route } from '../route.ts'
import { createMandateBody, createMandateTransferBody, mandate } from '../schemas/mandate.ts'
import { operation } from '../schemas/operation.ts'
import { paymentCheck } from '../schemas/payment-check.ts'
import { cursor, limit, page, pathId } from '../schemas/primitives.ts'

const area = { area: 'authorization', service: 'beneficiaries', binding: true } as const
const reads = { ...area, scope: 'authorization:read' } as const
const writes = {
  ...area,
  method: 'POST',
  scope: 'spending:withdraw',
  keyed: true,
  status: 202,
  response: operation,
} as const
const one = z.strictObject({ mandate_id: pathId('The mandate.') })

export const mandatesRoutes = {
  createMandate: route({
    summary: 'Create a mandate',
    description:
      'Delegates payments to one beneficiary, within caps, until it expires. Every cap is required, and no cap may exceed the next: payment, day, week, month, total. A cap may have an exponent from -18 to 18; written out, it has at most 18 digits before the point and 18 after it, and is no finer than the smallest unit of the currency. Caps above a ceiling of the grant are refused. The owner may have to approve the mandate at the provider (`requires_action`).',
    ...writes,
    path: '/v1/mandates',
    client: 'mandates.create',
    cli: 'mandates create --to {beneficiary_id} --per-payment {per_payment_max} --per-day {daily_max} --per-week {weekly_max} --per-month {monthly_max} --total {total_cap} --payments {payment_count} --until {expires_at}',
    capability: 'mandates.manage',
    opens: 'mandate_create',
    confirmation: { action: 'mandate_create', needed: 'always' },
    policy: true,
    refreshOnboarding: true,
    body: createMandateBody,
    problems: ['grant_ceiling_exceeded', ...confirmationProblems],
  }),
  listMandates: route({
    summary: 'List mandates',
    description: 'The mandates that this client created or is authorised to pay under.',
    ...reads,
    method: 'GET',
    path: '/v1/mandates',
    client: 'mandates.list',
    cli: 'mandates list',
    capability: 'mandates.read',
    query: z.strictObject({ cursor, limit }),
    response: page(mandate),
  }),
  getMandate: route({
    summary: 'Read a mandate and its remaining caps',
    ...reads,
    method: 'GET',
    path: '/v1/mandates/{mandate_id}',
    client: 'mandates.get',
    capability: 'mandates.read',
    params: one,
    response: mandate,
    problems: ['mandate_not_found'],
  }),
  suspendMandate: route({
    summary: 'Suspend a mandate',
    description:
      'Stops transfers that have not been submitted yet. If the operation fails, the mandate is suspended all the same, and can still be revoked.',
    ...writes,
    path: '/v1/mandates/{mandate_id}/suspend',
    client: 'mandates.suspend',
    cli: 'mandates suspend {mandate_id}',
    capability: 'mandates.manage',
    opens: 'mandate_suspend',
    params: one,
    problems: ['mandate_not_found', 'mandate_not_active', 'resource_busy'],
  }),
  revokeMandate: route({
    summary: 'Revoke a mandate',
    description: 'A transition, not a deletion. It stops transfers that have not been submitted yet.',
    ...writes,
    path: '/v1/mandates/{mandate_id}/revoke',
    client: 'mandates.revoke',
    cli: 'mandates revoke {mandate_id}',
    capability: 'mandates.manage',
    opens: 'mandate_revoke',
    confirmation: { action: 'mandate_revoke', needed: 'always' },
    refreshOnboarding: true,
    params: one,
    problems: [
      'mandate_not_found',
      'mandate_not_active',
      'mandate_already_revoked',
      'mandate_revocation_in_progress',
      'resource_busy',
      ...confirmationProblems,
    ],
  }),
  createMandateTransfer: route({
    summary: 'Pay under a mandate',
    description:
      'Before acceptance, the amount is reserved against every cap of the mandate and against the ceilings of the grant. An amount with an unknown outcome counts as spent.',
    ...writes,
    path: '/v1/mandates/{mandate_id}/transfers',
    client: 'mandates.pay',
    cli: 'pay {amount} {currency} --mandate {mandate_id} --reference {reference} --intent rent-2026-11',
    opens: 'mandate_transfer',
    policy: true,
    capability: 'transfers.execute',
    params: one,
    body: createMandateTransferBody,
    problems: [
      'mandate_not_found',
      'mandate_not_active',
      'mandate_cap_exceeded',
      'mandate_client_not_authorized',
      'mandate_rule_not_authorized',
      'grant_ceiling_exceeded',
    ],
  }),
  checkMandateTransfer: route({
    summary: 'Check a payment under a mandate before it is made',
    description: 'The same checks as those of the payment, over the same body.',
    ...reads,
    method: 'POST',
    path: '/v1/mandates/{mandate_id}/transfers/check',
    client: 'mandates.checkPayment',
    area: 'payment-checks',
    scope: 'spending:withdraw',
    policy: true,
    capability: 'transfers.execute',
    params: one,
    body: createMandateTransferBody,
    response: paymentCheck,
    problems: ['mandate_not_found'],
  }),
}
