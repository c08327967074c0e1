/** True if a client prefers HTML to JSON (RFC 9110 §12.5.1): browsers name text/html, API clients do not. */

const json = new Set(['application/json', 'application/problem+json'])

export function prefersHtml(accept: string | undefined): boolean {
  if (accept === undefined) return false
  let html = 0
  let best = 0
  for (const range of accept.split(',')) {
    const [name = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    const weight = parameters.find((parameter) => parameter.startsWith('q='))
    const quality = weight === undefined ? 1 : Number(weight.slice(2)) || 0
    if (name === 'text/html') html = Math.max(html, quality)
    if (json.has(name)) best = Math.max(best, quality)
  }
  return html > best
}
