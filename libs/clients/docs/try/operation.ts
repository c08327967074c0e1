/** An operation of the API as the page offers it. `src/pages-of/try-operations.ts` makes the list from the contract. */

/** A parameter in the path or in the query. */
export type TryParameter = {
  name: string
  in: 'path' | 'query'
  required: boolean
  description: string
  /** The possible values; empty if they are not listed. */
  values: readonly string[]
}

/** An operation that the page offers. */
export type TryOperation = {
  name: string
  area: string
  method: string
  /** The template of the path, for example `/v1/operations/{id}`. */
  path: string
  summary: string
  /** The address of the operation's page. */
  page: string
  /** False if it needs no credentials. */
  isProtected: boolean
  isKeyed: boolean
  /** True if it takes the owner's confirmation. */
  isConfirmed: boolean
  parameters: readonly TryParameter[]
  /** The contract's example as text; undefined if it takes no body. */
  body: string | undefined
}

/** The data that the build puts into the page. */
export type TryData = {
  clientId: string
  /** The path of the page, at which a sign-in ends. */
  path: string
  scopes: readonly string[]
  operations: readonly TryOperation[]
}

/** Returns the path with its query. Empty parameters of the query are left out. */
export function targetOf({ path, parameters }: TryOperation, given: ReadonlyMap<string, string>): string {
  const concrete = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(given.get(name) ?? ''))
  const query = new URLSearchParams()
  for (const { name, in: place } of parameters) {
    const value = given.get(name)
    if (place === 'query' && value) query.set(name, value)
  }
  return query.size === 0 ? concrete : `${concrete}?${query.toString()}`
}
