/** Runs helm hermetically, without a cluster, for a given version of Kubernetes. */

import { execFile } from 'node:child_process'
import { chart, namespace, release } from './cases.ts'

/** The output of helm. */
export type Run = { code: number; stdout: string; stderr: string }

export type RenderOptions = {
  helm: string
  values: readonly string[]
  /** A folder other than the chart's own. */
  folder?: string
  /** Additional values, by path. */
  set?: Readonly<Record<string, unknown>>
  release?: string
  namespace?: string
  kubeVersion?: string
  more?: readonly string[]
}

/** The newest version of Kubernetes that the chart is tested with. */
export const usualKubeVersion = '1.35.0'

const maxBytes = 64 * 1024 * 1024

export function run(program: string, args: readonly string[]): Promise<Run> {
  // A folder that does not exist: keeps the machine's own repositories, plugins and clusters out.
  const nowhere = '/nonexistent'
  const env = {
    PATH: process.env['PATH'],
    HOME: nowhere,
    HELM_CONFIG_HOME: nowhere,
    HELM_CACHE_HOME: nowhere,
    HELM_DATA_HOME: nowhere,
    KUBECONFIG: nowhere,
  }
  return new Promise((resolve) => {
    execFile(program, args, { env, maxBuffer: maxBytes }, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 1
      resolve({ code, stdout, stderr })
    })
  })
}

/** Runs `helm template`, including hooks and tests. */
export function helmTemplate(options: RenderOptions): Promise<Run> {
  const { helm, values, set = {}, kubeVersion = usualKubeVersion, more = [] } = options
  return run(helm, [
    'template',
    options.release ?? release,
    options.folder ?? chart,
    '--namespace',
    options.namespace ?? namespace,
    '--kube-version',
    kubeVersion,
    ...values.flatMap((file) => ['--values', file]),
    ...Object.entries(set).flatMap(([path, value]) => ['--set-json', `${path}=${JSON.stringify(value)}`]),
    ...more,
  ])
}
