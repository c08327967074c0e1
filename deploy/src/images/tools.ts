/** The programs of libraries that have an image beside those of the services. */

/** The folder of each tool, relative to the root of the repository. */
export const tools: Readonly<Record<string, string>> = { 'provider-conformance': 'libs/provider/conformance' }

/** The folder of a program, relative to the root of the repository. */
export const folderOf = (program: string): string => tools[program] ?? `services/${program}`
