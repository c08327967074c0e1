/** Which paths the application answers, and by which methods: gathered from its routes as they are added. */

import type { HTTPMethods } from 'fastify'

/** Paths and their methods. */
export type RouteTable = {
  /** Takes a route; `:name` stands for any one segment. */
  add: (url: string, methods: readonly HTTPMethods[]) => void
  /** The methods of the route at a path without its query; undefined where there is none. */
  methodsOf: (path: string) => readonly string[] | undefined
}

/** The path of a request's address, without its query. */
export function pathOf(url: string): string {
  return url.replace(/\?.*$/s, '')
}

/** An empty table, filled by an application's hook `onRoute`. */
export function createRouteTable(): RouteTable {
  const fixed = new Map<string, string[]>()
  const patterns: { segments: string[]; methods: string[] }[] = []

  const matching = (path: string) => {
    const given = path.split('/')
    return patterns.find(
      ({ segments }) =>
        segments.length === given.length &&
        segments.every((segment, index) => (segment.startsWith(':') ? given[index] !== '' : segment === given[index])),
    )
  }
  return {
    add: (url, methods) => {
      const same = patterns.find(({ segments }) => segments.join('/') === url)
      const known = same?.methods ?? fixed.get(url) ?? []
      known.push(...methods.filter((method) => !known.includes(method)))
      if (same) return
      if (url.includes('/:')) patterns.push({ segments: url.split('/'), methods: known })
      else fixed.set(url, known)
    },
    methodsOf: (path) => fixed.get(path) ?? matching(path)?.methods,
  }
}
