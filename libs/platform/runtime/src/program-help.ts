/**
 * The text of `--help`: a program's commands, and the variables of each from the schema that checks them. The code does
 * not read the environment, so no value can appear.
 */

import { z } from 'zod'
import { type Command, linesOf } from './command.ts'
import type { Program } from './program.ts'

/** The help of a program: every command, and the variables of `serve`. */
export async function helpOfProgram({ name, summary, commands }: Program): Promise<string[]> {
  const modules = Object.entries(commands).map(async ([called, load]) => ({ called, ...(await load()) }))
  const all = await Promise.all(modules)
  const config = all.find(({ called }) => called === 'serve')?.command.config
  return [
    summary,
    '',
    ...section('Usage', [
      [`${name} [command]`, 'without a command: serve'],
      [`${name} <command> --help`, 'how a command is called, and which variables it takes'],
      [`${name} --version`],
    ]),
    '',
    ...section(
      'Commands',
      all.map(({ called, command }) => [called, command.summary]),
    ),
    ...(config ? ['', ...section('Variables of serve', variablesOf(config))] : []),
  ]
}

/** The help of a command: the ways to call it, its options and its variables. `prefix` stands before each way. */
export function helpOfCommand(
  name: string,
  prefix: string,
  { summary, usage, optionMeanings, config }: Command,
): string[] {
  const calls = usage?.map(([call, meaning]) => [`${prefix} ${call}`.trimStart(), meaning]) ?? [[name]]
  return [
    `${name}: ${summary}`,
    '',
    ...section('Usage', calls),
    ...(optionMeanings ? ['', ...section('Options', optionMeanings)] : []),
    ...(config ? ['', ...section('Variables', variablesOf(config))] : []),
  ]
}

function section(title: string, rows: readonly (readonly string[])[]): string[] {
  return [`${title}:`, ...linesOf(rows).map((line) => `  ${line}`)]
}

function variablesOf(config: z.ZodObject): string[][] {
  const fields = Object.entries<z.core.$ZodType>(config.shape).filter(([, schema]) => !mustBeUnset(schema))
  const rows = fields.map(([variable, schema]) => [variable, need(schema), choices(schema)])
  const required = rows.filter((row) => row[1] === 'required')
  return [...required, ...rows.filter((row) => row[1] !== 'required')]
}

function need(schema: z.core.$ZodType): string {
  const parsed = z.safeParse(schema, undefined)
  if (!parsed.success) return 'required'
  const usual: unknown = Array.isArray(parsed.data) ? parsed.data.join(',') : parsed.data
  if (usual === undefined || usual === '') return 'optional'
  return `default ${typeof usual === 'string' ? usual : JSON.stringify(usual)}`
}

function choices(schema: z.core.$ZodType): string {
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return json.enum?.join(' | ') ?? ''
}

function mustBeUnset(schema: z.core.$ZodType): boolean {
  return schema instanceof z.ZodOptional && schema.unwrap() instanceof z.ZodUndefined
}
