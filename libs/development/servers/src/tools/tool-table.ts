// The programs that check the rendered Kubernetes resources: their accepted versions, and the version to fetch if the
// machine has none. Go builds most of them at a pinned version, and checks its downloads against its checksum database.

/** A program that the tests may use. */
export type ToolRow = {
  program: string
  /** The oldest accepted version, and the first version that is too new, if there is one. */
  from: string
  below?: string
  /** Arguments that make the program print its version, or prove that it runs if it has no version to print. */
  versionArguments: readonly string[]
  /** The package that `go install` builds, and its version. */
  goPackage?: string
  goVersion?: string
  /** Debian's package of the program, for modules that `go install` refuses because of replacements in their go.mod. */
  debianPackage?: string
  /**
   * Linker flags of the project's own release build. They set values that the program cannot read from Go's build
   * information.
   */
  linkerFlags?: string
}

/** The programs, by the name under which `getTool` finds them. */
export const toolTable = {
  helm: {
    program: 'helm',
    from: '3.18.0',
    below: '4',
    versionArguments: ['version', '--short'],
    goPackage: 'helm.sh/helm/v3/cmd/helm',
    goVersion: 'v3.22.0',
    linkerFlags: [
      '-X helm.sh/helm/v3/internal/version.version=v3.22.0',
      // The Kubernetes version that helm assumes without a cluster: the version of its client library.
      '-X helm.sh/helm/v3/pkg/chartutil.k8sVersionMajor=1 -X helm.sh/helm/v3/pkg/chartutil.k8sVersionMinor=34',
    ].join(' '),
  },
  helm4: {
    program: 'helm',
    from: '4.0.0',
    below: '5',
    versionArguments: ['version', '--short'],
    goPackage: 'helm.sh/helm/v4/cmd/helm',
    goVersion: 'v4.3.1',
    linkerFlags: '-X helm.sh/helm/v4/internal/version.version=v4.3.1',
  },
  // Releases are years apart. This was the newest commit in the module proxy, and it embeds Kubernetes 1.35.
  'kubectl-validate': {
    program: 'kubectl-validate',
    from: '0.0.4',
    versionArguments: ['--help'],
    goPackage: 'sigs.k8s.io/kubectl-validate',
    goVersion: 'v0.0.5-0.20260105161640-a97ccfaca20b',
  },
  'kube-linter': {
    program: 'kube-linter',
    from: '0.7.0',
    versionArguments: ['version'],
    goPackage: 'golang.stackrox.io/kube-linter/cmd/kube-linter',
    goVersion: 'v0.8.2',
    linkerFlags: '-X golang.stackrox.io/kube-linter/internal/version.version=0.8.2',
  },
  'kube-score': {
    program: 'kube-score',
    from: '1.18.0',
    versionArguments: ['version'],
    goPackage: 'github.com/zegl/kube-score/cmd/kube-score',
    goVersion: 'v1.20.0',
    linkerFlags: '-X main.version=1.20.0',
  },
  promtool: {
    program: 'promtool',
    from: '2.42.0',
    versionArguments: ['--version'],
    debianPackage: 'promtool',
  },
  // This program has no version to print. Its arguments prove that it interprets.
  starlark: {
    program: 'starlark',
    from: '1.0.0',
    versionArguments: ['-c', 'print("1.0.0")'],
    goPackage: 'go.starlark.net/cmd/starlark',
    goVersion: 'v0.0.0-20260908191801-89a6a09411d5',
  },
} as const satisfies Record<string, ToolRow>

export type ToolName = keyof typeof toolTable
