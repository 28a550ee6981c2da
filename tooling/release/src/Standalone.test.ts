import { runtimes } from "@signalbox/runtimes"
import * as sdk from "@signalbox/sdk"
import { assert, beforeAll, describe, it } from "@effect/vitest"
import { build } from "esbuild"
import { readdirSync, readFileSync, statSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { type Consumer, makeConsumer } from "./Consumer.ts"
import { script, source } from "./ConsumerPrograms.ts"
import { packedTarballs } from "./PackedTarballs.ts"
import { catalogVersion, command } from "./Repository.ts"

const require = createRequire(import.meta.url)

const printed = {
  listed: 10,
  walked: 0,
  upserted: "ada",
  refused: "events.list failed: limit: Expected a value between 1 and 50. Correct the input. Nothing was sent.",
  result: "MarkMessagesAsError"
}

const requiring = `const { createClient, isSignalboxError } = require("@signalbox/sdk")
createClient({ apiKey: "key", baseUrl: "https://api.example.com" }).events.list({ limit: 51 })
  .catch((error) => console.log(isSignalboxError(error), error.reason._tag))
`

/** An application on the major version of Effect before. */
const olderEffect = `import * as Effect from "effect/Effect"
import { createClient } from "@signalbox/sdk"
const page = { hasMore: false, data: [], page: 0, pageSize: 10 }
const fetch = async () => new Response(JSON.stringify(page))
const client = createClient({ apiKey: "key", baseUrl: "https://api.example.com", fetch })
console.log(await Effect.runPromise(Effect.map(Effect.promise(() => client.events.list()), ({ pageSize }) => pageSize)))
`

const missingPeers = `import("@signalbox/sdk/effect").catch((error) => console.log(error.message))
import("@signalbox/sdk/node").catch((error) => console.log(error.message))`

const wrongInputs = `import { anyProvider, createClient } from "@signalbox/sdk"
const { credentials } = createClient({ apiKey: "key", baseUrl: "https://api.example.com" })
void credentials.upsert("u", { providerId: "fcm", credentials: { webhookUrl: "https://hooks.test/1" } })
void credentials.upsert("u", { providerId: "fcm", credentials: { deviceToken: "token" } })
void credentials.upsert("u", { providerId: "fcmm", credentials: { deviceTokens: ["token"] } })
void credentials.upsert("u", { providerId: "grafana-on-call", credentials: { channel: "alerts" } })
void credentials.upsert("u", anyProvider("carrier-pigeon", { loft: 7 }))
`

const filesIn = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => statSync(join(folder, name)).isFile())

/** Settings of the compiler in which only the platform's types differ. */
const compilerOptions = {
  module: "nodenext",
  target: "es2022",
  noEmit: true,
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: false
}

const compilers = {
  "5.4": require.resolve("typescript-5.4/bin/tsc"),
  "5.9": require.resolve("typescript-5.9/bin/tsc")
} as const

describe("the packed SDK by itself", () => {
  const packed = packedTarballs(["sdk"])
  let consumer: Consumer
  let installed = ""

  beforeAll(async () => {
    consumer = makeConsumer({
      folder: join(packed.folder, "alone"),
      tarballs: packed.all(),
      registry: { "@types/node": catalogVersion("@types/node") },
      nodeVersion: catalogVersion("node")
    })
    installed = join(consumer.folder, "node_modules", "@signalbox", "sdk")
    consumer.write("Alone.mjs", await script("Alone"))
    consumer.write("Opened.mjs", await script("Opened"))
    consumer.write("Alone.ts", source("Alone"))
    consumer.write("require.cjs", requiring)
    consumer.write("peers.mjs", missingPeers)
  })

  const outputOf = (runtime: string, ...words: ReadonlyArray<string>) => {
    const { output, status } = consumer.run(runtime, words)
    assert.strictEqual(status, 0, output)
    return output.trim()
  }

  it("is one package of at most 500 KB, without dependencies or required peers", () => {
    const { dependencies, peerDependenciesMeta } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"))
    assert.strictEqual(dependencies, undefined)
    assert.deepStrictEqual(peerDependenciesMeta, {
      "@signalbox/core": { optional: true },
      undici: { optional: true }
    })
    const packages = readdirSync(join(consumer.folder, "node_modules", ".pnpm"))
    assert.deepStrictEqual(
      packages.filter((name) => /^(?:effect|@signalbox\+core)@/.test(name)),
      []
    )
    const bytes = filesIn(installed).reduce((total, name) => total + statSync(join(installed, name)).size, 0)
    assert.isAtMost(bytes, 500_000)
  })

  it("has the licence of the code that is inlined", () => {
    assert.include(readFileSync(join(installed, "dist", "THIRD-PARTY-NOTICES.txt"), "utf8"), "Effectful Technologies")
  })

  for (const runtime of ["Node 20", "Node 22", "Node 24", "Bun", "Deno"] as const) {
    const words = runtime === "Deno" ? ["run", "--allow-all", "--quiet"] : []
    it(`runs on ${runtime}`, () => {
      assert.deepStrictEqual(JSON.parse(outputOf(runtimes[runtime], ...words, "Alone.mjs")), printed)
    })
    it(`can be required on ${runtime}`, () => {
      assert.include(outputOf(runtimes[runtime], ...words, "require.cjs"), "true InvalidRequest")
    })
  }

  it("exports what its sources export, and nothing else", () => {
    consumer.write(
      "exports.mjs",
      `import * as sdk from "@signalbox/sdk"\nconsole.log(JSON.stringify(Object.keys(sdk)))`
    )
    assert.deepStrictEqual(JSON.parse(outputOf(runtimes["Node 24"], "exports.mjs")), Object.keys(sdk).toSorted())
  })

  it("is opened in few files by Node", () => {
    const files = outputOf(runtimes["Node 24"], "Opened.mjs").split("\n")
    assert.isAtMost(files.length, 8)
    assert.isTrue(files.every((url) => url.includes("/@signalbox/sdk/dist/")))
  })

  it("names the packages that the entries for Effect and undici need", () => {
    const output = outputOf(runtimes["Node 24"], "peers.mjs")
    assert.match(output, /Cannot find package '(?:effect|@signalbox\/core)'/)
    assert.match(output, /Cannot find package 'undici'/)
  })

  it("leaves all but the guard out of a bundle that uses only the guard", async () => {
    const { outputFiles } = await build({
      stdin: { contents: `export { isSignalboxError } from "@signalbox/sdk"`, resolveDir: consumer.folder },
      bundle: true,
      minify: true,
      write: false,
      format: "esm",
      logLevel: "silent"
    })
    assert.isAtMost(outputFiles[0]?.contents.byteLength ?? Infinity, 200)
  })

  it("has declarations whose examples import what was installed", () => {
    const dist = join(installed, "dist")
    const declarations = filesIn(dist).filter((name) => name.endsWith(".d.ts") && name !== "effect.d.ts")
    const text = declarations.map((name) => readFileSync(join(dist, name), "utf8")).join("\n")
    const imported = [...text.matchAll(/^\s*\* import .* from "(.+)"$/gm)].map(([, specifier]) => specifier)
    assert.isAtLeast(imported.length, 10)
    // The example of a dispatcher needs undici, which the entry for Node needs, too.
    assert.deepStrictEqual(
      imported.filter((specifier) => !/^@signalbox\/sdk(?:\/node)?$|^undici$/.test(specifier ?? "")),
      []
    )
  })

  it("has type errors that name the allowed providers and fields", () => {
    consumer.write("wrong.ts", wrongInputs)
    const { output, status } = consumer.run(process.execPath, [
      compilers["5.9"],
      "--noEmit",
      "--strict",
      "--skipLibCheck",
      "--target",
      "es2022",
      "--module",
      "nodenext",
      "wrong.ts"
    ])
    assert.notStrictEqual(status, 0)
    assert.include(output, `'webhookUrl' does not exist in type 'Pick<KnownCredentials, "deviceTokens">'`)
    assert.include(
      output,
      `'deviceToken' does not exist in type 'Pick<KnownCredentials, "deviceTokens">'. Did you mean`
    )
    assert.match(output, /Type '"fcmm"' is not assignable to type '[^']*"fcm"[^']*'. Did you mean '"fcm"'\?/)
    assert.match(output, /'channel' does not exist in type 'Pick<KnownCredentials, [^>]*"alertUid"[^>]*>'/)
    assert.notInclude(output, "[escape]")
    assert.strictEqual(output.match(/error TS/g)?.length, 4)
  })

  for (const version of ["5.4", "5.9", "7"] as const) {
    for (const [platform, settings] of [
      ["@types/node", { lib: ["es2022"], types: ["node"] }],
      ["dom", { lib: ["es2022", "dom", "dom.iterable"], types: [] }]
    ] as const) {
      it(`type-checks with its declarations on TypeScript ${version} with ${platform} alone, and loads none of Effect's`, () => {
        const config = `tsconfig.${version}.${settings.types.length}.json`
        consumer.write(
          config,
          JSON.stringify({ compilerOptions: { ...compilerOptions, ...settings }, files: ["Alone.ts"] })
        )
        const words = ["-p", config, "--listFiles"]
        const { output, status } =
          version === "7"
            ? consumer.run(command("tsc"), words)
            : consumer.run(process.execPath, [compilers[version], ...words])
        assert.strictEqual(status, 0, output)
        assert.notMatch(output, /node_modules\/(?:\.pnpm\/)?effect/)
      })
    }
  }

  it("type-checks in CommonJS, where the compiler knows that `require` loads modules", () => {
    consumer.write("required.cts", `import { createClient } from "@signalbox/sdk"\nexport const make = createClient\n`)
    const settings = { lib: ["es2022", "dom"], types: [] }
    consumer.write(
      "tsconfig.cjs.json",
      JSON.stringify({ compilerOptions: { ...compilerOptions, ...settings }, files: ["required.cts"] })
    )
    assert.deepStrictEqual(consumer.run(command("tsc"), ["-p", "tsconfig.cjs.json"]), { status: 0, output: "" })
    assert.match(readFileSync(join(installed, "README.md"), "utf8"), /CommonJS.*5\.8.*nodenext/)
  })

  it("fails to type-check with the old resolution of modules, which does not know `exports`", () => {
    const settings = { module: "es2022", moduleResolution: "node10", lib: ["es2022"], types: [] }
    consumer.write(
      "tsconfig.node10.json",
      JSON.stringify({ compilerOptions: { ...compilerOptions, ...settings }, files: ["Alone.ts"] })
    )
    const { output } = consumer.run(process.execPath, [compilers["5.9"], "-p", "tsconfig.node10.json"])
    assert.match(
      output,
      /Cannot find module '@signalbox\/sdk'.*\n.*Consider updating to 'node16', 'nodenext', or 'bundler'/
    )
    assert.match(readFileSync(join(installed, "README.md"), "utf8"), /moduleResolution.*node10/)
  })

  it("runs in an application that uses the major version of Effect before", () => {
    const { version } = JSON.parse(
      readFileSync(join(dirname(require.resolve("effect-3/package.json")), "package.json"), "utf8")
    )
    const older = makeConsumer({
      folder: join(packed.folder, "older"),
      tarballs: packed.all(),
      registry: { effect: version },
      nodeVersion: catalogVersion("node")
    })
    older.write("app.mjs", olderEffect)
    const { output, status } = older.run(runtimes["Node 24"], ["app.mjs"])
    assert.strictEqual(status, 0, output)
    assert.strictEqual(output.trim(), "10")
  })
})
