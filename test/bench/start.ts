/**
 * The start of each service from its bundle, as in its image: with telemetry, without compiled code of an earlier
 * start, and with the young generation of the image. Medians of three starts.
 */

import { readFileSync } from 'node:fs'
import { getFreePort } from '@financial-agents/servers/ports'
import type { Stack } from '@financial-agents/testkit/stack'
import { type ServiceName, serviceNames } from '@financial-agents/testkit/stack-services'
import { cpuMs } from './cpu.ts'
import { say } from './measure.ts'
import type { Figures } from './targets.ts'

const starts = 3

const asInTheImage = {
  NODE_OPTIONS: '--max-semi-space-size=4',
  NODE_COMPILE_CACHE: '',
  // The discard port: exports fail, and the exporters are loaded all the same.
  OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
}

export async function benchStart(running: Stack): Promise<Figures> {
  say(`start from the bundle until /ready, with telemetry, median of ${starts}`)
  const found: { cpuS: number; rssMb: number }[] = []
  for (const name of serviceNames) {
    const one = await measure(running, name)
    say(`  ${name.padEnd(14)} ${one.cpuS.toFixed(2)} CPU s, ${one.rssMb.toFixed(0)} MB`)
    found.push(one)
  }
  say('')
  return {
    startCpuS: Math.max(...found.map(({ cpuS }) => cpuS)),
    startRssMb: Math.max(...found.map(({ rssMb }) => rssMb)),
  }
}

async function measure(running: Stack, name: ServiceName): Promise<{ cpuS: number; rssMb: number }> {
  const cpuS: number[] = []
  const rssMb: number[] = []
  for (let count = 0; count < starts; count += 1) {
    const { child } = await running.start(name, asInTheImage, name === 'gateway' ? { port: await getFreePort() } : {})
    cpuS.push(cpuMs(child.pid) / 1_000)
    rssMb.push(residentMb(child.pid))
    await child.stop()
  }
  return { cpuS: median(cpuS), rssMb: median(rssMb) }
}

function residentMb(pid: number): number {
  const kib = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return (Number(kib) * 1_024) / 1_000_000
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number
}
