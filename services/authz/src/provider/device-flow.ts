/**
 * Device authorization (RFC 8628): the library's steps with our pages. The library checks the code that a person
 * enters. A code from the address only fills the field, so nothing happens without the person.
 */

import {
  type DeviceError,
  deviceConfirm,
  deviceDeclined,
  deviceDone,
  deviceEntry,
} from '@financial-agents/owner-pages/device'
import { type Configuration, errors, type KoaContextWithOIDC } from 'oidc-provider'
import type { Faces } from '../pages/faces.ts'
import { findCodeOfRequest } from './adapters/device-code.ts'
import { devicePollIntervalS } from './lifetimes.ts'
import type { OwnerDecisions } from './owner-decisions.ts'
import { paths } from './paths.ts'
import { type Frame, show } from './show.ts'

type DeviceFlow = NonNullable<NonNullable<Configuration['features']>['deviceFlow']>

/** The library's names for the errors of an entered code. */
const wrong: Readonly<Record<string, DeviceError>> = {
  NoCodeError: 'missing',
  NotFoundError: 'unknown',
  ExpiredError: 'expired',
  AlreadyUsedError: 'used',
}

export function createDeviceFlow(
  parts: Frame & {
    faces: Pick<Faces, 'find'>
    decisions: OwnerDecisions
    declined: (ctx: KoaContextWithOIDC) => void
  },
): DeviceFlow {
  const { readers, faces } = parts
  const readerOf = (ctx: KoaContextWithOIDC) => readers.find(ctx, ctx.oidc.session?.accountId)
  // The library sets different entities: only the device code if the person stopped at the page of the code, and only
  // the interaction if the person declined the consent.
  const endOf = async (ctx: KoaContextWithOIDC) => {
    const { Client, DeviceCode, Interaction } = ctx.oidc.entities
    const clientId = Client?.clientId ?? DeviceCode?.clientId ?? clientIdIn(Interaction?.params)
    const [reader, client, face] = await Promise.all([
      readerOf(ctx),
      clientId === undefined ? undefined : ctx.oidc.provider.Client.find(clientId),
      clientId === undefined ? undefined : faces.find(clientId),
    ])
    return { clientName: client?.clientName, logo: face?.logo, reader }
  }
  const isDeclined = async (ctx: KoaContextWithOIDC) => {
    const code = findCodeOfRequest(ctx)
    return code !== undefined && (await parts.decisions.findOfCode(code))?.type === 'declined'
  }
  return {
    enabled: true,
    charset: 'base-20',
    mask: '****-****',
    deviceInfo: () => ({}),
    userCodeInputSource: async (ctx, _form, _out, error) => {
      if (error?.name === 'AbortedError') {
        parts.declined(ctx)
        return show(ctx, deviceDeclined(await endOf(ctx)), parts)
      }
      if (error?.name === 'AlreadyUsedError' && (await isDeclined(ctx)))
        return show(ctx, deviceDeclined(await endOf(ctx)), parts)
      const entry = {
        reader: await readerOf(ctx),
        action: paths.device,
        csrfFields: csrfFields(ctx),
        error: error && (wrong[error.name] ?? (isSentTwice(ctx, error) ? 'again' : 'failed')),
        userCode: (error as { userCode?: string } | undefined)?.userCode ?? sentCode(ctx) ?? givenCode(ctx),
      }
      return show(ctx, { ...deviceEntry(entry), status: error ? 400 : 200 }, parts)
    },
    userCodeConfirmSource: async (ctx, _form, client, _deviceInfo, userCode) => {
      const scope = ctx.oidc.entities.DeviceCode?.params?.['scope']
      const scopes = typeof scope === 'string' ? scope.split(' ') : []
      const clientName = client.clientName ?? client.clientId
      const [reader, face] = await Promise.all([readerOf(ctx), faces.find(client.clientId)])
      show(
        ctx,
        deviceConfirm({
          action: paths.device,
          csrfFields: csrfFields(ctx),
          clientName,
          face,
          userCode,
          scopes,
          reader,
        }),
        parts,
      )
    },
    successSource: async (ctx) => {
      show(ctx, deviceDone(await endOf(ctx)), parts)
    },
  }
}

/** The library takes each form once, and the last one that it sent, before it looks for the code. */
function isSentTwice({ oidc }: KoaContextWithOIDC, error: Error): boolean {
  return error instanceof errors.InvalidRequest && oidc.route === 'code_verification' && !oidc.entities.DeviceCode
}

function sentCode({ oidc }: KoaContextWithOIDC): string | undefined {
  const code = oidc.params?.['user_code']
  return oidc.route === 'code_verification' && typeof code === 'string' ? code.slice(0, 64) : undefined
}

function clientIdIn(params: Readonly<Record<string, unknown>> = {}): string | undefined {
  const { client_id } = params
  return typeof client_id === 'string' ? client_id : undefined
}

/**
 * Completes the answer to a device: adds the interval, which the library omits, and removes the address that contains the code.
 * Protocol codes are never placed in addresses (contract).
 */
export function completeDeviceAnswer(ctx: KoaContextWithOIDC): void {
  const { verification_uri_complete: _, ...body } = ctx.body as Record<string, unknown>
  ctx.body = { ...body, interval: devicePollIntervalS }
}

/** Removes a code from the address before the library reads it. The library would post it with a script. */
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
