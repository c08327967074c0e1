/**
 * Loads the real sources with the edits of a mutation. If the text of an edit does not occur exactly once, the process
 * ends, so a switch cannot become stale unnoticed.
 */

import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Mutation } from './mutations.ts'

const root = join(import.meta.dirname, '../..')

/** Installs the edits; returns a check that every edit was made. */
export function installHooks(mutation: Mutation): () => void {
  const waiting = new Set(mutation.edits)
  registerHooks({
    load: (url, context, next) => {
      const loaded = next(url, context)
      if (!url.startsWith('file:')) return loaded
      const path = fileURLToPath(url)
      const edits = mutation.edits.filter(({ file }) => join(root, file) === path)
      if (edits.length === 0) return loaded
      let source = Buffer.from(loaded.source as Uint8Array).toString()
      for (const edit of edits) {
        if (source.split(edit.find).length !== 2)
          throw new Error(`the mutation "${mutation.name}" has to find its text exactly once in ${edit.file}`)
        source = source.replace(edit.find, () => edit.replace)
        waiting.delete(edit)
      }
      return { ...loaded, source }
    },
  })
  return () => {
    for (const { file } of waiting)
      throw new Error(`the mutation "${mutation.name}" edits ${file}, which was not loaded`)
  }
}
