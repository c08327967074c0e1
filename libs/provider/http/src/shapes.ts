/** Parses answers of a provider into promised shapes. */

import type { z } from 'zod'

/** Parses JSON and checks its shape; undefined if either fails. */
export function findShape<Shape extends z.ZodType>(shape: Shape, text: string): z.infer<Shape> | undefined {
  const read = readShape(shape, text)
  return read.type === 'ok' ? read.data : undefined
}

/** Does the same as `findShape`, and names the place of a failure: members and list positions, never values. */
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

/** True for the name of a member. Other keys may be values, if the provider answers with a map. */
function isName(part: PropertyKey): boolean {
  return typeof part === 'number' || (typeof part === 'string' && /^[a-z][a-z_0-9]{0,31}$/.test(part))
}
