import { openBrowser, openContext } from "@signalbox/browser/Browser"
import { runtimes } from "@signalbox/runtimes"
import { execFile, spawn } from "node:child_process"
import { basename, join } from "node:path"
import { promisify } from "node:util"

/**
 * A program as every platform loads it: the module `NAME.main.mjs` that prints its result, the configuration
 * `NAME.capnp` of a worker that responds with it, and modules for a page.
 */
export interface PlatformProgram {
  readonly folder: string
  readonly name: string
  /** Modules for a page, evaluated in this order; the last one defines the global function `run`. */
  readonly scripts: ReadonlyArray<string>
}

/** Runs a program with an input; a page is opened at the origin. */
export type PlatformRun = (program: PlatformProgram, input: unknown, origin: string) => Promise<unknown>

const onRuntime =
  (runtime: string, ...words: ReadonlyArray<string>): PlatformRun =>
  async ({ folder, name }, input) => {
    const { stdout } = await promisify(execFile)(runtime, [...words, `${name}.main.mjs`, JSON.stringify(input)], {
      cwd: folder
    })
    return JSON.parse(stdout)
  }

/** The configuration of a server of workerd on a port that it prints; the first module handles requests. */
export const workerdConfig = (files: ReadonlyArray<string>): string => {
  const modules = files.map((file) => `(name = "${file}", esModule = embed "${file}")`).join(", ")
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (modules = [${modules}], compatibilityDate = "2026-01-01")),
    (name = "internet", network = (allow = ["public", "private", "local"]))
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")]
);
`
}

/** Starts a server of workerd, and returns how to send it an input. */
export const startWorkerd = async ({ folder, name }: Pick<PlatformProgram, "folder" | "name">) => {
  const words = ["serve", `${name}.capnp`, "--control-fd=3"]
  const server = spawn(runtimes.workerd, words, { cwd: folder, stdio: ["ignore", "ignore", "inherit", "pipe"] })
  // Its own stream says which port it listens on.
  const [, , , control] = server.stdio
  const port = await new Promise<number>((resolve, reject) => {
    let text = ""
    server.once("exit", () => reject(new Error("workerd did not start")))
    control?.on("data", (chunk: Buffer) => {
      text += chunk.toString()
      const found = /"event":"listen".*?"port":(\d+)/.exec(text)?.[1]
      if (found !== undefined) resolve(Number(found))
    })
  })
  return {
    send: async (input: unknown): Promise<unknown> => {
      const response = await fetch(`http://127.0.0.1:${port}`, { method: "POST", body: JSON.stringify(input) })
      return response.json()
    },
    [Symbol.dispose]: () => void server.kill()
  }
}

const onWorkerd: PlatformRun = async (program, input) => {
  using server = await startWorkerd(program)
  return await server.send(input)
}

const inChromium: PlatformRun = async ({ folder, scripts }, input, origin) => {
  const browser = await openBrowser()
  try {
    const page = await (await openContext(browser)).newPage()
    await page.goto(origin)
    await page.route("**/scripts/*", (route, request) =>
      route.fulfill({ path: join(folder, basename(request.url())), contentType: "text/javascript" })
    )
    // An import ends when the module was evaluated, which a script element does not tell. As a string, because vitest
    // replaces the imports of this file.
    for (const script of scripts) await page.evaluate(`import("/scripts/${script}").then(() => null)`)
    return await page.evaluate((given) => Reflect.get(globalThis, "run")(given), input)
  } finally {
    await browser.close()
  }
}

/** Whether there is a browser; CI always has one, and a machine without one gets a warning. */
export const hasBrowser = async (): Promise<boolean> => {
  try {
    await (await openBrowser()).close()
    return true
  } catch (error) {
    if (process.env["CI"] !== undefined || process.platform === "linux") throw error
    console.warn("NOT TESTED IN A BROWSER: Chrome is not installed on this machine")
    return false
  }
}

/** How each platform runs a program. */
export const platformRuns = {
  "Node 20": onRuntime(runtimes["Node 20"]),
  "Node 22": onRuntime(runtimes["Node 22"]),
  "Node 24": onRuntime(runtimes["Node 24"]),
  Bun: onRuntime(runtimes.Bun),
  Deno: onRuntime(runtimes.Deno, "run", "--allow-all", "--quiet"),
  workerd: onWorkerd,
  Chromium: inChromium
} as const
