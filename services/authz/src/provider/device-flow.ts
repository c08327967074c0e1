/**
 * Device authorization (RFC 8628): the library's steps, shown by our pages. The code that a person types in is checked by
 * the library; a code that came with the address is only filled in, so that nothing goes on without the person.
 */

import type { Configuration, KoaContextWithOIDC } from 'oidc-provider'
import { type DeviceError, deviceConfirm, deviceDeclined, deviceDone, deviceEntry } from '../pages/views/device.ts'
import type { Environment } from '../pages/views/view.ts'
import { devicePollIntervalS } from './lifetimes.ts'
import { paths } from './paths.ts'
import { show } from './show.ts'

type DeviceFlow = NonNullable<NonNullable<Configuration['features']>['deviceFlow']>

/** The library's names of what can be wrong with a code that was typed in. */
const wrong: Readonly<Record<string, DeviceError>> = {
  NoCodeError: 'missing',
  NotFoundError: 'unknown',
  ExpiredError: 'expired',
  AlreadyUsedError: 'used',
}

export function createDeviceFlow(parts: {
  environment: Environment
  declined: (ctx: KoaContextWithOIDC) => void
}): DeviceFlow {
  const { environment } = parts
  return {
    enabled: true,
    charset: 'base-20',
    mask: '****-****',
    deviceInfo: () => ({}),
    userCodeInputSource: (ctx, _form, _out, error) => {
      if (error?.name === 'AbortedError') {
        parts.declined(ctx)
        return show(ctx, deviceDeclined({ clientName: ctx.oidc.client?.clientName }), environment)
      }
      const entry = {
        action: paths.device,
        csrfFields: csrfFields(ctx),
        error: error && (wrong[error.name] ?? 'failed'),
        userCode: (error as { userCode?: string } | undefined)?.userCode ?? givenCode(ctx),
      }
      return show(ctx, { ...deviceEntry(entry), status: error ? 400 : 200 }, environment)
    },
    userCodeConfirmSource: (ctx, _form, client, _deviceInfo, userCode) => {
      const scope = ctx.oidc.entities.DeviceCode?.params?.['scope']
      const scopes = typeof scope === 'string' ? scope.split(' ') : []
      const clientName = client.clientName ?? client.clientId
      show(
        ctx,
        deviceConfirm({ action: paths.device, csrfFields: csrfFields(ctx), clientName, userCode, scopes }),
        environment,
      )
    },
    successSource: (ctx) => {
      const { client } = ctx.oidc
      show(ctx, deviceDone({ clientName: client?.clientName ?? 'The application' }), environment)
    },
  }
}

/** What the library leaves out of the answer to a device. */
export function tellInterval(ctx: KoaContextWithOIDC): void {
  ctx.body = { ...(ctx.body as object), interval: devicePollIntervalS }
}

/** Takes a code out of the address before the library, which would post it by a script. */
export function keepGivenCode(ctx: KoaContextWithOIDC): void {
  const { user_code: code } = ctx.query
  if (typeof code === 'string') ctx.state['userCode'] = code.slice(0, 64)
  ctx.query = {}
}

function givenCode(ctx: KoaContextWithOIDC): string | undefined {
  return ctx.state['userCode'] as string | undefined
}

function csrfFields(ctx: KoaContextWithOIDC): Record<string, string> {
  const secret = ctx.oidc.session?.state?.['secret']
  return { xsrf: typeof secret === 'string' ? secret : '' }
}
