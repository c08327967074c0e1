/**
 * The owner's accounts as the provider lists them now, under our identifiers and in one order.
 *
 * Invariant: the accounts contain nothing of the provider's own: no reference, and only the end of the number.
 */

import type { Principal } from '@financial-agents/contract/principal'
import type { Account } from '@financial-agents/contract/schemas/account'
import type { ReferenceIds } from '@financial-agents/postgres/reference-ids'
import { createPortRead } from '@financial-agents/provider-client/port-read'
import type { ProviderReader, ReadContext } from '@financial-agents/provider-client/reader'
import { sanitised } from '@financial-agents/provider-client/sanitised'
import type { ProviderAccount } from '@financial-agents/provider-port/account-reads'
import type { Provider } from '@financial-agents/provider-port/port'
import { maskedNumber } from './masked-number.ts'

type Context = ReadContext & { principal: Pick<Principal, 'owner_id'> }

export type AccountReads = {
  /**
   * Returns all accounts, oldest first.
   * @throws Problem as a provider's reader does; Unavailable
   */
  getAccounts(context: Context): Promise<readonly Account[]>
}

export function createAccountReads({
  ids,
  ...given
}: {
  reader: ProviderReader
  provider: Provider
  ids: ReferenceIds
}): AccountReads {
  const accounts = createPortRead(given, 'accounts')
  return {
    getAccounts: async (context) => {
      const all = await accounts.get(context)
      const references = all.map((each) => each.reference)
      const idOf = await ids.getIds(context.principal.owner_id, references)
      return all.map((each) => toAccount(idOf(each.reference), each)).toSorted(byPlace)
    },
  }
}

function toAccount(id: string, given: ProviderAccount): Account {
  const { type, currency, status, balance } = given
  return {
    id,
    name: sanitised(given.name),
    type,
    currency,
    status,
    balance,
    masked_number: maskedNumber(given.masked_number),
    opened_at: given.opened_at,
  }
}

/** The position of an account in the list. Accounts without an opening time come last. */
export function placeOf({ opened_at, id }: Pick<Account, 'opened_at' | 'id'>): string {
  return `${opened_at ?? '~'} ${id}`
}

function byPlace(a: Account, b: Account): number {
  return placeOf(a) < placeOf(b) ? -1 : 1
}
