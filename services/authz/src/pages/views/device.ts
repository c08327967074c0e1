/**
 * The pages that connect an application on another device (RFC 8628). The owner enters the device's code and then reads
 * the request, so that nobody approves a stranger's device by mistake.
 */

import { html } from '@financial-agents/pages/html'
import { pagePaths } from '@financial-agents/pages/page-paths'
import { button, form, notice, textField } from '@financial-agents/pages/parts'
import { kindOf, party } from './client.ts'
import { powers } from './powers.ts'
import type { View } from './view.ts'

/** The reason why a code was not accepted. */
export type DeviceError = 'missing' | 'unknown' | 'expired' | 'used' | 'failed'

const errors: { readonly [E in DeviceError]: string } = {
  missing: 'Enter the code that the device shows.',
  unknown: 'This code is not known. Check it against the device and enter it again.',
  expired: 'This code has expired. Let the device show a new one and enter that.',
  used: 'This code has been used. Let the device show a new one and enter that.',
  failed: 'This could not be completed. Let the device show a new code and enter that.',
}

export type DeviceEntry = {
  /** The address that the form posts to. */
  action: string
  /** The hidden fields of the form, including its token. */
  csrfFields: Readonly<Record<string, string>>
  error?: DeviceError | undefined
  /** The code that was entered before, or that the address contains. */
  userCode?: string | undefined
}

export function deviceEntry({ action, csrfFields, error, userCode }: DeviceEntry): View {
  const field = textField({
    name: 'user_code',
    label: 'Code',
    hint: 'Capital or small letters, with or without the hyphen.',
    value: userCode ?? '',
    error: error && errors[error],
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
      title: 'Connect a device',
      refused: error !== undefined,
      lead: 'Enter the code that the application on your other device shows.',
      main: form({
        action,
        hidden: csrfFields,
        body: html`${field}<div class="actions">${button('primary', 'Continue')}</div>`,
      }),
    },
  }
}

export type DeviceConfirm = {
  action: string
  /** The hidden fields of both forms. The user code and `confirm` or `abort` are added here. */
  csrfFields: Readonly<Record<string, string>>
  clientName: string
  /** The code as the device shows it. */
  userCode: string
  scopes: readonly string[]
}

/** Posts `confirm=yes` to continue and `abort=yes` to stop. */
export function deviceConfirm({ action, csrfFields, clientName, userCode, scopes }: DeviceConfirm): View {
  const hidden = { ...csrfFields, user_code: userCode }
  return {
    rights: { forms: true },
    page: {
      title: 'Is this the code on your device?',
      main: html`<div class="card stack">${party(clientName, kindOf('device'))}<p class="code-shown">${userCode}</p></div>
${notice('warning', html`Go on only if you hold the device and started this yourself. If somebody sent you this code or this page, stop: they would get access to your money.`)}
<h2>What it asks for</h2>
${powers(scopes)}
<p class="soft">You decide about this on the next pages.</p>
<div class="actions">
${form({ action, hidden: { ...hidden, confirm: 'yes' }, body: button('primary', 'Yes, the codes are the same') })}
${form({ action, hidden: { ...hidden, abort: 'yes' }, body: button('secondary', 'No, stop') })}
</div>`,
    },
  }
}

/** The page after consent. The device continues by itself. */
export function deviceDone({ clientName }: { clientName: string }): View {
  return {
    page: {
      title: 'Your device is connected',
      notice: notice('good', 'The application can now do what you allowed.'),
      main: html`<div class="card">${party(clientName, kindOf('device'))}</div>
<p>You can close this page. The device goes on once it asks us again.</p>
<p>See and end what you have allowed at any time on <a href="${pagePaths.account}">your account page</a>.</p>`,
    },
  }
}

/** The page after the owner stopped, here or on the consent page. */
export function deviceDeclined({ clientName }: { clientName?: string | undefined } = {}): View {
  return {
    page: {
      title: 'Nothing was connected',
      notice: notice('neutral', 'The application on your device got no access by this code.'),
      main: html`${clientName === undefined ? '' : html`<div class="card">${party(clientName, kindOf('device'))}</div>`}
<p>You can close this page. To try again, let the device show a new code.</p>
<p><a href="${pagePaths.device}">Enter another code</a></p>`,
    },
  }
}
