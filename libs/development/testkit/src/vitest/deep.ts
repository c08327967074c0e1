/**
 * The two test commands. `test` is the same every day. `test --deep` runs the files `.deep.test.ts` and `.seeded.test.ts`, the
 * latter with the seed of the day and with more random inputs. TEST_SEED repeats a run of either, TEST_EFFORT makes it longer.
 */

/** The environment of a vitest that runs for this command. */
export const environmentOf = (deep: boolean) => ({ TEST_DEEP: deep ? '1' : '' })

export const isDeep = process.env['TEST_DEEP'] === '1'

export const seed = Number(process.env['TEST_SEED'] ?? (isDeep ? Math.floor(Date.now() / 86_400_000) : 1))

const effort = Number(process.env['TEST_EFFORT'] ?? 1)

/** A number of random inputs: this many in `test`, that many in `test --deep`. */
export const amountOf = (inTest: number, inDeep: number): number => Math.ceil((isDeep ? inDeep : inTest) * effort)
