import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync } from "node:fs"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"

const program = fileURLToPath(new URL("../../../packages/test-harness/dist/signalbox-fake.js", import.meta.url))

/** The standalone executable of the fake, which `signalbox-fake` starts. */
export interface FakeExecutable {
  readonly baseUrl: string
  readonly apiKey: string
  readonly pid: number
  readonly close: () => Promise<void>
}

/** Whether the bundled executable was built. */
export const isFakeBuilt = (): boolean => existsSync(program)

/** Starts the bundled executable and waits for the line that says it is ready. */
export const startFake = async (words: ReadonlyArray<string>): Promise<FakeExecutable> => {
  const child = spawn(process.execPath, [program, "--port", "0", ...words], { stdio: ["ignore", "pipe", "inherit"] })
  const ended = once(child, "exit")
  const line = await Promise.race([
    once(createInterface(child.stdout), "line").then(([text]) => String(text)),
    ended.then(([code]) => Promise.reject(new Error(`signalbox-fake ended with ${code} before it was ready`)))
  ])
  const { apiKey, url }: { readonly apiKey: string; readonly url: string } = JSON.parse(line)
  return {
    baseUrl: url,
    apiKey,
    // It has written a line, so it was spawned.
    pid: child.pid ?? 0,
    close: async () => {
      child.kill("SIGTERM")
      await ended
    }
  }
}
