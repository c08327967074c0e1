/** Durable writes by path, for programs that know the API's paths, and for routes that are younger than this client. */

import type { WriteOptions } from './call-options.ts'
import type { Core } from './core.ts'
import { table } from './generated/table.ts'
import type { Operation } from './generated/types.ts'
import { rowOf } from './row.ts'
import { write } from './write.ts'

/** Writes to a path. A path of the table is the same write as by its method. */
export function writeTo(core: Core, path: string, body: object | undefined, options: WriteOptions): Promise<Operation> {
  const rows = Object.values(table).flatMap((resource) => Object.values<string>(resource).map(rowOf))
  const known = rows.find((row) => row.keyed && new RegExp(`^${row.path.replace(/\{\w+\}/g, '[^/]+')}$`).test(path))
  return write(core, known ?? { method: 'POST', path, keyed: true }, { path, body }, options)
}
