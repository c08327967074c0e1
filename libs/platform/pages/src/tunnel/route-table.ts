/** The paths that the application answers, with their methods. They are collected from its routes as they are added. */

import type { HTTPMethods } from 'fastify'

export type RouteTable = {
  /** A segment `:name` matches any one segment that is not empty. */
  add: (url: string, methods: readonly HTTPMethods[]) => void
  /** The methods of the route for a path without its query; undefined if no route matches. */
  methodsOf: (path: string) => readonly string[] | undefined
}

/** Returns the path of a request's URL, without its query. */
export function pathOf(url: string): string {
  return url.replace(/\?.*$/s, '')
}

/**
 * Options of a GET route that uses something up or sets something going, such as a link that works once. HEAD is
 * answered wherever GET is, except there: the preview of a link must not take the link away from its person.
 */
export const getAlone = { exposeHeadRoute: false } as const

/** Creates an empty table. The application's `onRoute` hook fills it. */
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
