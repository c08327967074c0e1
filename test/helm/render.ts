/** Runs helm: hermetic, against no cluster, as the Kubernetes version that it is told. */

import { execFile } from 'node:child_process'
import { chart, namespace, release } from './cases.ts'

/** What helm said. */
export type Run = { code: number; stdout: string; stderr: string }

export type RenderOptions = {
  helm: string
  values: readonly string[]
  /** Another folder than the chart's own. */
  folder?: string
  /** More values, by their paths. */
  set?: Readonly<Record<string, unknown>>
  release?: string
  namespace?: string
  kubeVersion?: string
  more?: readonly string[]
}

/** The newest that the chart is tried on. */
export const usualKubeVersion = '1.35.0'

const maxBytes = 64 * 1024 * 1024

export function run(program: string, args: readonly string[]): Promise<Run> {
  // Without anything of this machine's own: repositories, plugins, a cluster.
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

/** `helm template`, with hooks and tests. */
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
