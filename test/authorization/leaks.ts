/** Looks for what was noted as secret in what the processes of the stack wrote. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The noted values that a log of the stack contains, cut short, with the name of the log. */
export function findLeaks(folder: string, secretsFile: string): string[] {
  const secrets = new Set(readFileSync(secretsFile, 'utf8').split('\n'))
  secrets.delete('')
  return readdirSync(folder).flatMap((file) => {
    const text = readFileSync(join(folder, file), 'utf8').replaceAll(/%[0-9a-f]{2}/gi, ' ')
    const words = new Set(text.match(/[\w-]{8,}/g) ?? [])
    return [...words].filter((word) => secrets.has(word)).map((word) => `${file}: ${word.slice(0, 4)}…`)
  })
}
