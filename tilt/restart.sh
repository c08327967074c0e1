#!/bin/sh
# The entry of a development image. It runs the bundle from a folder into which Tilt can write, and restarts it when that bundle has
# changed. If the process ends by itself, the entry ends with the same exit code, so that a failed start is visible. Commands other
# than `serve`, and containers without such a folder, run the bundle of the image.

app=${APP:-/app}
live=${LIVE:-/live}

if [ "${1:-serve}" != serve ] || [ ! -w "$live" ]; then
  exec node --require "$app/telemetry.cjs" "$app/main.cjs" "$@"
fi

# Copies the bundle once only, so that a replaced bundle survives a restart of the container.
[ -e "$live/.copied" ] || { cp -R "$app/." "$live/" && : > "$live/.copied"; }

# Identifies the bundle by its change time (ctime) on this system. Its modification time comes from the writer, and may be missing.
identify() {
  stat -c '%i %s %z' "$live/main.cjs"
}

child=
stopping=
stop() {
  stopping=yes
  kill -TERM "$child" 2>/dev/null
}
trap stop TERM INT

# Waits for the process to end, also when a signal interrupts the wait.
finish() {
  wait "$child"
  code=$?
  while kill -0 "$child" 2>/dev/null; do
    wait "$child"
    code=$?
  done
}

while :; do
  running=$(identify)
  node --require "$live/telemetry.cjs" "$live/main.cjs" "$@" &
  child=$!
  while [ -z "$stopping" ] && kill -0 "$child" 2>/dev/null; do
    [ "$(identify)" = "$running" ] || break
    sleep 1 &
    wait $!
  done
  if [ -z "$stopping" ] && kill -0 "$child" 2>/dev/null; then
    echo '{"level":"info","msg":"the bundle has changed: starting again"}'
    kill -TERM "$child"
    finish
    [ -n "$stopping" ] || continue
  fi
  finish
  exit "$code"
done
