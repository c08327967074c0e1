/** Payout schemes and countries. */

import { z } from 'zod'
import { currency, network } from './primitives.ts'

export const payoutSchemes = z
  .object({
    schemes: z
      .array(
        z.object({
          scheme_id: z.string().min(1).max(100).describe('The id of the scheme; it never changes.'),
          title: z.string().min(1).describe('The name of the scheme.'),
          country_code: z.string().length(2).describe('ISO 3166, two letters.'),
          currency_code: currency,
          network,
          inputs: z
            .array(
              z.object({
                name: z.string().min(1).max(100).describe('The name of the input.'),
                caption: z.string().min(1).describe('The name that a person reads.'),
                kind: z.enum(['text', 'choice']).describe('`choice`: one of `choices`.'),
                regex: z
                  .string()
                  .max(512)
                  .nullable()
                  .describe(
                    'A pattern that the whole value must match: ECMA-262 with the flag `u`, without `^` and `$`.',
                  ),
                min: z.int().min(0).max(8192).nullable().describe('The minimum number of characters.'),
                max: z.int().min(1).max(8192).nullable().describe('The maximum number of characters.'),
                choices: z
                  .array(z.string().min(1))
                  .nullable()
                  .describe('The possible values; null unless `kind` is `choice`, and never null then.'),
                mandatory: z.boolean().describe('True if the input is needed.'),
              }),
            )
            .describe('The inputs of an account under the scheme.'),
          sample: z
            .record(z.string(), z.string())
            .describe('An example that the inputs accept, with every mandatory input.'),
        }),
      )
      .describe('The schemes of the person, each once.'),
  })
  .describe('The ways to pay somebody out.')

export const countries = z
  .object({
    countries: z
      .array(
        z.object({
          iso2: z
            .string()
            .regex(/^[A-Z]{2}$/)
            .describe('ISO 3166, two letters.'),
          iso3: z
            .string()
            .regex(/^[A-Z]{3}$/)
            .describe('ISO 3166, three letters.'),
          display_name: z.string().min(1).describe('The name in English.'),
        }),
      )
      .max(300)
      .describe('Each country once.'),
  })
  .describe('The countries of addresses.')
