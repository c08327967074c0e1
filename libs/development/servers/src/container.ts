// Servers in containers, for machines where a Docker engine answers and has the image or can pull it. Ports are
// published on loopback under the server's own port numbers, so that a restart keeps the address. If a container cannot
// be started, the reason is logged in one line and the caller takes the next source. Only an abort ends the search.

import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

const STOP_GRACE_MS = 20_000

export type ContainerRequest = {
  image: string
  ports: { container: number; host: number }[]
  environment?: Record<string, string>
  command: string[]
  files?: { target: string; content: string }[]
  log: (line: string) => void
  signal?: AbortSignal | undefined
}

export type ServerContainer = {
  /** The host of the published ports. */
  host: string
  /** Sends SIGKILL to the server. Its data stays. */
  kill(): Promise<void>
  /** Stops the server if it runs, lets it shut down cleanly, and starts it again with its data and ports. */
  restart(): Promise<void>
  /** Ends the server and removes its data. */
  remove(): Promise<void>
}

/** Returns true if there is an address of a Docker engine. This check comes first, because loading the client is slow. */
function hasEngineAddress(): boolean {
  const { DOCKER_HOST, TESTCONTAINERS_HOST_OVERRIDE, XDG_RUNTIME_DIR } = process.env
  if (DOCKER_HOST || TESTCONTAINERS_HOST_OVERRIDE) return true
  const sockets = [
    '/var/run/docker.sock',
    join(homedir(), '.docker/run/docker.sock'),
    join(homedir(), '.docker/desktop/docker.sock'),
    join(homedir(), '.testcontainers.properties'),
    ...(XDG_RUNTIME_DIR ? [join(XDG_RUNTIME_DIR, 'docker.sock')] : []),
  ]
  return sockets.some((path) => existsSync(path))
}

/** Starts a server in a container; undefined if no engine answers or the image is not available. */
export async function findContainer(request: ContainerRequest): Promise<ServerContainer | undefined> {
  if (!hasEngineAddress()) return undefined
  try {
    return await startContainer(request)
  } catch (error) {
    request.signal?.throwIfAborted()
    const reason = error instanceof Error ? error.message : String(error)
    request.log(`${request.image} cannot run in a container (${reason.split('\n')[0]}): looking elsewhere`)
    return undefined
  }
}

async function startContainer(request: ContainerRequest): Promise<ServerContainer> {
  const { GenericContainer, ImageName, Wait, getContainerRuntimeClient } = await import('testcontainers')
  const client = await getContainerRuntimeClient()
  const image = ImageName.fromString(request.image)
  if (!(await client.image.exists(image))) {
    request.log(`pulling the image ${request.image} (first time only)`)
    await client.image.pull(image)
  }
  request.signal?.throwIfAborted()

  const isLocal = ['localhost', '127.0.0.1', '::1'].includes(client.info.containerRuntime.host)
  class LoopbackContainer extends GenericContainer {
    override async beforeContainerCreated() {
      if (!isLocal) return
      const bindings = Object.values<{ HostIp?: string }[]>(this.hostConfig.PortBindings ?? {})
      for (const binding of bindings.flat()) binding.HostIp = '127.0.0.1'
    }
  }
  const container = await new LoopbackContainer(request.image)
    .withExposedPorts(...request.ports)
    .withEnvironment(request.environment ?? {})
    .withCommand(request.command)
    .withCopyContentToContainer(request.files ?? [])
    .withWaitStrategy(Wait.forListeningPorts())
    .start()
  return {
    host: isLocal ? '127.0.0.1' : container.getHost(),
    kill: async () => {
      const running = client.container.getById(container.getId())
      await running.kill({ signal: 'SIGKILL' })
      await running.wait()
    },
    restart: () => container.restart({ timeout: STOP_GRACE_MS }),
    remove: async () => {
      await container.stop({ remove: true, removeVolumes: true })
    },
  }
}
