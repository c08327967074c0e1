/** The path of a request in the one spelling by which equal requests are equal, however the client escaped it. */

export function concretePath(template: string, params: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}/g, (_match, name: string) => encodeURIComponent(params[name] ?? ''))
}
