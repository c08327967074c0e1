// The programs that judge what is rendered for Kubernetes: which versions are taken, and what is fetched where the machine has
// none. Most are built by Go at a pinned version, and Go checks what it downloads against its checksum database.

/** A program that may be wanted. */
export type ToolRow = {
  program: string
  /** The oldest version that is taken, and the first that is too new, where there is one. */
  from: string
  below?: string
  /** Lets it show that it runs, and tell its version where it knows it. */
  versionArguments: readonly string[]
  /** What `go install` builds, and at which version. */
  goPackage?: string
  goVersion?: string
  /** The package of Debian that holds it, for what Go cannot install: a module with replacements in its go.mod. */
  debianPackage?: string
  /** What the releases' own build writes into the program, because the program does not learn it from Go. */
  linkerFlags?: string
}

/** By the name under which they are asked for. */
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
      // The Kubernetes that it takes for granted where there is no cluster: that of its client.
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
  // Its releases are years apart: this is the newest commit that the module proxy had, and embeds Kubernetes 1.35.
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
  // It has no version of its own to tell: it shows that it interprets.
  starlark: {
    program: 'starlark',
    from: '1.0.0',
    versionArguments: ['-c', 'print("1.0.0")'],
    goPackage: 'go.starlark.net/cmd/starlark',
    goVersion: 'v0.0.0-20260908191801-89a6a09411d5',
  },
} as const satisfies Record<string, ToolRow>

/** A program by its name here. */
export type ToolName = keyof typeof toolTable
