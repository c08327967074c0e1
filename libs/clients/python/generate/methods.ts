/**
 * The generated files of the Python client: the same methods, types and table as those of `@financial-agents/client`, from the same
 * facts. Names are those of the client for TypeScript, in snake_case.
 */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  aboutOf,
  document,
  type Facts,
  facts,
  problemRows,
  resources,
  rowOf,
  scopeNames,
  typeName,
} from '../../typescript/generate/methods.ts'
import type { JsonSchema } from '../../typescript/generate/schema-types.ts'
import { networkFaults, providerFaults } from '../../typescript/src/testing/faults.ts'
import { docstring, isClass, pythonDeclarationOf, pythonName, pythonTypeOf } from './python-types.ts'

const root = join(import.meta.dirname, '../../../..')
const note = '# Written by `pnpm gen` from libs/api/contract; change the table it comes from.\n'

/** The table by which the methods work, as `row.py` reads it. */
function pythonTable(): string {
  const lines = facts.map((fact) => `    "${keyOf(fact)}": "${rowOf(fact)}",`)
  return `${note}"""Every method of the client, as \`row.py\` reads it: method, path, then marks."""

table: dict[str, str] = {\n${lines.join('\n')}\n}`
}

/** The types of requests and responses that the client's methods use. */
function pythonModels(): string {
  const { schemas } = document.components
  const wanted = new Map<string, JsonSchema>()
  // A name is added after those that it is made of, so that an alias follows what it names.
  const want = (names: readonly string[]) => {
    for (const name of names) {
      const schema = schemas[name]
      if (!schema) throw new Error(`the document has no schema ${name}`)
      if (wanted.has(name) || wanting.has(name)) continue
      wanting.add(name)
      want(namesIn(schema))
      wanted.set(name, schema)
    }
  }
  const wanting = new Set<string>()
  want(facts.flatMap(modelsIn))
  want(['Problem', 'ProblemField', 'ProblemCode', 'WebhookPayload'])
  const all = [...wanted]
  const classes = all.filter(([, schema]) => isClass(schema)).toSorted(([a], [b]) => (a < b ? -1 : 1))
  const aliases = all.filter(([, schema]) => !isClass(schema))
  const declared = [...classes, ...aliases].map(([name, schema]) => pythonDeclarationOf(name, schema))
  const names = [['KnownScope'], ...all].map(([name]) => `    "${name}",`).toSorted()
  return `${note}"""The types of the API's requests and responses. Members are named as on the wire."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict

__all__ = [\n${names.join('\n')}\n]


${declared.join('\n\n\n')}


KnownScope: TypeAlias = Literal[${scopeNames.map((name) => `"${name}"`).join(', ')}]
"""A scope that a client can ask for."""`
}

/** The methods of the client that awaits, with the documentation of their routes. */
function pythonMethods(): string {
  const classes = resources.map((resource) => {
    const own = facts.filter((fact) => fact.resource === resource).map(methodOf)
    const start = '    def __init__(self, caller: Caller) -> None:\n        self._caller = caller'
    return `class Async${typeName(resource)}:\n    """\`agent.${pythonName(resource)}\`"""\n\n${[start, ...own].join('\n\n')}`
  })
  const models = [...new Set(facts.flatMap(modelsIn))].toSorted()
  const members = resources.map(
    (resource) => `        self.${pythonName(resource)} = Async${typeName(resource)}(caller)`,
  )
  return `${note}"""The methods of the client, by resource."""

from __future__ import annotations

from collections.abc import Mapping

from ..call_options import CallOptions
from ..caller import Caller
from ..generated.models import (\n${models.map((name) => `    ${name},`).join('\n')}\n)
from ..request_log import OnResponse
from .pages import AsyncPages
from .tracked_operation import AsyncTrackedOperation

${classes.map((text) => `\n${text}\n`).join('\n')}

class AsyncResources:
    """Every resource of the client."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller\n${members.join('\n')}`
}

const keyOf = ({ resource, method }: Facts) => `${pythonName(resource)}.${pythonName(method)}`

function methodOf(fact: Facts): string {
  const { row, params, operation, item, response } = fact
  const given = params.map((name) => `${name}: str`)
  const body = bodyOf(fact)
  if (body) given.push(`body: ${pythonTypeOf(body)}`)
  const query = queryOf(fact)
  const named = query.map(({ name, required, schema }) =>
    required
      ? `${pythonName(name)}: ${pythonTypeOf(schema)}`
      : `${pythonName(name)}: ${pythonTypeOf(schema)} | None = None`,
  )
  if (row.keyed) named.unshift('intent: str', 'metadata: Mapping[str, str] | None = None')
  named.push('timeout: float | None = None', 'retry_for: float | None = None', 'on_response: OnResponse | None = None')
  const handed = [
    `"${keyOf(fact)}"`,
    `[${params.join(', ')}]`,
    ...(row.keyed ? ['intent'] : []),
    'options',
    ...(query.length > 0 || item
      ? [`query={${query.map(({ name }) => `"${name}": ${pythonName(name)}`).join(', ')}}`]
      : []),
    ...(body ? [`body={**body}`] : []),
  ].join(', ')
  if (!operation) throw new Error(`the document has no operation for ${keyOf(fact)}`)
  const { description, codes } = aboutOf(fact, 'on_owner_needed')
  const raises = codes.length > 0 ? `\n\n        Raises ApiProblem ${codes.join(', ')}, and those of every call.` : ''
  const about = docstring(`${description}${raises}${raises ? '\n        ' : ''}`, '        ')
  const result = resultOf(fact)
  const call = item
    ? `AsyncPages(self._caller, ${handed})`
    : row.keyed
      ? `AsyncTrackedOperation(self._caller, await self._caller.write(${handed}))`
      : response === 'Operation'
        ? `AsyncTrackedOperation(self._caller, await self._caller.read(${handed}))`
        : `await self._caller.read(${handed})`
  return `    ${item ? '' : 'async '}def ${pythonName(fact.method)}(self, ${[...given, '*', ...named].join(', ')}) -> ${result}:${about}
        options = CallOptions(timeout, retry_for, on_response${row.keyed ? ', metadata' : ''})
        ${result === 'None' ? call : `return ${call}`}`
}

function resultOf({ item, response, operation, row }: Facts): string {
  if (item) return `AsyncPages[${item}]`
  if (response === 'Operation') return 'AsyncTrackedOperation'
  const schema = operation.responses[String(row.status)]?.content?.['application/json']?.schema
  return schema ? pythonTypeOf(schema) : 'None'
}

const bodyOf = ({ operation }: Facts) => operation.requestBody?.content['application/json']?.schema

function queryOf({ operation }: Facts) {
  const query = (operation.parameters ?? []).filter((parameter) => parameter.in === 'query')
  return query.toSorted((a, b) => Number(b.required ?? false) - Number(a.required ?? false))
}

/** The names of schemas that the signature of a method uses. */
function modelsIn(fact: Facts): string[] {
  const types = [...queryOf(fact).map(({ schema }) => pythonTypeOf(schema)), resultOf(fact)]
  const body = bodyOf(fact)
  if (body) types.push(pythonTypeOf(body))
  const names = types.flatMap((type) => [...type.matchAll(/\b[A-Z]\w+\b/g)].map(([name]) => name))
  const operation = names.includes('AsyncTrackedOperation') ? ['Operation'] : []
  return [...names.filter((name) => !ours.has(name)), ...operation]
}

const ours = new Set(['Any', 'None', 'Literal', 'AsyncPages', 'AsyncTrackedOperation'])

/** The names of schemas that a schema refers to. */
function namesIn(schema: JsonSchema): string[] {
  const text = JSON.stringify(schema)
  return [...text.matchAll(/"\$ref":"[^"]*\/(\w+)"/g)].map(([, name]) => `${name}`)
}

/**
 * A module of the client that blocks, from the one that awaits. The functions of the module itself call each other; every other coroutine
 * is run to its end.
 */
function blocking(module: string, awaiting: string): string {
  const text = withoutAwaits(awaiting.replace(note, ''))
    .replaceAll(/\basync (?=def|for|with)/g, '')
    .replaceAll('AsyncClient', 'Client')
    .replaceAll(/\bAsync(?=[A-Z])/g, '')
    .replaceAll(/\b(__)a(?=iter__|enter__|exit__)|\b()a(?=close\()/g, '$1')
    .replaceAll('AnyStore', 'Store')
    .replaceAll('Awaiting', 'Blocking')
    .replace('Tasks of one event loop', 'Threads')
  const used = text.includes('run(') ? text.replace(/^from \.\./m, 'from ..drive import run\nfrom ..') : text
  return `${note.replace('libs/api/contract; change the table it comes from', `_async/${module}; change it there`)}${used}`.trimEnd()
}

function withoutAwaits(text: string): string {
  const at = text.search(/\bawait (?!self\.(?:_http_client\.)?\w+\()/)
  if (at < 0) return text.replaceAll(/\bawait /g, '')
  const start = at + 'await '.length
  let end = text.indexOf('(', start) + 1
  for (let depth = 1; depth > 0; end += 1) depth += { '(': 1, ')': -1 }[text[end] ?? ''] ?? 0
  return `${text.slice(0, at).replaceAll(/\bawait /g, '')}run(${text.slice(start, end)})${withoutAwaits(text.slice(end))}`
}

const sources = 'libs/clients/python/src/financial_agents'
const byHand = (module: string) => readFileSync(join(root, sources, '_async', module), 'utf8')

/** The refusals of the API, for the fake one. */
function pythonProblems(): string {
  const lines = problemRows.map(
    ([code, status, title, ...marks]) => `    "${code}": (${[status, title, ...marks.map(truth)].join(', ')}),`,
  )
  return `${note}"""The refusals of the API: status, title, \`retryable\`, \`submission_uncertain\`. Only the fake API needs them."""

problems: dict[str, tuple[int, str, bool, bool]] = {\n${lines.join('\n')}\n}`
}

/** The faults of the fake API: those of the client for TypeScript. */
function pythonFaults(): string {
  const named = (name: string, rows: object) =>
    `${name} = Literal[${Object.keys(rows)
      .map((row) => `"${row}"`)
      .join(', ')}]`
  const network = Object.entries(networkFaults).map(
    ([name, { accepted, answer }]) => `    "${name}": (${truth(accepted)}, "${answer}"),`,
  )
  const provider = Object.entries(providerFaults).map(
    ([name, { state, failure, last }]) =>
      `    "${name}": ("${state}", ${failure === null ? 'None' : `"${failure}"`}, "${last}"),`,
  )
  return `# Written by \`pnpm gen\` from libs/clients/typescript/src/testing/faults.ts; change it there.
"""The faults of the fake API, by name."""

from typing import Literal

${named('NetworkFault', networkFaults)}
${named('ProviderFault', providerFaults)}

network_faults: dict[NetworkFault, tuple[bool, str]] = {\n${network.join('\n')}\n}
"""True if the API has received the request, and the answer."""
provider_faults: dict[ProviderFault, tuple[str, str | None, str]] = {\n${provider.join('\n')}\n}
"""The state of the operation, its failure code, and the state to which it moves."""`
}

const truth = (value: boolean) => (value ? 'True' : 'False')

/** The licence of the repository. A link to it would lead out of the source distribution. */
const license = () => readFileSync(join(root, 'LICENSE'), 'utf8').trimEnd()

export const documents = {
  'libs/clients/python/LICENSE': license,
  [`${sources}/generated/models.py`]: pythonModels,
  [`${sources}/generated/table.py`]: pythonTable,
  [`${sources}/generated/problems.py`]: pythonProblems,
  [`${sources}/generated/faults.py`]: pythonFaults,
  [`${sources}/_async/methods.py`]: pythonMethods,
  [`${sources}/_sync/methods.py`]: () => blocking('methods.py', pythonMethods()),
  [`${sources}/_sync/client.py`]: () => blocking('client.py', byHand('client.py')),
  [`${sources}/_sync/pages.py`]: () => blocking('pages.py', byHand('pages.py')),
  [`${sources}/_sync/tracked_operation.py`]: () => blocking('tracked_operation.py', byHand('tracked_operation.py')),
}
