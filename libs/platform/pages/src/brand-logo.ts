/** Reads the installation's logo once, at the start. A file that cannot be served ends the start with one line. */

import { readFile } from 'node:fs/promises'
import { ConfigError } from '@financial-agents/runtime/config'
import { type PictureType, validatePicture } from './picture.ts'

export type BrandLogo = { type: PictureType; bytes: Buffer }

/** @throws ConfigError that names the variable and what is wrong with the file */
export async function readBrandLogo(file: string | undefined): Promise<BrandLogo | undefined> {
  if (file === undefined) return undefined
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    throw new ConfigError(`configuration: BRAND_LOGO_FILE (cannot be read: ${error.code ?? 'unknown error'})`)
  })
  const validated = validatePicture(bytes)
  if (validated.fault !== undefined)
    throw new ConfigError(`configuration: BRAND_LOGO_FILE (the file ${validated.fault})`)
  return { type: validated.type, bytes }
}
