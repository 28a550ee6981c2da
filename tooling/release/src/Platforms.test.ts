import { runtimes } from "@signalbox/runtimes"
import { assert, beforeAll, describe, it } from "@effect/vitest"
import { createFake, Fault } from "@signalbox/test-harness"
import { listen } from "@signalbox/test-harness/server"
import { build } from "esbuild"
import { join } from "node:path"
import { bundlers } from "./Bundlers.ts"
import { type Consumer, makeConsumer } from "./Consumer.ts"
import type { run as runBundle } from "./consumer/Bundled.ts"
import type { run } from "./consumer/Platform.ts"
import { script } from "./ConsumerPrograms.ts"
import { packedTarballs } from "./PackedTarballs.ts"
import { hasBrowser, type PlatformProgram, platformRuns, startWorkerd, workerdConfig } from "./PlatformRuns.ts"
import { openServers } from "./PlatformServers.ts"
import { catalogVersion } from "./Repository.ts"

/** The result of the program. */
type Result = Awaited<ReturnType<typeof run>>

const main = `import { argv } from "node:process"
import { run } from "./Platform.mjs"
console.log(JSON.stringify(await run(JSON.parse(argv[2]))))
`

const worker = `import { run } from "./Platform.mjs"
export default { fetch: async (request) => Response.json(await run(await request.json())) }
`

/** A worker whose requests share a client, and that may respond before its call has ended, which ends the call. */
const sharingWorker = `import { createClient } from "@signalbox/sdk"
let shared
export default { fetch: async (request) => {
  const { deviceToken, isLeft, isOwn, options, subscriberId } = await request.json()
  const client = isOwn ? createClient(options) : (shared ??= createClient(options))
  const input = { providerId: "fcm", credentials: { deviceTokens: [deviceToken] } }
  const call = client.credentials.upsert.result(subscriberId, input)
  if (isLeft) return Response.json("left")
  const { ok, error } = await call
  return Response.json(ok ? "stored" : error.message)
} }
`

const pageScript = `import { run } from "./Platform.mjs"
globalThis.run = run
`

/** The bundles of one program that imports the SDK, and one that requires it. */
const bundles = Object.entries(bundlers).flatMap(([name, bundle]) =>
  (["mjs", "cjs"] as const).map((end) => ({ bundle, source: `Bundled.${end}`, outfile: `${name}-${end}.bundle.mjs` }))
)

const importsOfBundles = bundles.map(({ outfile }) => `import "./${outfile}"\n`).join("")

/** Calls the functions that the bundles left in the global scope. */
const runBundles = `const run = () => Promise.all(globalThis.runs.map((each) => each()))
`

describe("the packed SDK", () => {
  const packed = packedTarballs(["sdk"])
  let consumer: Consumer

  const programOf = (name: string, scripts: ReadonlyArray<string>): PlatformProgram => ({
    folder: consumer.folder,
    name,
    scripts
  })

  const bundle = (file: string, outfile: string) =>
    build({
      entryPoints: [join(consumer.folder, file)],
      outfile: join(consumer.folder, outfile),
      absWorkingDir: consumer.folder,
      bundle: true,
      format: "esm",
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
    consumer.write("Platform.main.mjs", main)
    consumer.write("worker.mjs", worker)
    consumer.write("page.mjs", pageScript)
    consumer.write("sharing.mjs", sharingWorker)
    consumer.write("Sharing.capnp", workerdConfig(["sharing.js"]))
    consumer.write("Platform.capnp", workerdConfig(["worker.js"]))
    await bundle("worker.mjs", "worker.js")
    await bundle("sharing.mjs", "sharing.js")
    await bundle("page.mjs", "page.js")

    consumer.write("Bundled.mjs", await script("Bundled"))
    consumer.write("Bundled.cjs", await script("Bundled", "cjs"))
    for (const { bundle: make, outfile, source } of bundles) await make(consumer.folder, source, outfile)
    consumer.write("Bundled.main.mjs", `${importsOfBundles}${runBundles}console.log(JSON.stringify(await run()))\n`)
    consumer.write(
      "Bundled.worker.js",
      `${importsOfBundles}${runBundles}export default { fetch: async () => Response.json(await run()) }\n`
    )
    consumer.write("Bundled.page.js", `${runBundles}globalThis.run = run\n`)
    consumer.write("Bundled.capnp", workerdConfig(["Bundled.worker.js", ...bundles.map(({ outfile }) => outfile)]))
  })

  /** Values that differ between platforms. */
  interface Platform {
    /** Whether its `fetch` says that a connection was refused. */
    readonly reportsRefusal: boolean
    /** Whether its `fetch` resends a request that the service read, and nothing can be done about it. */
    readonly resends: boolean
    readonly redirect: { readonly words: string; readonly status?: number }
  }

  const server = { reportsRefusal: true, resends: false, redirect: { words: "307", status: 307 } }

  const platforms: Readonly<Record<keyof typeof platformRuns, Platform>> = {
    "Node 20": server,
    "Node 22": server,
    "Node 24": server,
    Bun: server,
    Deno: server,
    workerd: { ...server, reportsRefusal: false },
    Chromium: {
      reportsRefusal: false,
      resends: true,
      redirect: { words: "a redirect, which the browser hides" }
    }
  }
  // The keys of an object of this repository.
  const names = Object.keys(platforms) as ReadonlyArray<keyof typeof platformRuns>

  it.each(names)("bundled by esbuild, rolldown, vite and webpack, imported and required, runs on %s", async (name) => {
    if (name === "Chromium" && !(await hasBrowser())) return
    await using servers = await openServers()
    const program = programOf("Bundled", [...bundles.map(({ outfile }) => outfile), "Bundled.page.js"])
    const results = await platformRuns[name](program, null, servers.page)
    const expected: Awaited<ReturnType<typeof runBundle>> = {
      pageSize: 10,
      subscriberId: "ada",
      refused: "InvalidRequest"
    }
    assert.lengthOf(bundles, 8)
    assert.deepStrictEqual<unknown>(
      results,
      bundles.map(() => expected)
    )
  })

  it.each(names)("runs on %s, over its own fetch", async (name) => {
    const { redirect, reportsRefusal, resends } = platforms[name]
    if (name === "Chromium" && !(await hasBrowser())) return
    await using servers = await openServers()
    const { broken, redirected, refused, ...rest } = (await platformRuns[name](
      programOf("Platform", ["page.js"]),
      servers.places,
      servers.page
    )) as Result
    assert.deepStrictEqual(rest, { walked: 25, upserted: true, tooMany: "InvalidRequest" })

    // A write that appends, on a reused connection that breaks after the service read it.
    assert.deepStrictEqual(servers.arrived, { all: resends ? 2 : 1, onReused: 1 })
    if (resends) assert.strictEqual(broken, "success")
    else assert.match(broken, /It is unknown whether the change was applied/)

    const { delivery, mayHaveBeenApplied, message } = refused
    assert.deepStrictEqual([delivery, mayHaveBeenApplied], reportsRefusal ? ["not-sent", false] : ["unknown", true])
    assert.match(message, /connection failed\b/)

    assert.include(redirected.message, redirect.words)
    assert.strictEqual(redirected.status, redirect.status)
    assert.strictEqual(redirected.reason, "UnexpectedStatus")
  })

  describe("on workerd, where nothing of a request runs after its end", () => {
    const start = async (options: object = {}) => {
      const fake = createFake({ data: "empty" })
      for (const subscriberId of ["ada", "bob"]) fake.addSubscriber({ subscriberId })
      fake.addIntegration({ providerId: "fcm" })
      const server = await listen(fake)
      const worker = await startWorkerd({ folder: consumer.folder, name: "Sharing" })
      const { apiKey } = fake
      const shared = { apiKey, baseUrl: server.url, timeouts: { attemptMs: 1_000, callMs: 30_000 }, ...options }
      const upsert = (deviceToken: string, request: object = {}) =>
        worker.send({ subscriberId: "ada", deviceToken, options: shared, ...request })
      const tokens = () => fake.state().subscribers[0]?.channels?.[0]?.credentials.deviceTokens?.toSorted()
      const stop = async () => {
        worker[Symbol.dispose]()
        await server.close()
      }
      return { fake, upsert, tokens, [Symbol.asyncDispose]: stop }
    }

    it.each([true, false])("stores all tokens of requests at the same time, with isOwn: %s", async (isOwn) => {
      await using worker = await start()
      worker.fake.faults.add(Fault.latency(100, { times: "always" }))
      const all = ["a", "b", "c"]
      const outcomes = await Promise.all(all.map((token) => worker.upsert(token, { isOwn })))
      assert.deepStrictEqual(outcomes, ["stored", "stored", "stored"])
      assert.strictEqual(await worker.upsert("d"), "stored")
      assert.deepStrictEqual(worker.tokens(), ["a", "b", "c", "d"])
    })

    it.each([
      ["a call of the same subscriber", {}, {}],
      ["the last request that may be in progress", { maxConcurrency: 1 }, { subscriberId: "bob" }]
    ])("continues after the end of %s", async (_, options, first) => {
      await using worker = await start(options)
      assert.strictEqual(await worker.upsert("lost", { ...first, isLeft: true }), "left")
      const left = worker.upsert("lost", { isLeft: true })
      assert.deepStrictEqual(await Promise.all([worker.upsert("a"), left, worker.upsert("b")]), [
        "stored",
        "left",
        "stored"
      ])
    })

    it("continues after the end of a request that waits for the rate limit", async () => {
      await using worker = await start()
      worker.fake.faults.add(Fault.rateLimited({ retryAfterMs: 2_000 }))
      const rejected = new Promise<unknown>((resolve) => worker.fake.journal.subscribe(resolve))
      const limited = worker.upsert("a")
      await rejected
      assert.strictEqual(await worker.upsert("lost", { subscriberId: "bob", isLeft: true }), "left")
      assert.deepStrictEqual(await Promise.all([limited, worker.upsert("b")]), ["stored", "stored"])
    })
  })

  it("reports not sent when Deno lacks permission", () => {
    consumer.write(
      "denied.mjs",
      `import { createClient } from "@signalbox/sdk"
const client = createClient({ apiKey: "key", baseUrl: "https://api.example.com", retry: false })
const tokens = { providerId: "fcm", credentials: { deviceTokens: "token" } }
const { error } = await client.credentials.upsert.result("ada", tokens)
console.log(error.reason.delivery, error.mayHaveBeenApplied, error.message)
// Deno keeps a program alive whose body it refused to send.
Deno.exit()`
    )
    const { output } = consumer.run(runtimes.Deno, ["run", "--no-prompt", "--quiet", "denied.mjs"])
    assert.match(output, /^not-sent false .*--allow-net flag, nothing was sent/)
  })
})
