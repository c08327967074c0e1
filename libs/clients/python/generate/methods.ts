/**
 * The generated files of the Python client: the same methods, types and table as those of `@financial-agents/client`, from the same
 * facts. Names are those of the client for TypeScript, in snake_case.
 */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { aboutOf, document, type Facts, facts, resources, rowOf, typeName } from '../../typescript/generate/methods.ts'
import type { JsonSchema } from '../../typescript/generate/schema-types.ts'
import { docstring, isClass, pythonDeclarationOf, pythonName, pythonTypeOf } from './python-types.ts'

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
  const names = all.map(([name]) => `    "${name}",`).toSorted()
  return `${note}"""The types of the API's requests and responses. Members are named as on the wire."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict

__all__ = [\n${names.join('\n')}\n]


${declared.join('\n\n\n')}`
}

/** The methods, with the documentation of their routes. */
function pythonMethods(): string {
  const classes = resources.map((resource) => {
    const own = facts.filter((fact) => fact.resource === resource).map(methodOf)
    const start = '    def __init__(self, caller: Caller) -> None:\n        self._caller = caller'
    return `class ${typeName(resource)}:\n    """\`agent.${pythonName(resource)}\`"""\n\n${[start, ...own].join('\n\n')}`
  })
  const models = [...new Set(facts.flatMap(modelsIn))].toSorted()
  const members = resources.map((resource) => `        self.${pythonName(resource)} = ${typeName(resource)}(caller)`)
  return `${note}"""The methods of the client, by resource."""

from __future__ import annotations

from ..attempt import OnResponse
from ..caller import Caller
from ..pages import Pages
from ..tracked_operation import TrackedOperation
from .models import (\n${models.map((name) => `    ${name},`).join('\n')}\n)

${classes.map((text) => `\n${text}\n`).join('\n')}

class Resources:
    """Every resource of the client."""

    def __init__(self, caller: Caller) -> None:\n${members.join('\n')}`
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
  if (row.keyed) named.unshift('intent: str')
  named.push('retry_for: float | None = None', 'on_response: OnResponse | None = None')
  const work = item ? 'pages' : row.keyed ? 'write' : response === 'Operation' ? 'operation' : 'read'
  const result = resultOf(fact)
  const handed = [
    `"${keyOf(fact)}"`,
    `[${params.join(', ')}]`,
    ...(row.keyed ? ['intent'] : []),
    'retry_for',
    'on_response',
    ...(query.length > 0 ? [`query={${query.map(({ name }) => `"${name}": ${pythonName(name)}`).join(', ')}}`] : []),
    ...(body ? [`body={**body}`] : []),
  ]
  if (!operation) throw new Error(`the document has no operation for ${keyOf(fact)}`)
  const { description, codes } = aboutOf(fact, 'on_owner_needed')
  const raises = codes.length > 0 ? `\n\n        Raises ApiProblem ${codes.join(', ')}, and those of every call.` : ''
  const about = docstring(`${description}${raises}${raises ? '\n        ' : ''}`, '        ')
  const call = `self._caller.${work}(${handed.join(', ')})`
  return `    def ${pythonName(fact.method)}(self, ${[...given, '*', ...named].join(', ')}) -> ${result}:${about}
        ${result === 'None' ? call : `return ${call}`}`
}

function resultOf({ item, response, operation, row }: Facts): string {
  if (item) return `Pages[${item}]`
  if (response === 'Operation') return 'TrackedOperation'
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
  const operation = names.includes('TrackedOperation') ? ['Operation'] : []
  return [...names.filter((name) => !ours.has(name)), ...operation]
}

const ours = new Set(['Any', 'None', 'Literal', 'Pages', 'TrackedOperation'])

/** The names of schemas that a schema refers to. */
function namesIn(schema: JsonSchema): string[] {
  const text = JSON.stringify(schema)
  return [...text.matchAll(/"\$ref":"[^"]*\/(\w+)"/g)].map(([, name]) => `${name}`)
}

/** The licence of the repository. A link to it would lead out of the source distribution. */
const license = () => readFileSync(join(import.meta.dirname, '../../../../LICENSE'), 'utf8').trimEnd()

export const documents = {
  'libs/clients/python/LICENSE': license,
  'libs/clients/python/src/financial_agents/generated/models.py': pythonModels,
  'libs/clients/python/src/financial_agents/generated/methods.py': pythonMethods,
  'libs/clients/python/src/financial_agents/generated/table.py': pythonTable,
}
