/** A row of the generated table: one method of the API. */

/** The request of a method, and the rule by which it may be repeated. Absent members are false. */
export type Row = {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** The path with its parameters in braces. With the method, it is part of an idempotency key's identity. */
  readonly path: string
  /** Takes a body after the parameters of its path. */
  readonly body?: true
  /** Takes a query after the parameters of its path. */
  readonly query?: true
  /** Needs no credentials. */
  readonly open?: true
  /** Takes `Idempotency-Key`: a durable write. The kind of its operation, or true if the kind is not known. */
  readonly keyed?: string | true
  /** The action for which it takes `Confirmation-Intent-ID`. */
  readonly confirm?: string
  /** The confirmation is always needed, not only where the grant's policy says so. */
  readonly always?: true
  /** The response is a list with `items`. */
  readonly list?: true
  /** The response is an operation. */
  readonly operation?: true
  /** The status of success, where it is not the usual one of the method. */
  readonly status?: string
  /** A member of the response of a POST that has no id. */
  readonly has?: string
  /** The request must not be repeated blindly if no answer came. */
  readonly once?: true
}

/** Reads a row of the table: method, path, then marks such as `list` or `keyed:transfer`. */
export function rowOf(text: string): Row {
  const [method, path, ...marks] = text.split(' ')
  const members = marks.map((mark): [string, string | true] => {
    const [name = '', value = true] = mark.split(':')
    return [name, value]
  })
  return { method, path, ...Object.fromEntries(members) } as unknown as Row
}
