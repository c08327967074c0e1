/** Searches the logs of the stack for noted secrets. */

import { closeSync, fstatSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs'
import { join } from 'node:path'

/** The position up to which each log was searched. */
export type SearchedTo = Map<string, number>

/**
 * Returns the noted values found in the stack's logs after the positions in `searched`: shortened, with the name of the
 * log.
 */
export function findLeaks(folder: string, secretsFile: string, searched: SearchedTo = new Map()): string[] {
  const secrets = new Set(readFileSync(secretsFile, 'utf8').split('\n'))
  secrets.delete('')
  return readdirSync(folder).flatMap((file) => {
    const text = readOn(join(folder, file), searched).replaceAll(/%[0-9a-f]{2}/gi, ' ')
    const words = new Set(text.match(/[\w-]{8,}/g) ?? [])
    return [...words].filter((word) => secrets.has(word)).map((word) => `${file}: ${word.slice(0, 4)}…`)
  })
}

/** Reads whole lines from the end of the last reading. */
function readOn(path: string, searched: SearchedTo): string {
  const from = searched.get(path) ?? 0
  const file = openSync(path, 'r')
  try {
    const bytes = Buffer.alloc(fstatSync(file).size - from)
    readSync(file, bytes, 0, bytes.length, from)
    const end = bytes.lastIndexOf('\n') + 1
    searched.set(path, from + end)
    return bytes.toString('utf8', 0, end)
  } finally {
    closeSync(file)
  }
}
