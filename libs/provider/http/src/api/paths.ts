/** The addresses of the calls. */

import { allProviderCalls, basePath, type ProviderCall, type ProviderCallName, providerCalls } from './calls.ts'

/** The path of a call with its parameter: `/provider/v1/cards/crd_1/freeze`. @param reference '' if the path names nothing */
export function providerPath(name: ProviderCallName, reference = ''): string {
  return basePath + providerCalls[name].path.replace('{reference}', encodeURIComponent(reference))
}

/** The path with its parameter as servers write it: `/provider/v1/cards/:reference/freeze`. */
export function pathPattern(name: ProviderCallName): string {
  return basePath + providerCalls[name].path.replace('{reference}', ':reference')
}

const patterns = allProviderCalls.map(
  ([name, row]) => [name, row, new RegExp(`^${basePath}${row.path.replace('{reference}', '[^/]+')}$`)] as const,
)

/**
 * Finds the call to which a request belongs; undefined if there is none.
 * @param path without its query
 */
export function findCall(method: string, path: string): readonly [ProviderCallName, ProviderCall] | undefined {
  const found = patterns.find(([, row, pattern]) => row.method === method && pattern.test(path))
  return found && [found[0], found[1]]
}
