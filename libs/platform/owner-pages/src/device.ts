/**
 * The pages that connect an application on another device (RFC 8628). The owner enters the device's code and then reads
 * the request, so that nobody approves a stranger's device by mistake.
 */

import { html } from '@financial-agents/pages/html'
import { pagePaths } from '@financial-agents/pages/page-paths'
import { button, facts, form, notice, textField } from '@financial-agents/pages/parts'
import type { Reader } from '@financial-agents/pages/reader'
import { type Face, hasPictures, kindOf, party, publisherFact, wholeName } from './client.ts'
import { powers } from './powers.ts'
import type { View } from './view.ts'

/** The reason why a code was not accepted. */
export type DeviceError = 'missing' | 'unknown' | 'expired' | 'used' | 'again' | 'failed'

export type DeviceEntry = {
  /** The address that the form posts to. */
  action: string
  /** The hidden fields of the form, including its token. */
  csrfFields: Readonly<Record<string, string>>
  error?: DeviceError | undefined
  /** The code that was entered before, or that the address contains. */
  userCode?: string | undefined
  reader: Reader
}

export function deviceEntry({ action, csrfFields, error, userCode, reader }: DeviceEntry): View {
  const say = reader.say('device')
  const field = textField({
    name: 'user_code',
    label: say('code'),
    hint: say('hint'),
    value: userCode ?? '',
    error: error && say(error),
    attributes: {
      class: 'code-entry',
      autocomplete: 'off',
      autocapitalize: 'characters',
      spellcheck: 'false',
      maxlength: '64',
    },
  })
  return {
    rights: { forms: true },
    page: {
      reader,
      title: say('title'),
      refused: error !== undefined,
      lead: say('lead'),
      main: form({
        action,
        hidden: csrfFields,
        body: html`${field}<div class="actions">${button('primary', say('continue'))}</div>`,
      }),
    },
  }
}

export type DeviceConfirm = {
  action: string
  face: Face
  /** The hidden fields of both forms. The user code and `confirm` or `abort` are added here. */
  csrfFields: Readonly<Record<string, string>>
  clientName: string
  /** The code as the device shows it. */
  userCode: string
  scopes: readonly string[]
  reader: Reader
}

/** Posts `confirm=yes` to continue and `abort=yes` to stop. */
export function deviceConfirm({ action, csrfFields, clientName, face, userCode, scopes, reader }: DeviceConfirm): View {
  const say = reader.say('device')
  const hidden = { ...csrfFields, user_code: userCode }
  return {
    rights: { forms: true, pictures: hasPictures([face]) },
    page: {
      reader,
      title: say('isThis'),
      main: html`<div class="card stack">${party(clientName, kindOf('device', reader), face)}${facts([...wholeName(clientName, reader), ...publisherFact(face, reader)])}<p class="code-shown">${userCode}</p></div>
${notice('warning', say('warning'))}
<h2>${say('asksFor')}</h2>
${powers(scopes, reader)}
<p class="soft">${say('next')}</p>
<div class="actions">
${form({ action, hidden: { ...hidden, confirm: 'yes' }, body: button('primary', say('same')) })}
${form({ action, hidden: { ...hidden, abort: 'yes' }, body: button('secondary', say('stop')) })}
</div>`,
    },
  }
}

/** A page on which a connection has ended well or not. */
export type DeviceEnd = {
  /** Undefined if it is not known. */
  clientName: string | undefined
  /** The address of the application's logo. */
  logo: string | undefined
  reader: Reader
}

/** The page after consent. The device continues by itself. */
export function deviceDone({ clientName, logo, reader }: DeviceEnd): View {
  const say = reader.say('device')
  return {
    rights: { pictures: logo !== undefined },
    page: {
      reader,
      title: say('done'),
      notice: notice('good', say('doneNote')),
      main: html`<div class="card">${party(clientName ?? reader.say('client')('theApplication'), kindOf('device', reader), { logo })}</div>
<p>${say('doneClose')}</p>
<p>${say.rich('doneAccount', {}, { a: (text) => html`<a href="${pagePaths.account}">${text}</a>` })}</p>`,
    },
  }
}

/** The page after the owner stopped, here or on the consent page. */
export function deviceDeclined({ clientName, logo, reader }: DeviceEnd): View {
  const say = reader.say('device')
  return {
    rights: { pictures: logo !== undefined },
    page: {
      reader,
      title: say('nothing'),
      notice: notice('neutral', say('nothingNote')),
      main: html`${clientName === undefined ? '' : html`<div class="card">${party(clientName, kindOf('device', reader), { logo })}</div>`}
<p>${say('nothingClose')}</p>
<p><a href="${pagePaths.device}">${say('another')}</a></p>`,
    },
  }
}
