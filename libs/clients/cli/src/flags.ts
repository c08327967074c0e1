/** Flags that several commands share, and the parsers of values. */

import { wrongUse } from './failure.ts'

export type CommonFlags = { readonly profile?: string; readonly json?: boolean; readonly jsonl?: boolean }
export type ListFlags = CommonFlags & { readonly limit: number }
export type WriteFlags = CommonFlags & { readonly intent?: string; readonly timeout: number }
export type MoneyFlags = WriteFlags & { readonly yes?: boolean }

export type PaymentFlags = MoneyFlags & { readonly check?: boolean }

const text = (value: string) => value
const flag = (brief: string) => ({ kind: 'boolean', brief, optional: true, withNegated: false }) as const

export const textFlag = (brief: string, placeholder = 'text') =>
  ({ kind: 'parsed', parse: text, brief, placeholder, optional: true }) as const
/** A flag with a text that has to be given. */
export const neededFlag = (brief: string, placeholder = 'text') =>
  ({ kind: 'parsed', parse: text, brief, placeholder }) as const
/** A positional text. */
export const argument = (brief: string, placeholder: string) => ({ parse: text, brief, placeholder }) as const

export const commonFlags = {
  profile: textFlag('The profile to use', 'name'),
  json: flag('Print JSON'),
  jsonl: flag('Print JSON, one line for each item'),
} as const

export const listFlags = {
  ...commonFlags,
  limit: {
    kind: 'parsed',
    parse: limitOf,
    brief: 'The greatest number of items, or "all"',
    placeholder: 'n',
    default: '50',
  },
} as const

export const waitFlags = {
  timeout: {
    kind: 'parsed',
    parse: secondsOf,
    brief: 'Seconds that the command may take; 0 waits for nobody',
    placeholder: 's',
    default: '300',
  },
} as const

export const writeFlags = {
  ...commonFlags,
  ...waitFlags,
  intent: textFlag('Your name for this one write; the same name is the same write', 'name'),
} as const

export const moneyFlags = { ...writeFlags, yes: flag('Do not ask before it is sent') } as const

/** The flags of commands that pay. */
export const paymentFlags = {
  ...moneyFlags,
  check: flag('Say what would become of the payment now, and send nothing'),
} as const

export function wholeNumber(least: number, most: number): (given: string) => number {
  return (given) => {
    const value = Number(given)
    if (given.trim() === '' || !Number.isInteger(value) || value < least || value > most)
      throw wrongUse(`give a whole number from ${least} to ${most}`)
    return value
  }
}

function limitOf(given: string): number {
  return given === 'all' ? Infinity : wholeNumber(1, 1_000_000)(given)
}

function secondsOf(given: string): number {
  return wholeNumber(0, 86_400)(given)
}

/** An address on this machine, for webhooks and a fake provider. */
export function loopbackUrl(given: string): string {
  const url = URL.canParse(given) ? new URL(given) : undefined
  if (url && /^https?:$/.test(url.protocol) && /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(url.hostname))
    return given
  throw wrongUse('give an address on this machine, for example http://127.0.0.1:3000/hook')
}
