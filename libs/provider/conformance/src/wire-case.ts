/** A case that needs a provider over the wire, with a proxy in front and a sandbox. */

import type { Harnesses } from './harnesses.ts'
import type { Proxy } from './proxy.ts'
import type { Sandbox } from './sandbox.ts'
import type { Sender } from './sender.ts'

export type WireHarness = Harnesses & {
  readonly proxy: Proxy
  readonly sandbox: Sandbox
  /** Reaches the provider without authentication; undefined if the provider demands none. */
  readonly stranger: Sender | undefined
}

export type WireCase = {
  readonly name: string
  /** A fault that the sandbox has to make. */
  readonly needs?: 'reject' | 'settle_later'
  readonly run: (harness: WireHarness) => Promise<void>
}
