/**
 * The clients' observations. Every unexpected answer is a failure. The two answers that a replacement may cause are
 * counted.
 */

export type Record = {
  answered: number
  /** Retryable answers, by request name and code. Each request was repeated until it succeeded. */
  unavailable: Map<string, number>
  /** Nonce challenges of resource servers, by client. */
  challenges: Map<string, number>
  failures: string[]
  /** The sent idempotency keys. `operations` holds the operation of each key. */
  keys: Set<string>
  operations: Map<string, string>
  noteOperation(key: string, operationId: string): void
}

export function createRecord(): Record {
  const operations = new Map<string, string>()
  const record: Record = {
    answered: 0,
    unavailable: new Map(),
    challenges: new Map(),
    failures: [],
    keys: new Set(),
    operations,
    noteOperation: (key, id) => {
      const before = operations.get(key)
      if (before !== undefined && before !== id) record.failures.push(`one key was accepted as ${before} and as ${id}`)
      operations.set(key, id)
    },
  }
  return record
}

export function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}
