// Runs before every command of the repository, with the machine's own `node`. This file keeps to ES5, because it must
// parse on any old Node. The project brings its own Node through the lockfile. If that installation failed, pnpm only
// warns. The command would then run on the machine's Node and end in an unclear syntax error.
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
