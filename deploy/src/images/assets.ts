/**
 * The files that a service reads from its own folder or from a package while it runs. A bundle has them beside `main.cjs`
 * and in its `node_modules`, where the same lines of code find them. The bundler refuses a source that looks at
 * `import.meta` and is not listed here.
 */

/** What one source reads. */
export type Assets = {
  /** Beside the source; in the bundle, beside `main.cjs`. */
  beside?: readonly string[]
  /** Of packages, by package. */
  packages?: Readonly<Record<string, readonly string[]>>
}

/** By source, from the root of the repository. */
export const assets: Readonly<Record<string, Assets>> = {
  'services/gateway/src/reference/reference.ts': {
    beside: ['look.css', 'start.js'],
    packages: { 'swagger-ui-dist': ['swagger-ui.css', 'swagger-ui-bundle.js'] },
  },
  'services/ops-console/src/pages/assets.ts': { beside: ['refresh.client.js'] },
}
