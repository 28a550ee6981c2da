import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { build } from "esbuild"
import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { runtimes } from "@signalbox/runtimes"
import { publint } from "publint"
import { formatMessage } from "publint/utils"
import { rolldown } from "rolldown"
import type { Consumer } from "./Consumer.ts"
import { makeConsumer } from "./Consumer.ts"
import type { Tarball } from "./Tarball.ts"
import { command, libraries, packLibrary, repository } from "./Tarball.ts"

const require = createRequire(import.meta.url)
const attw = join(dirname(require.resolve("@arethetypeswrong/cli/package.json")), "dist", "index.js")

const catalogVersion = (name: string): string => {
  const version = new RegExp(`^  ${name}: (\\S+)$`, "m").exec(
    readFileSync(join(repository, "pnpm-workspace.yaml"), "utf8")
  )?.[1]
  if (version === undefined) throw new Error(`${name} is not in the catalog of pnpm-workspace.yaml`)
  return version
}

// Runs wherever `fetch` does: no Node module, no test library. It exercises a read, a write and an error.
const program = `import { createClient, isSignalboxError } from "@signalbox/sdk"
import { createFake } from "@signalbox/test-harness"
const fake = createFake({ data: "demo", seed: 1 })
const client = createClient({ apiKey: fake.apiKey, baseUrl: fake.baseUrl, fetch: fake.fetch })
const page = await client.events.list({ limit: 5 })
const subscriberId = page.data[0].subscriber.subscriberId
const marked = await client.messages.markAs(subscriberId, { messageId: ["0".repeat(24)], markAs: "read" })
const refused = await client.events.list({ limit: 51 }).then(() => "accepted", (error) => isSignalboxError(error) && error.reason._tag)
await client.close()
console.log(JSON.stringify([page.data.length, marked.length, refused]))
`
const expected = '[5,0,"InvalidRequest"]'

const typedProgram = `import { createClient, isSignalboxError } from "@signalbox/sdk"
export const firstSubject = async (): Promise<string> => {
  await using client = createClient({ apiKey: "key", baseUrl: "https://notify.example" })
  try {
    const page = await client.events.list({ severity: "high", limit: 5 })
    for await (const event of client.events.list()) if (event.severity === "high") break
    const [message] = await client.messages.markAs("u_1", { messageId: "m", markAs: "read" })
    return message?.subject ?? page.data[0]?.template?.name ?? ""
  } catch (error) {
    if (isSignalboxError(error)) return error.reason._tag
    throw error
  }
}
`

const minutes = 60_000

describe("packed libraries", () => {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-release-"))
  let tarballs: ReadonlyArray<Tarball> = []
  let consumer: Consumer

  beforeAll(() => {
    tarballs = libraries.map((library) => packLibrary(library, folder))
    consumer = makeConsumer(join(folder, "consumer"), tarballs, { effect: catalogVersion("effect") })
    consumer.write("program.mjs", program)
  }, 2 * minutes)
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const prints = (program: string, words: ReadonlyArray<string>) => {
    const { output, status } = consumer.run(program, words)
    assert.deepStrictEqual([status, output.trim()], [0, expected])
  }

  for (const library of libraries) {
    const tarball = () => {
      const found = tarballs.find(({ file }) => file.includes(`signalbox-${library}-`))
      if (found === undefined) throw new Error(`${library} was not packed`)
      return found
    }

    it(`${library}: publint has nothing to say`, async () => {
      const contents = readFileSync(tarball().file)
      const { messages, pkg } = await publint({ pack: { tarball: new Uint8Array(contents).buffer }, strict: true })
      assert.deepStrictEqual(
        messages.map((message) => formatMessage(message, pkg)),
        []
      )
    })

    it(
      `${library}: its types resolve for every consumer of ES modules`,
      () => {
        const { output, status } = consumer.run(command("node"), [
          attw,
          tarball().file,
          "--profile",
          "esm-only",
          "--format",
          "ascii"
        ])
        assert.strictEqual(status, 0, output)
      },
      minutes
    )

    it(`${library}: publishes the entries it has in the workspace`, () => {
      const manifest: {
        readonly exports: Record<string, unknown>
        readonly publishConfig: { readonly exports: Record<string, unknown> }
      } = JSON.parse(readFileSync(join(tarball().folder, "package.json"), "utf8"))
      assert.deepStrictEqual(Object.keys(manifest.publishConfig.exports), Object.keys(manifest.exports))
    })

    it(`${library}: the tarball has a README and a licence, and neither tests nor build information`, () => {
      const files = execFileSync("tar", ["-tzf", tarball().file], { encoding: "utf8" }).trim().split("\n")
      assert.includeMembers(files, ["package/package.json", "package/README.md", "package/LICENSE"])
      assert.deepStrictEqual(
        files.filter((file) => /\.test\.|\.tst\.|tsbuildinfo|\/src\//.test(file)),
        []
      )
    })
  }

  for (const [name, executable] of Object.entries(runtimes)) {
    it(`run on ${name}`, () => prints(executable, ["program.mjs"]), minutes)
  }

  it("run as a neutral bundle made by esbuild", async () => {
    await build({
      entryPoints: [join(consumer.folder, "program.mjs")],
      outfile: join(consumer.folder, "esbuild.mjs"),
      absWorkingDir: consumer.folder,
      bundle: true,
      minify: true,
      format: "esm",
      platform: "neutral",
      logLevel: "silent"
    })
    prints(command("node"), ["esbuild.mjs"])
  })

  it(
    "run as a neutral bundle made by rolldown",
    async () => {
      const bundle = await rolldown({
        input: join(consumer.folder, "program.mjs"),
        cwd: consumer.folder,
        platform: "neutral",
        logLevel: "silent"
      })
      await bundle.write({ file: join(consumer.folder, "rolldown.mjs"), format: "esm", minify: true })
      await bundle.close()
      prints(command("node"), ["rolldown.mjs"])
    },
    minutes
  )

  for (const [moduleResolution, module] of [
    ["nodenext", "nodenext"],
    ["bundler", "esnext"]
  ] as const) {
    it(
      `type-check with skipLibCheck off and without an import of effect (${moduleResolution})`,
      () => {
        const compilerOptions = {
          module,
          moduleResolution,
          target: "es2023",
          lib: ["es2023", "esnext.disposable", "dom", "dom.iterable"],
          types: [],
          noEmit: true,
          strict: true,
          exactOptionalPropertyTypes: true,
          skipLibCheck: false
        }
        consumer.write("program.ts", typedProgram)
        consumer.write("tsconfig.json", JSON.stringify({ compilerOptions, files: ["program.ts"] }))
        const { output, status } = consumer.run(command("tsc"), ["-p", "."])
        assert.deepStrictEqual([status, output], [0, ""])
      },
      minutes
    )
  }
})
