/**
 * Recurring movements of each test user, all invented. They are the past of the test users' accounts. Some texts contain
 * data that a careless payer may write: published sample IBANs, test card numbers, reserved telephone numbers, example
 * addresses, control characters. An application must remove such data before it shows activity to others.
 */

export type Habit = {
  readonly source: 'account' | 'card' | 'spending'
  readonly direction: 'in' | 'out'
  /** The number of days between two movements. */
  readonly everyDays: number
  /** The hour of the day, UTC. */
  readonly hour: number
  /** The lowest amount in hundredths. Each movement has an amount from `lowest` to `highest`. */
  readonly lowest: number
  readonly highest: number
  readonly currency: string
  readonly text: string
  readonly other: string
  /** The merchant category (ISO 18245); null if no card was used. */
  readonly category: string | null
}

type Row = readonly [everyDays: number, hour: number, lowest: number, highest: number, text: string, other: string]

function rows(
  source: Habit['source'],
  direction: Habit['direction'],
  currency: string,
  all: readonly Row[],
): readonly Habit[] {
  return all.map(([everyDays, hour, lowest, highest, text, other]) => ({
    source,
    direction,
    everyDays,
    hour,
    lowest,
    highest,
    currency,
    text,
    other,
    category: null,
  }))
}

type Purchase = readonly [...row: Row, category: string]

function purchases(
  currency: string,
  all: readonly Purchase[],
  direction: Habit['direction'] = 'out',
): readonly Habit[] {
  return all.map(([everyDays, hour, lowest, highest, text, other, category]) => ({
    source: 'card',
    direction,
    everyDays,
    hour,
    lowest,
    highest,
    currency,
    text,
    other,
    category,
  }))
}

export const habits: { readonly [TestUserId in string]?: readonly Habit[] } = {
  per_ines: [
    ...rows('account', 'in', 'EUR', [
      [30, 7, 285_000, 285_000, 'Vencimento', 'Estaleiro Tejo Lda'],
      [15, 10, 9_000, 64_000, 'Fatura, rui.prado@example.com, +351 912 345 678', 'Rui Prado'],
    ]),
    ...rows('account', 'out', 'EUR', [
      [30, 8, 95_000, 95_000, 'Renda para PT50 0002 0123 1234 5678 9015 4', 'Marta Vieira'],
      [30, 9, 4_100, 9_800, 'Eletricidade', 'Luz do Sul'],
      [30, 9, 3_499, 3_499, 'Internet\tcontrato 5512\u0007', 'Rede Clara'],
      [21, 20, 1_000, 5_000, 'Cartão 4111 1111 1111 1111 reembolso a DE89370400440532013000', 'Greta Lindqvist'],
    ]),
    ...rows('account', 'in', 'USD', [[25, 15, 4_000, 9_000, 'Royalties', 'Harbor Lane Press']]),
    ...rows('spending', 'in', 'EUR', [[14, 6, 20_000, 60_000, 'Carregamento', 'Inês Carvalho']]),
    ...rows('spending', 'out', 'EUR', [
      [9, 21, 800, 4_500, 'Jantar, liga 912 345 678', 'Tiago Nunes'],
      [
        40,
        12,
        12_000,
        30_000,
        `Casamento: ${'com um abraço de todos nós e votos de felicidade, '.repeat(5)}`,
        'Ana Luz',
      ],
    ]),
    ...purchases('EUR', [
      [2, 8, 75, 420, 'PASTELARIA ALFAMA', 'Pastelaria Alfama', '5462'],
      [3, 18, 1_250, 8_900, 'MERCADO DA RIBEIRA 0112', 'Mercado da Ribeira', '5411'],
      [7, 7, 4_000, 4_000, 'METRO LISBOA', 'Metro de Lisboa', '4111'],
      [12, 13, 2_200, 7_400, 'LIVRARIA CHIADO', 'Livraria Chiado', '5942'],
      [19, 11, 1_500, 6_000, 'apoio@livraria.example 351210000000', 'Livraria Chiado', '5942'],
    ]),
    ...purchases('EUR', [[26, 16, 2_200, 7_400, 'LIVRARIA CHIADO DEVOLUCAO', 'Livraria Chiado', '5942']], 'in'),
  ],
  per_amara: [
    ...rows('account', 'in', 'GBP', [
      [30, 8, 214_000, 214_000, 'Salary', 'Aire Valley Clinic'],
      [18, 12, 1_500, 6_000, 'Lottery pool, text 07700 900123', 'Nadia Hussain'],
    ]),
    ...rows('account', 'out', 'GBP', [
      [30, 7, 82_500, 82_500, 'Rent, GB29 NWBK 6016 1331 9268 19', 'Kirkgate Lettings'],
      [30, 9, 5_400, 11_200, 'Council tax', 'City of Leeds'],
      [11, 19, 500, 3_000, 'Five a side, amara@example.com', 'Dee Walsh'],
    ]),
    ...rows('spending', 'in', 'GBP', [[20, 6, 10_000, 25_000, 'Top-up', 'Amara Okafor']]),
    ...purchases('GBP', [
      [2, 17, 310, 2_600, 'CORNER GROCER LS6', 'Corner Grocer', '5411'],
      [5, 8, 280, 560, 'AIRE BUSES', 'Aire Buses', '4111'],
      [9, 20, 1_100, 4_800, 'CALLS LANE KITCHEN', 'Calls Lane Kitchen', '5812'],
    ]),
  ],
  per_daniel: [
    ...rows('account', 'in', 'USD', [[14, 13, 168_000, 168_000, 'Payroll', 'Sonoran Solar Inc']]),
    ...rows('account', 'out', 'USD', [
      [30, 15, 130_000, 130_000, 'Mortgage 021000021/9876543210', 'Saguaro Home Loans'],
      [10, 2, 2_000, 8_000, 'Guitar lessons, call (520) 555-0142', 'Wendell Ortiz'],
    ]),
    ...rows('spending', 'in', 'USD', [[30, 6, 5_000, 20_000, 'Top-up', 'Daniel Reyes']]),
    ...purchases('USD', [
      [3, 1, 1_900, 9_500, 'DESERT MARKET 22', 'Desert Market', '5411'],
      [6, 14, 2_800, 5_600, 'PALO VERDE FUEL', 'Palo Verde Fuel', '5541'],
      [8, 3, 1_400, 6_200, 'MESA DINER', 'Mesa Diner', '5812'],
    ]),
  ],
  per_tomasz: [
    ...rows('account', 'in', 'EUR', [[30, 9, 1_500, 4_000, 'Zwrot, tomasz@example.com', 'Ewa Zielińska']]),
    ...rows('account', 'out', 'EUR', [
      [7, 18, 150, 900, 'Kawa', 'Kawiarnia Mewa'],
      [30, 9, 499, 499, 'Abonament PL61109010140000071219812874', 'Radio Bałtyk'],
    ]),
    ...rows('spending', 'out', 'EUR', [[20, 10, 100, 700, 'Bilet', 'Tramwaje Gdańsk']]),
  ],
}
