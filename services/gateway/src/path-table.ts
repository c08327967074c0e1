/**
 * The methods of each path of the table, for requests that matched no row. A literal path takes precedence over a
 * template.
 */

export type PathTable = {
  /** Empty if the path is not in the table. */
  methodsOf(path: string): readonly string[]
}

export function createPathTable(rows: readonly { method: string; path: string }[]): PathTable {
  const templates = new Map<string, string[]>()
  for (const { method, path } of rows) templates.set(path, [...(templates.get(path) ?? []), ...withHead(method)])
  const patterns = [...templates].map(([path, methods]) => ({ pattern: toPattern(path), methods }))
  return {
    methodsOf: (path) => templates.get(path) ?? patterns.find(({ pattern }) => pattern.test(path))?.methods ?? [],
  }
}

/** RFC 9110 §9.3.2: HEAD is answered wherever GET is. */
export function withHead(method: string): string[] {
  return method === 'GET' ? ['GET', 'HEAD'] : [method]
}

function toPattern(template: string): RegExp {
  const source = template.split(/\{\w+\}/).map((literal) => literal.replaceAll(/[.*+?^$()[\]\\|]/g, '\\$&'))
  return new RegExp(`^${source.join('[^/]+')}$`)
}
