/**
 * The variables of the pages that owners see: their languages, and the look of the installation. authz and the gateway take the same
 * ones, because their pages are one site.
 */

import { z } from 'zod'
import { type Branding, createBranding } from './branding.ts'
import { accentFault } from './colours.ts'
import { defaultLanguages, languages } from './language.ts'

/** A list of languages, each once. */
const pageLanguages = z
  .string()
  .transform((list) => list.split(',').map((one) => one.trim()))
  .pipe(
    z
      .array(z.enum(languages, { error: `must be languages of ${languages.join(', ')}, separated by commas` }))
      .min(1)
      .refine((list) => new Set(list).size === list.length, { error: 'must not name a language twice' }),
  )

// Characters that change the text direction are refused too: the name stands in sentences of ours.
const name = z.string().regex(/^(?=.*\S)[^\p{C}\p{Zl}\p{Zp}]{1,40}$/u, {
  error: 'must be 1 to 40 visible characters',
})

const accents = z
  .string()
  .regex(/^#[0-9a-f]{6},#[0-9a-f]{6}$/i, {
    error: 'must be two colours such as #0a5c48,#7bd3b6: for light pages and for dark ones',
    abort: true,
  })
  .transform((pair) => {
    const [light = '', dark = ''] = pair.toLowerCase().split(',')
    return { light, dark }
  })
  .superRefine(({ light, dark }, context) => {
    const faults = [accentFault('light', light), accentFault('dark', dark)].filter((fault) => fault !== undefined)
    if (faults.length > 0) context.addIssue({ code: 'custom', message: faults.join('; ') })
  })

const httpsUrl = z.string().refine(isHttps, { error: 'must be an https address' })

const support = z.string().refine((value) => isMailAddress(value) || isHttps(value), {
  error: 'must be an https address, or mailto: and one mail address',
})

export const pagesConfig = z.object({
  /**
   * The languages of the owner's pages, separated by commas: names of files of `messages`. The first is for readers who ask for none of
   * them. By default those whose texts were reviewed.
   */
  PAGE_LANGUAGES: pageLanguages.default([...defaultLanguages]),
  /** The name of the installation, as its owners know it. `Financial Agents` if it is not set. */
  BRAND_NAME: name.optional(),
  /** A file with the installation's logo: a PNG or an SVG of at most 64 KiB, the symbol without the name. */
  BRAND_LOGO_FILE: z.string().optional(),
  /**
   * The accent of light pages and of dark ones, such as `#0a5c48,#7bd3b6`. Each has a contrast of at least 4.5:1 wherever it is the
   * colour of a text or has a text on it.
   */
  BRAND_ACCENTS: accents.optional(),
  /** The address at which owners ask for help: an https address, or `mailto:` and a mail address. */
  BRAND_SUPPORT: support.optional(),
  /** The installation's privacy notice, at an https address. */
  BRAND_PRIVACY_URL: httpsUrl.optional(),
  /** The installation's terms, at an https address. */
  BRAND_TERMS_URL: httpsUrl.optional(),
})

export type PagesConfig = z.output<typeof pagesConfig>

/** Returns the look that the configuration describes. The logo is read apart (`brand-logo.ts`). */
export function brandingOf(config: Omit<PagesConfig, 'PAGE_LANGUAGES'>): Branding {
  return createBranding({
    name: config.BRAND_NAME,
    hasLogo: config.BRAND_LOGO_FILE !== undefined,
    accents: config.BRAND_ACCENTS,
    support: config.BRAND_SUPPORT,
    privacy: config.BRAND_PRIVACY_URL,
    terms: config.BRAND_TERMS_URL,
  })
}

function isHttps(value: string): boolean {
  const url = URL.parse(value)
  return url?.protocol === 'https:' && url.username === '' && url.password === '' && !/\s/.test(value)
}

function isMailAddress(value: string): boolean {
  return /^mailto:[^\s@?&%]+@[^\s@?&%]+\.[^\s@?&%]+$/.test(value)
}
