/** What owners and their clients were shown of the ceilings of a seed. */

/** The ceiling of a day that each client of an owner was shown, in EUR; null: none. It is the same for a whole seed. */
export type ShownCeilings = ReadonlyMap<string, string | null>

export const payerName = ({ owner_id, client_id }: { owner_id?: unknown; client_id?: unknown }): string =>
  `${String(owner_id)} ${String(client_id)}`
