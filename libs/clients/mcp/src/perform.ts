/**
 * One call of a tool, from its arguments to its answer. Arguments are checked here, so that a wrong one is answered in
 * the same form as any refusal. If the owner has to act, a host with URL elicitation is asked to open the page; any
 * other host gets the address in the answer. The owner never fills in a form in the host, and the text is only ours.
 */

import type { OwnerNeeded } from '@financial-agents/client'
import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  fromJsonSchema,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { type Answer, answer, isError } from './answer.ts'
import type { JsonSchema } from './json-schema.ts'
import { answerOf } from './outcome-of-error.ts'
import { OwnerActs } from './owner-desk.ts'
import type { Call, Dependencies, Tool } from './tool.ts'

/** The text that the owner reads beside the address. */
const asked: Readonly<Record<OwnerNeeded['kind'], string>> = {
  sign_in: 'Sign in on the page of Financial Agents and choose what this agent may do.',
  confirmation: 'The page of Financial Agents shows exactly what is asked for. Confirm or decline it there.',
  approval: 'Your provider asks for your approval. Its page shows what you approve.',
}

/** Carries out calls of one tool. */
export function performer(tool: Tool, dependencies: Dependencies, server: McpServer) {
  const schema = fromJsonSchema<Record<string, unknown>>(tool.input)
  return async (given: unknown, context: ServerContext): Promise<CallToolResult | InputRequiredResult> => {
    const sent = withoutNulls(tool, given ?? {})
    const validated = await schema['~standard'].validate(sent)
    if (validated.issues) return result(invalid(tool, sent))
    const args = validated.value
    const call: Call = { signal: context.mcpReq.signal, resume: { tool: tool.name, arguments: args } }
    const id = JSON.stringify(call.resume)
    const again = dependencies.unknown.delete(id)
    try {
      const work = (signal: AbortSignal) => {
        call.signal = signal
        return tool.run(args, call, dependencies)
      }
      const done = await dependencies.desk.during(work, { signal: call.signal, waits: !wasDeclined(context) })
      return result(done)
    } catch (error) {
      const elicited = error instanceof OwnerActs && elicitation(error.needed, context, server)
      if (elicited) return elicited
      const done = answerOf(error, { ...call, writes: tool.kind === 'write', again })
      if (done.status === 'unknown') dependencies.unknown.add(id)
      return result(done)
    }
  }
}

/** The arguments without the optional ones that are null. Hosts whose models have to fill in every member send those. */
function withoutNulls({ input }: Tool, given: object): Record<string, unknown> {
  const { properties = {}, required = [] } = input
  const isLeftOut = ([name, value]: [string, unknown]) =>
    value === null && name in properties && !required.includes(name)
  return Object.fromEntries(Object.entries(given).filter((member) => !isLeftOut(member)))
}

/** Answers calls of a tool that an option of this server has switched off. */
export function refuser({ name }: Tool, option: string) {
  const message = `This server was started with ${option}, which switches ${name} off. Nothing was sent. Only the person who starts the server can change that.`
  return async (): Promise<CallToolResult> => result(answer('refused_here', { message }))
}

/** The request to open the page; undefined if the host cannot open pages, or was already asked in this call. */
function elicitation(
  { kind, url, code }: OwnerNeeded,
  context: ServerContext,
  { server }: McpServer,
): InputRequiredResult | undefined {
  if (!opensUrls(context, server)) return undefined
  if (inputResponse(context.mcpReq.inputResponses, kind).kind !== 'missing') return undefined
  const message = code === undefined ? asked[kind] : `${asked[kind]} Enter the code there: ${code}`
  return inputRequired({ inputRequests: { [kind]: inputRequired.elicitUrl({ message, url }) } })
}

/**
 * True if the host can show an address to the person. Since the protocol of 2026-07-28, a host declares this in every
 * request; before, it declared this at the start.
 */
function opensUrls({ mcpReq }: ServerContext, server: McpServer['server']): boolean {
  const envelope = mcpReq.envelope as Record<string, ClientCapabilities | undefined> | undefined
  const declared = envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities()
  return declared?.elicitation?.url !== undefined
}

/** True if the person did not open the page. The call then does not wait for the owner. */
function wasDeclined({ mcpReq }: ServerContext): boolean {
  return Object.keys(asked).some((kind) => {
    const response = inputResponse(mcpReq.inputResponses, kind)
    return response.kind === 'elicit' && response.action !== 'accept'
  })
}

/** The answer about wrong arguments. It names each one and what to send, and repeats no given value. */
function invalid({ input }: Tool, given: Readonly<Record<string, unknown>>): Answer {
  const { properties = {}, required = [] } = input
  const names = Object.keys(properties)
  const fields = names.flatMap((path) => {
    const schema = properties[path] ?? {}
    const problem = path in given ? !fits(schema, given[path]) && 'Not valid.' : required.includes(path) && 'Missing.'
    return problem === false ? [] : [{ path, message: [problem, schema.description].filter(Boolean).join(' ') }]
  })
  if (Object.keys(given).some((name) => !names.includes(name)))
    fields.push({ path: 'arguments', message: 'There is an argument that this tool does not take: leave it out.' })
  const takes = names.map((name) => (required.includes(name) ? name : `${name}?`)).join(', ')
  const detail = names.length === 0 ? 'It takes no arguments.' : `It takes: ${takes}.`
  return answer('invalid_arguments', { problem: { code: 'invalid_arguments', detail, fields, request_id: null } })
}

function fits(schema: JsonSchema, value: unknown): boolean {
  const validated = fromJsonSchema(schema)['~standard'].validate(value)
  return 'issues' in validated ? validated.issues === undefined : true
}

function result(done: Answer): CallToolResult {
  const structuredContent = JSON.parse(JSON.stringify(done)) as Record<string, unknown>
  const content = [{ type: 'text' as const, text: JSON.stringify(structuredContent) }]
  return { content, structuredContent, ...(isError(done) && { isError: true }) }
}
