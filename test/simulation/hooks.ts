/**
 * Loads the real sources with three of their imports exchanged (broker, database, provider) and, where a mutation is asked
 * for, with its edits. An edit whose text is not found exactly once ends the process: a switch never rots unseen.
 */

import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Mutation } from './mutations.ts'

const root = join(import.meta.dirname, '../..')
const standIn = (file: string) => pathToFileURL(join(import.meta.dirname, 'stand-ins', file)).href

const standIns: Readonly<Record<string, string>> = {
  '@financial-agents/bus/connect': standIn('connect.ts'),
  '@financial-agents/postgres/service-database': standIn('service-database.ts'),
  '@financial-agents/provider-reads/adapter': standIn('adapter.ts'),
}

/** Answers a check that every edit was made. */
export function installHooks(mutation: Mutation | null): () => void {
  const waiting = new Set(mutation?.edits)
  registerHooks({
    resolve: (specifier, context, next) => {
      const url = standIns[specifier]
      return url === undefined ? next(specifier, context) : { url, shortCircuit: true }
    },
    load: (url, context, next) => {
      const loaded = next(url, context)
      if (!url.startsWith('file:')) return loaded
      const path = fileURLToPath(url)
      const edits = mutation?.edits.filter(({ file }) => join(root, file) === path) ?? []
      if (edits.length === 0) return loaded
      let source = Buffer.from(loaded.source as Uint8Array).toString()
      for (const edit of edits) {
        if (source.split(edit.find).length !== 2)
          throw new Error(`the mutation "${mutation?.name}" has to find its text exactly once in ${edit.file}`)
        source = source.replace(edit.find, () => edit.replace)
        waiting.delete(edit)
      }
      return { ...loaded, source }
    },
  })
  return () => {
    for (const { file } of waiting)
      throw new Error(`the mutation "${mutation?.name}" edits ${file}, which was not loaded`)
  }
}
