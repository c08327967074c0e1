/**
 * What an intent says: a line of ours that names nobody, and facts. What somebody else wrote is the whole value of a fact,
 * never a part of a sentence.
 *
 * Invariant: no value has a line end or an unseen character, so that in the text, too, it stays on the line of its label.
 */

import type { ConfirmationFact } from '@financial-agents/contract/schemas/confirmation-intent'

/** A fact in words of ours. */
export function fact(label: string, value: string): ConfirmationFact {
  return { label, value, foreign: false }
}

/** A fact whose value somebody else wrote. */
export function foreign(label: string, value: string): ConfirmationFact {
  return { label, value: visible(value), foreign: true }
}

/** The facts as lines of a text. */
export function linesOf(facts: readonly ConfirmationFact[]): string[] {
  return facts.map(({ label, value, foreign: isForeign }) => `${label}: ${isForeign ? quote(value) : value}`)
}

/** What somebody wrote, between quotation marks of ours: nothing in it looks like one of them. */
function quote(text: string): string {
  return `“${text.replaceAll(/[“”„‟❝❞❠〝〞〟＂🙶🙷🙸]/gu, '"')}”`
}

/** In one line, each unseen character as a mark: one that turns the direction would turn the amounts after it. */
export function visible(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/\s+/gu, ' ')
    .trim()
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu, '\uFFFD')
}
