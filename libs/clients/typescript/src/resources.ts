/** The methods of the resources, made from the generated table. */

import { call, pathOf } from './call.ts'
import type { CallOptions, TrackedOperation, WriteOptions } from './call-options.ts'
import { confirmedCall } from './confirmation.ts'
import type { Core } from './core.ts'
import type { Resources } from './generated/methods.ts'
import { table } from './generated/table.ts'
import type { Operation } from './generated/types.ts'
import type { WaitOptions } from './outcome.ts'
import { promisedOf } from './own-answer.ts'
import { type Page, pagesOf } from './pages.ts'
import type { Poller } from './poller.ts'
import { type Row, rowOf } from './row.ts'
import { type ApiRequest, operationRead } from './transport.ts'
import { write } from './write.ts'

/** Adds to an operation of the API the functions that follow it. */
export type Track = (operation: Operation) => TrackedOperation

export function createResources(core: Core, track: Track): Resources {
  const made = Object.entries(table).map(([resource, rows]) => {
    const methods = Object.entries(rows).map(([name, row]: [string, string]) => [
      name,
      methodOf(core, rowOf(row), track),
    ])
    return [resource, Object.fromEntries(methods)] as const
  })
  return Object.fromEntries(made) as unknown as Resources
}

/** Adds the functions that follow an operation. They are not enumerable: the operation prints as the API sent it. */
export function tracker(core: Core, poller: Poller): Track {
  const track: Track = (operation) =>
    Object.defineProperties({ ...operation } as TrackedOperation, {
      wait: { value: (options?: WaitOptions) => poller.wait(operation, options) },
      refresh: {
        value: async (options?: CallOptions) =>
          track((await call(core, operationRead(operation.id), options)) as Operation),
      },
    })
  return track
}

/** A method takes the parameters of its path, then its body or query, then options. */
function methodOf(core: Core, row: Row, track: Track): (...given: unknown[]) => unknown {
  const { method, path, open = false, body, query } = row
  const count = path.split('{').length - 1
  return (...given) => {
    const params = given.slice(0, count) as string[]
    const input = (body ?? query) ? (given[count] as object | undefined) : undefined
    const options = given[(body ?? query) ? count + 1 : count] as CallOptions | undefined
    if (row.keyed)
      return write(core, row, { path: pathOf(path, params), body: input }, (options ?? {}) as WriteOptions).then(track)
    const request = (more?: object): ApiRequest => ({
      method,
      path: pathOf(path, params, query && { ...input, ...more }),
      open,
      body: body && JSON.stringify(input),
      promised: promisedOf(row, params[0]),
    })
    // The first page begins at the cursor of the application, if it gave one.
    if (row.list)
      return pagesOf(
        (cursor) => call(core, request(cursor === undefined ? {} : { cursor }), options) as Promise<Page<unknown>>,
      )
    const answer = row.confirm
      ? confirmedCall(core, row.confirm, request(), options)
      : call(core, request(), options, row.once)
    return row.operation ? answer.then((operation) => track(operation as Operation)) : answer
  }
}
