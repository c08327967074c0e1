/**
 * The owner's accounts as the provider lists them now, under our identifiers and in one order.
 *
 * Invariant: the accounts contain nothing of the provider's own: no reference, and only the end of the number.
 */

import type { Principal } from '@financial-agents/contract/principal'
import { type Account, account } from '@financial-agents/contract/schemas/account'
import type { ReferenceIds } from '@financial-agents/postgres/reference-ids'
import { checkedAnswer } from '@financial-agents/provider-client/checked-answer'
import type { ProviderReader, ReadContext } from '@financial-agents/provider-client/reader'
import { sanitised } from '@financial-agents/provider-client/sanitised'
import type { Provider } from '@financial-agents/provider-port/port'
import { providerReference } from '@financial-agents/provider-port/storable'
import { z } from 'zod'
import { maskedNumber } from './masked-number.ts'

type Context = ReadContext & { principal: Pick<Principal, 'owner_id'> }

export type AccountReads = {
  /**
   * Returns all accounts, oldest first.
   * @throws Problem as a provider's reader does; Unavailable
   */
  getAccounts(context: Context): Promise<readonly Account[]>
}

/** The provider's list: our shape, without the members that are computed here. */
const listed = z
  .array(
    z.strictObject({
      ...account.omit({ id: true }).shape,
      reference: providerReference,
      opened_at: z.iso.datetime({ offset: true }).nullable(),
    }),
  )
  .max(1_000)
  .refine((accounts) => new Set(accounts.map((each) => each.reference)).size === accounts.length)

export function createAccountReads(options: {
  reader: ProviderReader
  provider: Provider
  ids: ReferenceIds
}): AccountReads {
  const { reader, provider, ids } = options
  const accounts = reader.cached({
    name: 'accounts',
    ttlMs: 5_000,
    maxEntries: 10_000,
    send: async (call) => checkedAnswer(listed, await provider.accounts(call)),
  })
  return {
    getAccounts: async (context) => {
      const all = await accounts.get(context)
      const references = all.map((each) => each.reference)
      const idOf = await ids.getIds(context.principal.owner_id, references)
      return all.map((each) => toAccount(idOf(each.reference), each)).toSorted(byPlace)
    },
  }
}

function toAccount(id: string, given: z.output<typeof listed>[number]): Account {
  const { type, currency, status, balance } = given
  return {
    id,
    name: sanitised(given.name),
    type,
    currency,
    status,
    balance,
    masked_number: maskedNumber(given.masked_number),
    opened_at: given.opened_at === null ? null : new Date(given.opened_at).toISOString(),
  }
}

/** The position of an account in the list. Accounts without an opening time come last. */
export function placeOf({ opened_at, id }: Pick<Account, 'opened_at' | 'id'>): string {
  return `${opened_at ?? '~'} ${id}`
}

function byPlace(a: Account, b: Account): number {
  return placeOf(a) < placeOf(b) ? -1 : 1
}
