/** The meaning of each scope, in words for the person whose money it is. */

import type { Scope } from '@financial-agents/contract/scopes'

export type ScopeWords = {
  /** One sentence that follows "It can". */
  can: string
  /** The same in a few words, for lists. */
  short: string
  /** The effect on the owner's affairs: it sees something, changes something or moves money. */
  reach: 'see' | 'change' | 'move'
}

export const scopeWords: { readonly [S in Scope | 'openid']: ScopeWords } = {
  openid: {
    can: 'Recognise you when you come back, by an identifier that applications of other makers do not get.',
    short: 'recognise you',
    reach: 'see',
  },
  'identity:read': {
    can: 'Know your display name, your language and your time zone.',
    short: 'know your display name',
    reach: 'see',
  },
  'accounts:read': {
    can: 'See your accounts and the limits for withdrawing from them.',
    short: 'see accounts',
    reach: 'see',
  },
  'activity:read': {
    can: 'See the money that comes in and goes out.',
    short: 'see money coming in and going out',
    reach: 'see',
  },
  'spending:read': {
    can: 'See your spending account: what it holds, what is credited and what is owed.',
    short: 'see the spending account',
    reach: 'see',
  },
  'beneficiaries:read': {
    can: 'See the people and companies that you can pay.',
    short: 'see recipients',
    reach: 'see',
  },
  'cards:read': {
    can: 'See your cards and what was paid with them, without card numbers.',
    short: 'see cards without their numbers',
    reach: 'see',
  },
  'purchases:read': {
    can: 'See purchases and what they cost.',
    short: 'see purchases',
    reach: 'see',
  },
  'kyc:read': {
    can: 'Know your display name, your language and your time zone, see whether you are connected and whether your identity is verified, and open the page where you verify it; it never sees your documents.',
    short: 'know your display name, see whether you are verified',
    reach: 'see',
  },
  'operations:read': {
    can: 'Follow what it started for you until it succeeds or fails.',
    short: 'follow what it started',
    reach: 'see',
  },
  'authorization:read': {
    can: 'See what you allow it here, and its limits.',
    short: 'see what it is allowed',
    reach: 'see',
  },
  'services:read': {
    can: 'See which services it may use for you; ending the connection to your provider takes your confirmation.',
    short: 'see available services',
    reach: 'see',
  },
  'transfers:quote': {
    can: 'Ask what a transfer would cost, without making one.',
    short: 'estimate transfers',
    reach: 'see',
  },
  'beneficiaries:write': {
    can: 'Add people and companies that you can pay.',
    short: 'add recipients',
    reach: 'change',
  },
  'cards:manage': {
    can: 'Create cards, freeze, unfreeze and close them, and open the page where the provider shows you a card’s number.',
    short: 'create and manage cards',
    reach: 'change',
  },
  'spending:withdraw': {
    can: 'Move money: withdraw from your spending account, and set up repeated payments once you confirm each of them.',
    short: 'move money',
    reach: 'move',
  },
}

/** Returns the scopes that have words, in reading order: from seeing to moving money. */
export function knownScopes(scopes: readonly string[]): (keyof typeof scopeWords)[] {
  const wanted = new Set(scopes)
  return (Object.keys(scopeWords) as (keyof typeof scopeWords)[]).filter((scope) => wanted.has(scope))
}
