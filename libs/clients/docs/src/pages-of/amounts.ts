/** The page of amounts, with the currencies from the table of the contract. */

import { otherDigits } from '@financial-agents/contract/minor-units'
import type { DocPage } from '../site.ts'

/** One page. */
export function amountPages(): DocPage[] {
  const byDigits = Map.groupBy([...otherDigits], ([, digits]) => digits)
  const rows = Array.from(byDigits, ([digits, currencies]) => {
    const codes = currencies.map(([currency]) => `\`${currency}\``).toSorted()
    return `| ${digits === 0 ? 'none' : digits} | ${codes.join(', ')} |`
  })
  return [
    {
      path: 'reference/amounts',
      title: 'Amounts',
      description: 'How amounts of money are written, which digits a currency has, and how to compute with them.',
      order: 8,
      body: `An amount is a decimal string beside its currency (ISO 4217): \`{ "amount": "12.50", "currency": "EUR" }\`. It is never a JSON number, which many languages read as binary floating
point, and never a count of cents. A payment's amount is above zero, with no sign and no exponent, and has at most 18 digits before the point.

## Digits

An amount is no finer than the smallest unit of its currency. The value counts and not the spelling: \`12.500\` EUR is 12.5 EUR, and \`12.505\` EUR is refused with \`validation_failed\`, whose
\`fields\` say what to send. The API writes every amount with the digits of its currency: \`12.5\` EUR comes back as \`12.50\`.

| Digits after the point | Currencies |
| --- | --- |
${rows.join('\n')}
| 2 | every other one |

A currency that is not in use is refused. A payment in another currency than that of a limit is refused too: no amount is converted.

## In your program

Keep amounts as text or as decimals, from the input of a person to the request.

- **TypeScript**: a string, or a number of a decimal library that writes itself as a string (\`Decimal\`, \`Big\`, \`BigNumber\`). A \`number\` does not compile.
- **Python**: a string or a \`decimal.Decimal\`. A \`float\` passes no type checker, and the API refuses it.
- **Command line**: \`financial-agents pay 12.50 EUR --to "Rui Prado"\`.
- **MCP server**: a string in the arguments of \`prepare_payment\`.

## Limits

The limits of a grant and of a mandate are amounts too, each in one currency. A payment counts against a limit from its acceptance until it is certain that it was not executed: an operation that is
\`indeterminate\` still counts. [Delegation](/docs/understand/delegation/) says who sets which limit.
`,
    },
  ]
}
