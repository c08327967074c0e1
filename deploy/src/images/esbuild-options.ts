/**
 * The options of the bundler. The output is one CommonJS file without comments and whitespace, which every process
 * would otherwise keep in memory. Names are kept, so that a stack trace names functions. CommonJS, because
 * OpenTelemetry patches `require` without an additional thread for module hooks.
 */

import { instrumentations } from '@financial-agents/runtime/telemetry-instrumentations'
import type { BuildOptions, Plugin } from 'esbuild'
import { folderOf } from './tools.ts'

/**
 * Packages that are not bundled: OpenTelemetry patches `pg` and `pino` by name, and pino loads files beside its own.
 */
export const externalPackages = ['pg', 'pino']

const common = {
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'cjs',
  metafile: true,
  legalComments: 'inline',
  minifyWhitespace: true,
  lineLimit: 200,
  logLevel: 'warning',
  // The files beside a source are copied beside the bundle.
  define: { 'import.meta.dirname': '__dirname', 'import.meta.url': 'bundleUrl' },
  banner: { js: "const bundleUrl = require('node:url').pathToFileURL(__filename).href" },
} as const satisfies BuildOptions

/**
 * The options for the programs of services, each `<service>/main.cjs`. Shared sources are parsed once and included in
 * each program.
 */
export function servicesOptions(root: string, { services, version }: { services: readonly string[]; version: string }) {
  return {
    ...common,
    absWorkingDir: root,
    entryPoints: services.map((service) => ({ in: `${folderOf(service)}/src/main.ts`, out: `${service}/main` })),
    outExtension: { '.js': '.cjs' },
    external: externalPackages,
    define: { ...common.define, 'import.meta.main': 'true', PROGRAM_VERSION: JSON.stringify(version) },
    plugins: [withoutLocales],
  } satisfies BuildOptions
}

// Zod exports the messages of all languages as one object, which no bundler can leave out. They are a tenth of a bundle,
// and no service uses them: English is imported by name, and the pages have messages of their own.
const withoutLocales: Plugin = {
  name: 'without-locales',
  setup(build) {
    build.onLoad({ filter: /[/\\]zod[/\\]v4[/\\]locales[/\\]index\.js$/ }, () => ({
      contents: "export { default as en } from './en.js'",
    }))
  },
}

/**
 * The options for the preloaded file. Without an endpoint it loads nothing: OpenTelemetry is 2 MB in a file beside it,
 * and to read and compile them takes a tenth of the start.
 */
export function preloadOptions(root: string) {
  return {
    ...common,
    absWorkingDir: root,
    banner: {},
    stdin: {
      contents:
        "if (require('./telemetry-is-on.ts').telemetryIsOn) require(__dirname + '/telemetry-sdk.cjs').startTelemetry()",
      resolveDir: `${root}/libs/platform/runtime/src`,
      sourcefile: 'libs/platform/runtime/src/preload.cjs',
    },
  } satisfies BuildOptions
}

/** The options for the file beside the preloaded one. */
export function telemetryOptions(root: string, version: string) {
  return {
    ...common,
    absWorkingDir: root,
    entryPoints: ['libs/platform/runtime/src/telemetry-sdk.ts'],
    define: { ...common.define, PROGRAM_VERSION: JSON.stringify(version) },
    plugins: [chosenAlone, whenUsed, asRequired],
  } satisfies BuildOptions
}

// OpenTelemetry's ES modules create their own `require` at run time, which no bundler can follow. Its CommonJS files do
// not.
const asRequired: Plugin = {
  name: 'as-required',
  setup(build) {
    build.onResolve({ filter: /^@opentelemetry\// }, ({ path, importer, resolveDir, kind, pluginData }) => {
      if (kind !== 'import-statement' || pluginData === asRequired) return undefined
      return build.resolve(path, { kind: 'require-call', importer, resolveDir, pluginData: asRequired })
    })
  },
}

const chosen = new Set<string>(instrumentations.map((name) => `@opentelemetry/instrumentation-${name}`))

// The automatic set imports forty instrumentations and the detectors of every cloud, and creates only those that are
// enabled.
const chosenAlone: Plugin = {
  name: 'chosen-alone',
  setup(build) {
    build.onResolve({ filter: /^@opentelemetry\/(?:instrumentation|resource-detector)-/ }, ({ path, importer }) =>
      chosen.has(path) || !importer.includes('auto-instrumentations-node')
        ? undefined
        : { path, namespace: 'not-chosen' },
    )
    build.onLoad({ filter: /.*/, namespace: 'not-chosen' }, () => ({ contents: 'module.exports = {}' }))
  },
}

// OTLP over gRPC and configuration by file each cost a fifth of the start time. They are loaded only if they are used.
// Importers ask for `__esModule`, and copy the members or inherit from the prototype: none of this is a use.
const whenUsed: Plugin = {
  name: 'when-used',
  setup(build) {
    build.onResolve(
      { filter: /^(?:@grpc\/grpc-js|@opentelemetry\/configuration)$/ },
      ({ path, resolveDir, namespace }) =>
        namespace === 'when-used' ? undefined : { path, namespace: 'when-used', pluginData: resolveDir },
    )
    build.onLoad({ filter: /.*/, namespace: 'when-used' }, ({ path, pluginData }) => ({
      contents: `const get = (_, name) => (name === '__esModule' ? undefined : require('${path}')[name])
        const members = new Proxy({}, { get })
        module.exports = new Proxy({}, { get, getPrototypeOf: () => members })`,
      resolveDir: pluginData as string,
    }))
  },
}
