/**
 * Several statements in one packet: sent together, and answered together. PostgreSQL runs a packet without BEGIN as one
 * transaction, and commits it at the end of the packet. Each statement has its own snapshot.
 *
 * Invariant: after a statement that fails, PostgreSQL skips the rest of the packet. So a packet without BEGIN commits
 * all or nothing, and no statement runs outside of its transaction because its BEGIN failed.
 */

import pg from 'pg'

export type Call = readonly [statement: { readonly name: string; readonly text: string }, values?: readonly unknown[]]

/** The driver's connection, as far as a packet uses it. */
type Connection = {
  stream: { cork(): void; uncork(): void; destroy(error: Error): void }
  submittedNamedStatements: Record<string, string>
  sync(): void
}

/** The driver's own messages for one statement, without their end. */
type Part = pg.Query & {
  name: string
  text: string
  submit(connection: Connection): Error | null
  handleRowDescription(message: unknown): void
  handleDataRow(message: unknown): void
  handleCommandComplete(message: unknown, connection: Connection): void
  handleReadyForQuery(connection: Connection): void
}

/** Runs the calls on one connection. Returns the result of each. */
export function runPacket(client: pg.ClientBase, calls: readonly Call[]): Promise<pg.QueryResult[]> {
  return new Promise((resolve, reject) => {
    const query = client.query.bind(client) as unknown as (packet: Packet, answer: Answer) => void
    query(new Packet(calls), (error, results) => (error ? reject(error) : resolve(results)))
  })
}

type Answer = (error: Error | null, results: pg.QueryResult[]) => void

/**
 * The client calls the methods in the order of the messages from the server. `#at` is therefore the statement to which
 * the current message belongs.
 */
class Packet {
  readonly #parts: Part[]
  readonly #results: pg.QueryResult[] = []
  /** Set by the client. */
  callback: Answer | undefined
  #at = 0
  #sent = false
  #failed: Error | undefined

  constructor(calls: readonly Call[]) {
    this.#parts = calls.map(([{ name, text }, values = []]) => {
      const config = { name, text, values: values as unknown[], queryMode: 'extended' }
      const part = new pg.Query(config as pg.QueryConfig) as Part
      Object.assign(part, {
        callback: (error: Error | null, result: pg.QueryResult) => {
          if (error) this.#failed ??= error
          else this.#results.push(result)
        },
      })
      return part
    })
  }

  /**
   * The client notes prepared statements by the name and the text of the current query. A span reads both before the
   * packet is sent. It then gets those of the last statement, because the first may be BEGIN.
   */
  get name(): string | undefined {
    return this.#current?.name
  }

  get text(): string | undefined {
    return this.#current?.text
  }

  get #current(): Part | undefined {
    return this.#sent ? this.#parts[this.#at] : this.#parts.at(-1)
  }

  submit(connection: Connection): Error | null {
    const unended = Object.create(connection, { sync: { value: () => {} } }) as Connection
    this.#sent = true
    connection.stream.cork()
    try {
      for (const part of this.#parts) {
        const error = part.submit(unended)
        if (error) this.#failed ??= error
      }
      // The server must not commit a packet of which a statement is missing.
      if (this.#failed) connection.stream.destroy(this.#failed)
      else connection.sync()
    } finally {
      connection.stream.uncork()
    }
    return null
  }

  handleRowDescription(message: unknown): void {
    this.#parts[this.#at]?.handleRowDescription(message)
  }

  handleDataRow(message: unknown): void {
    this.#parts[this.#at]?.handleDataRow(message)
  }

  handleCommandComplete(message: unknown, connection: Connection): void {
    this.#parts[this.#at]?.handleCommandComplete(message, connection)
    this.#at += 1
  }

  handleError(error: Error, connection: Connection): void {
    // The server skipped the statements after this one, so it has not prepared them.
    for (const { name } of this.#parts.slice(this.#at + 1)) delete connection.submittedNamedStatements[name]
    this.callback?.(this.#failed ?? error, [])
  }

  handleReadyForQuery(connection: Connection): void {
    for (const part of this.#parts) part.handleReadyForQuery(connection)
    this.callback?.(this.#failed ?? null, this.#results)
  }
}
