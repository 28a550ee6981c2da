import { openBrowser, openContext } from "@signalbox/browser/Browser"
import { runtimes } from "@signalbox/runtimes"
import { assert, beforeAll, describe, it } from "@effect/vitest"
import { build } from "esbuild"
import { execFile, spawn } from "node:child_process"
import { join } from "node:path"
import { promisify } from "node:util"
import { type Consumer, makeConsumer } from "./Consumer.ts"
import type { Places, run } from "./consumer/Platform.ts"
import { script } from "./ConsumerPrograms.ts"
import { packedTarballs } from "./PackedTarballs.ts"
import { openServers } from "./PlatformServers.ts"
import { catalogVersion } from "./Repository.ts"

/** What the program returns. */
type Result = Awaited<ReturnType<typeof run>>

const main = `import { argv } from "node:process"
import { run } from "./Platform.mjs"
console.log(JSON.stringify(await run(JSON.parse(argv[2]))))
`

const worker = `import { run } from "./Platform.mjs"
export default { fetch: async (request) => Response.json(await run(await request.json())) }
`

const pageScript = `import { run } from "./Platform.mjs"
globalThis.run = run
`

/** The configuration of a server of workerd on a port that it prints. */
const workerdConfig = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (
      modules = [(name = "worker", esModule = embed "worker.js")],
      compatibilityDate = "2026-01-01"
    )),
    (name = "internet", network = (allow = ["public", "private", "local"]))
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")]
);
`

describe("the packed SDK over the platform's own fetch", () => {
  const packed = packedTarballs(["sdk"])
  let consumer: Consumer

  const bundle = (file: string, outfile: string, format: "esm" | "iife") =>
    build({
      entryPoints: [join(consumer.folder, file)],
      outfile: join(consumer.folder, outfile),
      absWorkingDir: consumer.folder,
      bundle: true,
      format,
      platform: "neutral",
      logLevel: "silent"
    })

  beforeAll(async () => {
    consumer = makeConsumer({
      folder: join(packed.folder, "platforms"),
      tarballs: packed.all(),
      registry: {},
      nodeVersion: catalogVersion("node")
    })
    consumer.write("Platform.mjs", await script("Platform"))
    consumer.write("main.mjs", main)
    consumer.write("worker.mjs", worker)
    consumer.write("page.mjs", pageScript)
    consumer.write("workerd.capnp", workerdConfig)
    await bundle("worker.mjs", "worker.js", "esm")
    await bundle("page.mjs", "page.js", "iife")
  })

  const onRuntime =
    (runtime: string, ...words: ReadonlyArray<string>) =>
    async (places: Places): Promise<Result> => {
      const { stdout } = await promisify(execFile)(runtime, [...words, "main.mjs", JSON.stringify(places)], {
        cwd: consumer.folder
      })
      return JSON.parse(stdout)
    }

  const onWorkerd = async (places: Places): Promise<Result> => {
    const words = ["serve", "workerd.capnp", "--control-fd=3"]
    const server = spawn(runtimes.workerd, words, {
      cwd: consumer.folder,
      stdio: ["ignore", "ignore", "inherit", "pipe"]
    })
    try {
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
      const response = await fetch(`http://127.0.0.1:${port}`, { method: "POST", body: JSON.stringify(places) })
      return (await response.json()) as Result
    } finally {
      server.kill()
    }
  }

  /** Whether there is a browser; CI always has one, and a machine without one gets a warning. */
  const hasBrowser = async (): Promise<boolean> => {
    try {
      await (await openBrowser()).close()
      return true
    } catch (error) {
      if (process.env["CI"] !== undefined || process.platform === "linux") throw error
      console.warn("NOT TESTED IN A BROWSER: Chrome is not installed on this machine")
      return false
    }
  }

  const inChromium = async (places: Places, origin: string): Promise<Result> => {
    const browser = await openBrowser()
    try {
      const page = await (await openContext(browser)).newPage()
      await page.goto(origin)
      await page.addScriptTag({ path: join(consumer.folder, "page.js") })
      return await page.evaluate<Result, Places>((given) => Reflect.get(globalThis, "run")(given), places)
    } finally {
      await browser.close()
    }
  }

  /** What differs between platforms. */
  interface Platform {
    readonly run: (places: Places, origin: string) => Promise<Result>
    /** Whether its `fetch` says that a connection was refused. */
    readonly reportsRefusal: boolean
    /** Whether its `fetch` resends a request that the service read, and nothing can be done about it. */
    readonly resends: boolean
    readonly redirect: { readonly words: string; readonly status?: number }
  }

  const server = { reportsRefusal: true, resends: false, redirect: { words: "307", status: 307 } }

  const platforms: Readonly<Record<string, Platform>> = {
    "Node 20": { ...server, run: onRuntime(runtimes["Node 20"]) },
    "Node 22": { ...server, run: onRuntime(runtimes["Node 22"]) },
    "Node 24": { ...server, run: onRuntime(runtimes["Node 24"]) },
    Bun: { ...server, run: onRuntime(runtimes.Bun) },
    Deno: { ...server, run: onRuntime(runtimes.Deno, "run", "--allow-all", "--quiet") },
    workerd: { ...server, reportsRefusal: false, run: onWorkerd },
    Chromium: {
      run: inChromium,
      reportsRefusal: false,
      resends: true,
      redirect: { words: "a redirect, which the browser hides" }
    }
  }

  it.each(Object.entries(platforms))("runs on %s", async (name, { redirect, reportsRefusal, resends, run: runOn }) => {
    if (name === "Chromium" && !(await hasBrowser())) return
    await using servers = await openServers()
    const { broken, redirected, refused, ...rest } = await runOn(servers.places, servers.page)
    assert.deepStrictEqual(rest, { walked: 25, upserted: true, tooMany: "InvalidRequest" })

    // A write that appends, on a reused connection that breaks after the service read it.
    assert.deepStrictEqual(servers.arrived, { all: resends ? 2 : 1, onReused: 1 })
    if (resends) assert.strictEqual(broken, "success")
    else assert.match(broken, /It is unknown whether the change was applied/)

    const { delivery, mayHaveBeenApplied, message } = refused
    assert.deepStrictEqual([delivery, mayHaveBeenApplied], reportsRefusal ? ["not-sent", false] : ["unknown", true])
    assert.match(message, /connection failed\b.*(?:nothing was sent|unknown whether the request arrived)/)

    assert.include(redirected.message, redirect.words)
    assert.strictEqual(redirected.status, redirect.status)
    assert.strictEqual(redirected.reason, "UnexpectedStatus")
  })
})
