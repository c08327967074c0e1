/**
 * Durable writes by path, for programs that know the API's paths, and for routes that this version of the client does
 * not know.
 */

import type { WriteOptions } from './call-options.ts'
import type { Core } from './core.ts'
import { table } from './generated/table.ts'
import type { Operation } from './generated/types.ts'
import { rowOf } from './row.ts'
import { write } from './write.ts'

/** Writes to a path. If a method of the client has this path, the result is the same as of that method. */
export function writeTo(core: Core, path: string, body: object | undefined, options: WriteOptions): Promise<Operation> {
  const rows = Object.values(table).flatMap((resource) => Object.values<string>(resource).map(rowOf))
  const known = rows.find((row) => row.keyed && new RegExp(`^${row.path.replace(/\{\w+\}/g, '[^/]+')}$`).test(path))
  return write(core, known ?? { method: 'POST', path, keyed: true }, { path, body }, options)
}
