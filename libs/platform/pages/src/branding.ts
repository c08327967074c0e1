/**
 * The look of an installation: its name, its logo, its accent, and where its owners find help, privacy and terms. `unbranded` is the look
 * where the operator configured nothing.
 *
 * Invariant: a branding is made once, at the start. Its stylesheet is a constant from then on, because the content security policy allows
 * it by its hash.
 */

import { createHash } from 'node:crypto'
import { type Accent, accentOf, type Colour } from './colours.ts'
import { baseStylesheet } from './stylesheet.ts'

/** The path at which the gateway serves the logo. */
export const logoPath = '/branding/logo'

export type Branding = {
  /** The name that stands at the top of every page and in the title of its window. */
  name: string
  /** The address of the logo at this origin. Without one the product's mark stands beside the name. */
  logo: string | undefined
  /** The address at which owners ask for help: `mailto:` or https. */
  support: string | undefined
  privacy: string | undefined
  terms: string | undefined
  stylesheet: string
  /** The base64 SHA-256 of the stylesheet, for the policy. */
  styleHash: string
}

/** The choices of an operator. */
export type Look = {
  name?: string | undefined
  hasLogo?: boolean
  accents?: { light: Colour; dark: Colour } | undefined
  support?: string | undefined
  privacy?: string | undefined
  terms?: string | undefined
}

const productName = 'Financial Agents'

export function createBranding({ name, hasLogo, accents, support, privacy, terms }: Look): Branding {
  const stylesheet = accents ? `${baseStylesheet}${accentStyles(accents)}` : baseStylesheet
  return {
    name: name ?? productName,
    logo: hasLogo ? logoPath : undefined,
    support,
    privacy,
    terms,
    stylesheet,
    styleHash: createHash('sha256').update(stylesheet).digest('base64'),
  }
}

/** The branding if nothing is configured. */
export const unbranded: Branding = createBranding({})

function accentStyles({ light, dark }: { light: Colour; dark: Colour }): string {
  return `:root{${variables(accentOf('light', light))}}
@media (prefers-color-scheme:dark){:root{${variables(accentOf('dark', dark))}}}
`
}

function variables({ accent, strong, on, wash }: Accent): string {
  return `--accent:${accent};--accent-strong:${strong};--on-accent:${on};--accent-wash:${wash}`
}
