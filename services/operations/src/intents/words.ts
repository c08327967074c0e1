/** The words of facts: times, counts, applications, payees. */

import type { OwnerClient } from '@financial-agents/bus/messages/authority'
import type { FactLabel, OwnerFact } from '@financial-agents/bus/messages/intents'
import type { ConfirmationFact } from '@financial-agents/contract/schemas/confirmation-intent'
import { countOf, fact, foreign, translatable, visible } from './facts.ts'

const timestamp = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })

/** Formats a time, for example `1 January 2027 at 10:00 UTC`. */
export function timestampOf(time: string): string {
  return `${timestamp.format(new Date(time))} UTC`
}

/** A time for the owner, whose page shows it in the owner's time zone. */
export function ownerTime(label: FactLabel, time: string): OwnerFact {
  return { ...fact(label, timestampOf(time)), at: new Date(time).toISOString() }
}

/**
 * Names applications for their owner by their registered names. An application without a grant of the owner is named by
 * its id.
 */
export function namedClients(
  label: FactLabel,
  ids: readonly string[],
  known: readonly OwnerClient[],
): ConfirmationFact[] {
  const names = new Map(known.map(({ client_id, name }) => [client_id, name]))
  return ids.map((id) => foreign(label, names.get(id) ?? id))
}

/** Describes the same applications to one of them: their number, and whether the asking application is among them. */
export function countedClients(label: FactLabel, ids: readonly string[], asking: string): ConfirmationFact {
  const others = new Set(ids.filter((id) => id !== asking)).size
  const count = countOf(others, 'other application')
  if (!ids.includes(asking)) return fact(label, count)
  return fact(label, others === 0 ? 'This application' : `This application and ${count}`)
}

/** The owner reads as well how long the payee is known, which application named it, and that nobody checked the name. */
export function payeeForOwner(
  payee: Payee & { created_at: string; named_by: string | undefined },
  clients: readonly OwnerClient[],
): OwnerFact[] {
  const { created_at, named_by } = payee
  return [
    ...payeeOf(payee),
    ownerTime('Added', created_at),
    ...(named_by === undefined ? [] : namedClients('Named by', [named_by], clients)),
    translatable('Name checked', { type: 'unchecked' }),
  ]
}

type Payee = { name: string; country: string; masked_details: Readonly<Record<string, string>> }

/** The payee, with only the details that are ever shown. */
export function payeeOf({ name, country, masked_details }: Payee): OwnerFact[] {
  const details = Object.entries(masked_details).map(([label, last]) => [label, visible(last)] as const)
  return [foreign('Payee', name), translatable('Account of the payee', { type: 'account', details, country })]
}
