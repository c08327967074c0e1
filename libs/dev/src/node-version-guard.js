// Run before every entry of the repository, by whatever `node` the machine has: this file must parse on any old Node, so it
// keeps to ES5. The project brings its own Node through the lockfile; where that install failed, pnpm only warns and the
// script would go on with the machine's Node and end in a syntax error that names nothing.
'use strict'

var wantedMajor = 24

if (parseInt(process.versions.node, 10) < wantedMajor) {
  process.stderr.write(
    'Node.js ' +
      wantedMajor +
      ' or newer is needed and this is ' +
      process.versions.node +
      ' (' +
      process.execPath +
      '): run "npx -y pnpm@12 install", which brings it on Linux, or install it from https://nodejs.org\n',
  )
  process.exit(1)
}
