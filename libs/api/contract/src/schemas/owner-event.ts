/**
 * Events for the operator's own platform: acts that an owner should hear of, by mail or push. The platform sends the
 * messages; we send each event once. An extension of ours, apart from the API. No event has a name, a reference of a
 * payment or a secret in it.
 */

import { z } from 'zod'
import { operationKinds } from '../machine/kinds.ts'
import { dateTime, decimal, extensible, id } from './primitives.ts'

/** The person, by every name that the platform may know. */
const owner = z.strictObject({
  id: z.uuid().describe('Our identifier of the owner.'),
  provider: z
    .string()
    .nullable()
    .describe('The provider at which the owner signed in; null for an owner who never signed in.'),
  reference: z.string().nullable().describe('The reference under which that provider knows the person.'),
})

const payment = z.strictObject({
  owner,
  operation_id: id.describe('The operation that pays.'),
  kind: z.enum(operationKinds).describe('The kind of the operation.'),
  client_id: z.string().describe('The application that asked for the payment.'),
  mandate_id: id.nullable().describe('The mandate under which it pays; null for a withdrawal.'),
  beneficiary_id: id.describe('The payee.'),
  amount: decimal.describe('The amount of the payment.'),
  currency: z.string().describe('ISO 4217.'),
})

/** The limits of a mandate whose use an event can report. */
export const reportedCaps = ['daily_max', 'weekly_max', 'monthly_max', 'total_cap', 'payment_count'] as const

const access = z.strictObject({
  owner,
  grant_id: z.uuid().describe('The new grant.'),
  client_id: z.string().describe('The application that has access now.'),
  given_by: extensible(z.enum(['owner', 'operator'])).describe(
    '`operator`: by the declaration of a service account. Otherwise the owner consented.',
  ),
})

const cap = z.strictObject({
  owner,
  mandate_id: id.describe('The mandate.'),
  beneficiary_id: id.describe('The payee of the mandate.'),
  cap: extensible(z.enum(reportedCaps)).describe('The cap that is nearly used.'),
  period_start: z.iso
    .date()
    .nullable()
    .describe('The first day (UTC) of the period of the cap; null for a cap whose period never ends.'),
  limit: decimal.describe('The cap: an amount, or a number of payments.'),
  used: decimal.describe('The part that is used. A payment whose result is uncertain counts.'),
  currency: z.string().nullable().describe('ISO 4217; null if payments are counted.'),
})

const event = <Type extends string, Data extends z.ZodType>(type: Type, data: Data, when: string) =>
  z.strictObject({ type: z.literal(type), timestamp: dateTime.describe('The time of the act.'), data }).describe(when)

/** The events by type. Each description says when the event is sent. Each event is sent once. */
export const ownerEvents = {
  'owner.access_given': event('owner.access_given', access, 'An application has got access: a new grant.'),
  'owner.first_payment': event(
    'owner.first_payment',
    payment,
    'The first payment of the owner to a payee was accepted, whichever application asked for it.',
  ),
  'owner.cap_nearly_used': event(
    'owner.cap_nearly_used',
    cap,
    'Payments have used the configured part of a cap of a mandate. Happens once for each cap and period.',
  ),
  'owner.payment_uncertain': event(
    'owner.payment_uncertain',
    payment,
    'It is not known if a payment was made. Its operation is `indeterminate`. Happens once for each operation.',
  ),
} as const

/** The body of a message to the operator's platform. */
export const ownerEvent = z.discriminatedUnion('type', [
  ownerEvents['owner.access_given'],
  ownerEvents['owner.first_payment'],
  ownerEvents['owner.cap_nearly_used'],
  ownerEvents['owner.payment_uncertain'],
])

export type OwnerEvent = z.output<typeof ownerEvent>
