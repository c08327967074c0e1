/** What clients saw. Whatever is not as expected is a failure; the two things that a replacement may cause are counted. */

export type Record = {
  answered: number
  /** By the name of what was asked and the code of the answer, with `retryable: true`, repeated with success. */
  unavailable: Map<string, number>
  /** Of resource servers, by client. */
  challenges: Map<string, number>
  failures: string[]
  /** Idempotency keys that were sent, and the operations that answered them. */
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
