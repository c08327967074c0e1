/** The port's part about payouts: payout schemas and the countries of addresses, in the wire names of the API. */

/** A country that the provider accepts in addresses (contract, "Address-country list"). */
export type AddressCountry = { readonly code: string; readonly alpha3: string; readonly name: string }

/** One field of a payout schema's `details`. */
export type PayoutField = {
  readonly key: string
  readonly label: string
  readonly type: 'string' | 'enum'
  /** A regular expression of the ECMAScript `u` flavour, to match the whole value; anchored by the adapter. */
  readonly pattern: string | null
  readonly min_length: number | null
  readonly max_length: number | null
  /** The allowed values; present exactly for `enum`. */
  readonly options: readonly string[] | null
  readonly required: boolean
}

/** The fields that name an account for payouts to one country. */
export type PayoutSchema = {
  readonly id: string
  readonly name: string
  readonly country: string
  readonly currency: string
  readonly rail: string
  readonly fields: readonly PayoutField[]
  /** Example values that the fields accept. */
  readonly example_details: Readonly<Record<string, string>>
}
