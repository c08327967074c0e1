/** The first part of the page: the owner's sign-in, its scopes, and its end. */

import { type Agent, ClientError, type SignIn, type Store } from '@financial-agents/client'
import { make } from './elements.ts'
import type { TryData } from './operation.ts'

type Parts = { data: TryData; agentFor: (scopes: readonly string[]) => Agent; store: Store }

/** `begin` completes a sign-in whose answer came back to this page, if there is one. */
export function createSignIn({ data, agentFor, store }: Parts): {
  element: HTMLElement
  begin: (complete: (() => Promise<SignIn>) | undefined) => Promise<void>
} {
  const says = make('p', { role: 'status' })
  const controls = make('div', { class: 'controls' })
  const element = make('section', { 'aria-label': 'Sign-in' }, make('h2', {}, '1. Sign in'), says, controls)

  const leave = async (scopes: readonly string[]) => {
    const outcome = await agentFor(scopes).signIn()
    if (outcome.status === 'redirect') location.assign(outcome.url)
  }
  const showOut = (words: string) => {
    const boxes = data.scopes.map((scope) => make('input', { type: 'checkbox', value: scope, checked: true }))
    const chosen = () => boxes.filter((box) => box.checked).map((box) => box.value)
    const fail = (error: unknown) => says.replaceChildren(wordsOf(error))
    says.replaceChildren(words)
    controls.replaceChildren(
      make(
        'button',
        { type: 'button', class: 'main', click: () => void leave(chosen()).catch(fail) },
        'Sign in as an owner',
      ),
      make(
        'details',
        {},
        make('summary', {}, 'Scopes to ask for'),
        make(
          'fieldset',
          {},
          make('legend', {}, 'Ask for fewer to see refusals'),
          ...boxes.map((box) => make('label', {}, box, ' ', make('code', {}, box.value))),
        ),
      ),
    )
  }
  const showIn = (scopes: readonly string[]) => {
    const forget = async () => {
      await agentFor(data.scopes).signOut()
      await store.delete(`${location.origin}/${data.clientId}/owner/dpop-key`)
      location.reload()
    }
    says.replaceChildren(
      `Signed in with ${scopes.length === 1 ? 'one scope' : `${scopes.length} scopes`}. The tokens are in the memory of this page: a reload forgets them.`,
    )
    controls.replaceChildren(
      make('button', { type: 'button', click: () => void forget() }, 'Forget tokens and key'),
      make('a', { href: '/account' }, 'The owner ends the access on the account page'),
    )
  }
  return {
    element,
    begin: async (complete) => {
      if (complete === undefined)
        return showOut('Nobody is signed in. Any person of the fake provider can be the owner.')
      says.replaceChildren('Exchanging the code for tokens')
      try {
        const outcome = await complete()
        if (outcome.status === 'signed_in') showIn(outcome.scopes)
      } catch (error) {
        showOut(wordsOf(error))
      }
    },
  }
}

function wordsOf(error: unknown): string {
  return error instanceof ClientError || error instanceof Error ? error.message : 'It did not work.'
}
