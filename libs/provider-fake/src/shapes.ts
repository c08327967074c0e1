/** Answers of the fake provider as parsed JSON of a promised shape. */

import type { z } from 'zod'

/** Parses JSON and checks its shape; undefined where either fails. */
export function findShape<Shape extends z.ZodType>(shape: Shape, text: string): z.infer<Shape> | undefined {
  const read = readShape(shape, text)
  return read.type === 'ok' ? read.data : undefined
}

/** The same, and where it fails: names of members and places in lists, never what was there. */
export function readShape<Shape extends z.ZodType>(
  shape: Shape,
  text: string,
): { readonly type: 'ok'; readonly data: z.infer<Shape> } | { readonly type: 'broken'; readonly where: string } {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { type: 'broken', where: 'no JSON' }
  }
  const parsed = shape.safeParse(value)
  if (parsed.success) return { type: 'ok', data: parsed.data }
  const path = (parsed.error.issues[0]?.path ?? []).map((part) => (isName(part) ? String(part) : '?'))
  return { type: 'broken', where: path.length === 0 ? 'as a whole' : path.join('.') }
}

/** A key may be the provider's own where it answers with a map: then it is a value. */
function isName(part: PropertyKey): boolean {
  return typeof part === 'number' || (typeof part === 'string' && /^[a-z][a-z_0-9]{0,31}$/.test(part))
}
