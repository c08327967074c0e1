/** The output of a command: tables and sentences for people, JSON for programs. Results go to stdout, everything else to stderr. */

import { jsonOf } from './json.ts'
import { type Paint, paintFor } from './paint.ts'
import { plainLines } from './plain.ts'
import { type Column, factLines, tableLines } from './table.ts'

export type Format = 'text' | 'json' | 'jsonl'

/** A stream as the process has it. */
export type Stream = {
  write(text: string, written?: (error?: Error | null) => void): unknown
  on(event: 'error', listener: () => void): unknown
  isTTY?: boolean
  columns?: number
}

type Facts = readonly (readonly [label: string, value: string | number | null | undefined])[]

export type Output = {
  readonly format: Format
  readonly paint: Paint
  /** A list. `limit` items at most are read; the next page is read only if it is needed. */
  list<Item>(
    items: AsyncIterable<Item>,
    columns: readonly Column<Item>[],
    options: { limit: number; empty: string },
  ): Promise<void>
  /** One thing: `value` for programs, `facts` for people. */
  one(value: unknown, facts: Facts): void
  /** One line: text as it is, or a value as JSON. */
  line(content: string | object): void
  /** A sentence for people, on stderr; nothing for programs. */
  note(text: string): void
  /** A line for people in every output format, such as an address for the owner. */
  tell(text: string): void
  /** The code of the error by which results were lost: `EPIPE` if their reader has gone. Undefined if all were printed. */
  lost(): Promise<string | undefined>
}

export function createOutput(
  format: Format,
  streams: { stdout: Stream; stderr: Stream; env: Readonly<Record<string, string | undefined>> },
): Output {
  const { stdout, stderr, env } = streams
  const paint = paintFor(stdout, env)
  let lost: string | undefined
  let last = Promise.resolve()
  const print = (line: string) => {
    last = new Promise((resolve) => {
      stdout.write(`${line}\n`, (error) => {
        if (error) lost ??= (error as NodeJS.ErrnoException).code ?? error.name
        resolve()
      })
    })
  }
  const tell = (text: string) => void stderr.write(`${plainLines(text)}\n`)
  return {
    format,
    paint,
    tell,
    lost: async () => {
      await last
      return lost
    },
    line: (content) => print(typeof content === 'string' ? content : jsonOf(content)),
    note: (text) => {
      if (format === 'text') tell(text)
    },
    one: (value, facts) => {
      if (format === 'text') factLines(facts).forEach(print)
      else print(jsonOf(value, format === 'json' ? 2 : undefined))
    },
    list: async (items, columns, { limit, empty }) => {
      const read = taken(items, limit)
      if (format === 'jsonl') {
        for await (const item of read) {
          print(jsonOf(item))
          if (lost !== undefined) return
        }
        return
      }
      const all = []
      for await (const item of read) all.push(item)
      if (format === 'json') print(jsonOf(all, 2))
      else if (all.length === 0) tell(empty)
      else {
        const [titles = '', ...rows] = tableLines(columns, all, stdout.isTTY ? 44 : undefined)
        print(paint.bold(titles))
        rows.forEach(print)
        if (all.length === limit) tell(`The first ${limit}. For more: --limit ${limit * 10}, or --limit all.`)
      }
    },
  }
}

async function* taken<Item>(items: AsyncIterable<Item>, limit: number): AsyncIterable<Item> {
  let count = 0
  for await (const item of items) {
    yield item
    count += 1
    if (count >= limit) return
  }
}
