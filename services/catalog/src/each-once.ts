/**
 * Requires that the provider lists each item once. Lists continue after a key, and ids are given by reference, so a
 * repetition would break both.
 */

import { brokenContract } from '@financial-agents/provider-client/reader'

/** @throws Problem response_contract_failed */
export function checkEachOnce(what: string, keys: readonly string[]): void {
  if (new Set(keys).size !== keys.length) throw brokenContract(new Error(`${what}: listed twice`))
}
