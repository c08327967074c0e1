/**
 * Finds values that the API never accepts: NUL (PostgreSQL rejects it), lone surrogates (not Unicode), numbers that
 * JSON cannot represent, members that reach an object's prototype, and nesting beyond the limit.
 */

import type { Field } from '@financial-agents/contract/problem'
import { printable } from './query.ts'

const maxDepth = 32

/** The first such value, with its dot-delimited path; `root` is the path of the value itself. */
export function findUnsafe(value: unknown, root: string): Field | undefined {
  return inspect(value, [], root)
}

function inspect(value: unknown, at: readonly string[], root: string): Field | undefined {
  switch (typeof value) {
    case 'string':
      return inspectText(value, at, root)
    case 'number':
      return Number.isFinite(value) ? undefined : field(at, root, 'The number is too large.')
    case 'object':
      return value === null ? undefined : inspectMembers(value, at, root)
    default:
      return undefined
  }
}

function inspectMembers(value: object, at: readonly string[], root: string): Field | undefined {
  if (at.length >= maxDepth) return field(at, root, `Nest at most ${maxDepth} levels.`)
  for (const [name, member] of Object.entries(value)) {
    const path = [...at, name]
    const unsafe =
      (Array.isArray(value) ? undefined : inspectName(name, member, path, root)) ?? inspect(member, path, root)
    if (unsafe) return unsafe
  }
  return undefined
}

function inspectName(name: string, member: unknown, path: readonly string[], root: string): Field | undefined {
  const reachesPrototype =
    name === '__proto__' ||
    (name === 'constructor' && typeof member === 'object' && member !== null && Object.hasOwn(member, 'prototype'))
  if (reachesPrototype) return field(path, root, 'This member is not allowed.')
  return inspectText(name, path, root)
}

function inspectText(text: string, at: readonly string[], root: string): Field | undefined {
  if (text.includes('\0')) return field(at, root, 'Text holds no NUL character.')
  return text.isWellFormed() ? undefined : field(at, root, 'Text holds no lone surrogate.')
}

function field(at: readonly string[], root: string, message: string): Field {
  return { path: printable(at.map(printable).join('.')) || root, message }
}
