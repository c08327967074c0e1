/** The limits that owners and their clients were shown in a seed. */

/** The daily limit that each client of an owner was shown, in EUR; null: none. It does not change within a seed. */
export type ShownCeilings = ReadonlyMap<string, string | null>

export const payerName = ({ owner_id, client_id }: { owner_id?: unknown; client_id?: unknown }): string =>
  `${String(owner_id)} ${String(client_id)}`
