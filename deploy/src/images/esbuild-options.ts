/**
 * How the bundler is asked. One CommonJS file without what only people read, which every process would keep in memory; names
 * stay, so that a stack trace says where it was. CommonJS, because OpenTelemetry patches what is required, without a
 * thread that hooks modules.
 */

import { instrumentations } from '@financial-agents/runtime/telemetry-instrumentations'
import type { BuildOptions, Plugin } from 'esbuild'

/** Packages that stay packages: they are patched by their names, and pino looks for files beside its own. */
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
  // What a source finds beside itself lies beside the bundle.
  define: { 'import.meta.dirname': '__dirname', 'import.meta.url': 'bundleUrl' },
  banner: { js: "const bundleUrl = require('node:url').pathToFileURL(__filename).href" },
} as const satisfies BuildOptions

/** Of the programs of services, each `<service>/main.cjs`. What they share is read once, and is in each of them. */
export function servicesOptions(root: string, { services, version }: { services: readonly string[]; version: string }) {
  return {
    ...common,
    absWorkingDir: root,
    entryPoints: services.map((service) => ({ in: `services/${service}/src/main.ts`, out: `${service}/main` })),
    outExtension: { '.js': '.cjs' },
    external: externalPackages,
    define: { ...common.define, PROGRAM_VERSION: JSON.stringify(version) },
  } satisfies BuildOptions
}

/** Of what is preloaded. It has the condition first, so that nothing is made without an endpoint. */
export function telemetryOptions(root: string, version: string) {
  return {
    ...common,
    absWorkingDir: root,
    stdin: {
      contents: "if (require('./trace.ts').telemetryIsOn) require('./telemetry-sdk.ts').startTelemetry()",
      resolveDir: `${root}/libs/runtime/src`,
      sourcefile: 'libs/runtime/src/preload.cjs',
    },
    define: { ...common.define, PROGRAM_VERSION: JSON.stringify(version) },
    plugins: [chosenAlone, whenUsed, asRequired],
  } satisfies BuildOptions
}

// OpenTelemetry's ES modules make a `require` of their own at run time, which no bundler can follow; its CommonJS has none.
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

// The automatic set names forty instrumentations and the detectors of every cloud, and makes those alone that it is told to.
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

// OTLP over gRPC and configuration by file: each a fifth of the start, for those who choose them.
const whenUsed: Plugin = {
  name: 'when-used',
  setup(build) {
    build.onResolve(
      { filter: /^(?:@grpc\/grpc-js|@opentelemetry\/configuration)$/ },
      ({ path, resolveDir, namespace }) =>
        namespace === 'when-used' ? undefined : { path, namespace: 'when-used', pluginData: resolveDir },
    )
    build.onLoad({ filter: /.*/, namespace: 'when-used' }, ({ path, pluginData }) => ({
      contents: `module.exports = new Proxy({}, { get: (_, name) => require('${path}')[name] })`,
      resolveDir: pluginData as string,
    }))
  },
}
