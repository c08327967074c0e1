#!/bin/sh
# The entry of a development image: runs the bundle from a folder that Tilt may write into, and starts it again when the bundle there
# has changed. Where the process ends by itself this ends too, with its exit code: a service that cannot start must be seen to fail.
# Commands other than `serve`, and images without such a folder, run the bundle of the image.

app=${APP:-/app}
live=${LIVE:-/live}

if [ "${1:-serve}" != serve ] || [ ! -w "$live" ]; then
  exec node --require "$app/telemetry.cjs" "$app/main.cjs" "$@"
fi

# Once: what was replaced since survives a restart of the container.
[ -e "$live/.copied" ] || { cp -R "$app/." "$live/" && : > "$live/.copied"; }

# By when this system saw it change: its own time is that of whoever wrote it, or none.
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
