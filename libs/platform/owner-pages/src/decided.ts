/** The page about an authorization that its owner has decided: what holds, and how to undo it. */

import { type Html, html } from '@financial-agents/pages/html'
import { pagePaths } from '@financial-agents/pages/page-paths'
import { notice, type Tone } from '@financial-agents/pages/parts'
import type { Reader } from '@financial-agents/pages/reader'
import { party } from './client.ts'
import type { View } from './view.ts'

export type Decided = {
  reader: Reader
  clientName: string
  /** The address of the application's logo. */
  logo: string | undefined
  device: boolean
  /** `ended`: the access that was given has ended since. */
  decided: 'allowed' | 'ended' | 'declined'
  /** The page of the access that was given. */
  access: string | undefined
  /** The address that leads the browser on, if it was not there yet. */
  goOn: string | undefined
}

const tones: { readonly [D in Decided['decided']]: Tone } = { allowed: 'good', ended: 'neutral', declined: 'neutral' }

export function decidedView({ reader, clientName, logo, device, decided, access, goOn }: Decided): View {
  const say = reader.say('decided')
  return {
    rights: { pictures: logo !== undefined },
    page: {
      reader,
      title: say(decided === 'declined' ? 'declined' : 'allowed'),
      notice: notice(tones[decided], say(`${decided}More`)),
      main: html`<div class="card">${party(clientName, reader.say('client')('theApplication'), { logo })}</div>
${goOn === undefined ? '' : html`<p><a class="button primary" href="${goOn}">${say(device ? 'goOnHere' : 'goOn')}</a></p>`}
<p>${decided === 'allowed' ? say.rich('undo', {}, linkTo(access)) : say.rich('startAgain', {}, linkTo(pagePaths.account))}</p>`,
    },
  }
}

const linkTo = (href = pagePaths.account as string) => ({ a: (text: Html) => html`<a href="${href}">${text}</a>` })
