/** Which methods a path of the table takes, for the requests that no row took. A literal path wins over a template. */

export type PathTable = {
  /** Empty where the path is not in the table. */
  methodsOf(path: string): readonly string[]
}

export function createPathTable(rows: readonly { method: string; path: string }[]): PathTable {
  const templates = new Map<string, string[]>()
  for (const { method, path } of rows) templates.set(path, [...(templates.get(path) ?? []), method])
  const patterns = [...templates].map(([path, methods]) => ({ pattern: toPattern(path), methods }))
  return {
    methodsOf: (path) => templates.get(path) ?? patterns.find(({ pattern }) => pattern.test(path))?.methods ?? [],
  }
}

function toPattern(template: string): RegExp {
  const source = template.split(/\{\w+\}/).map((literal) => literal.replaceAll(/[.*+?^$()[\]\\|]/g, '\\$&'))
  return new RegExp(`^${source.join('[^/]+')}$`)
}
