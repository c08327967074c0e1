/**
 * Words for the states of an operation, for the person whose money it is. `operation-machine/kind-words` has the words
 * for kinds.
 */

import type { OwnerOperation } from '@financial-agents/bus/messages/owner-activity'
import type { Tone } from '@financial-agents/pages/parts'

export type StateWords = {
  tone: Tone
  word: string
  /** An explanation beyond the word. */
  more?: string
}

export const stateWords: { readonly [S in OwnerOperation['state']]: StateWords } = {
  requires_action: {
    tone: 'warning',
    word: 'Waiting for you',
    more: 'Your provider asks for your approval. The application was told where you give it.',
  },
  accepted: {
    tone: 'neutral',
    word: 'Accepted',
    more: 'It waits to be sent to your provider, or is being sent just now.',
  },
  submitting: {
    tone: 'neutral',
    word: 'Being sent',
    more: 'We have begun to send it and do not know yet what your provider says.',
  },
  submitted: {
    tone: 'neutral',
    word: 'At your provider',
    more: 'Your provider has it. We do not know yet how it ends.',
  },
  indeterminate: {
    tone: 'warning',
    word: 'Not known yet',
    more: 'We do not know yet whether your provider did this. We keep asking until it is proven, however long that takes; nothing will be sent again.',
  },
  succeeded: { tone: 'good', word: 'Done' },
  failed: { tone: 'bad', word: 'Failed' },
  cancelled: { tone: 'neutral', word: 'Cancelled before it was sent' },
}
