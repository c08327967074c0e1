/** The recording of a seed, as lines of JSON that preserve times and bytes. */

export type Line =
  | { type: 'seed'; seed: number }
  | { type: 'tables'; service: string; tables: Record<string, Record<string, unknown>[]> }
  | {
      type: 'statement'
      service: string
      alone: boolean
      name: string
      text: string
      values: unknown[]
      rows: Record<string, unknown>[]
      crossed?: true
    }
  | { type: 'failed'; service: string; alone: boolean; name: string; text: string; values: unknown[]; code: string }
  | { type: 'commit' | 'rollback' | 'savepoint' | 'rollback to savepoint'; service: string; crossed?: true }

export function encode(value: unknown): unknown {
  if (value instanceof Date) return { $time: value.getTime() }
  if (Buffer.isBuffer(value)) return { $bytes: value.toString('base64') }
  if (value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY) return { $infinity: Math.sign(value) }
  if (Array.isArray(value)) return value.map(encode)
  if (value === undefined) return null
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, encode(member)]))
}

export function decode(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(decode)
  if (typeof value !== 'object' || value === null) return value
  if ('$time' in value) return new Date(value.$time as number)
  if ('$bytes' in value) return Buffer.from(value.$bytes as string, 'base64')
  if ('$infinity' in value) return Number(value.$infinity) * Number.POSITIVE_INFINITY
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, decode(member)]))
}
