/** The line at the top of pages in an environment without real money. */

import { englishReader, type Reader } from './reader.ts'

export type Environment = 'local' | 'test' | 'production'

/** Returns the line for `environmentNote` of a page; undefined in production. */
export function environmentNote(environment: Environment, reader: Reader = englishReader): string | undefined {
  return environment === 'production' ? undefined : reader.say('frame')(environment)
}
