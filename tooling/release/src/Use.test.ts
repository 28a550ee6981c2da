import { runtimes } from "@signalbox/runtimes"
import { assert, beforeAll, describe, it } from "@effect/vitest"
import { build } from "esbuild"
import { execFileSync } from "node:child_process"
import { join } from "node:path"
import { type Consumer, makeConsumer } from "./Consumer.ts"
import { script, source } from "./ConsumerPrograms.ts"
import { packedTarballs } from "./PackedTarballs.ts"
import { catalogVersion, command } from "./Repository.ts"

/** A file for Node without a bundler; bundlers leave out more where they see the modules one by one. */
const forNode = /\/dist\/node\//

const requiring = `const { createClient } = require("@signalbox/sdk")
const node = require("@signalbox/sdk/node")
const { createFake } = require("@signalbox/test-harness")
const { apiKey, baseUrl, fetch } = createFake()
createClient({ apiKey, baseUrl, fetch }).events.list({ limit: 5 }).then(async ({ data }) => {
  await node.createClient({ apiKey, baseUrl }).close()
  console.log(data.length)
})
`

const environment = { SIGNALBOX_API_KEY: "key-of-env", SIGNALBOX_BASE_URL: "http://signalbox.test" }

/** The programs of `consumer/`, and what they print. */
const programs = {
  Tour: {
    page: 10,
    all: 25,
    sizes: [10, 10, 5],
    left: 3,
    upserted: true,
    bulk: [true, true, "Rejected"],
    marked: 0,
    notReturned: 250,
    notTried: 250,
    refused: "InvalidRequest",
    unknownSubscriber: "NotFound",
    stopped: "stop",
    derivedKey: 64,
    recovered: [true, 3],
    inTheDark: ["TransportFailure", 1],
    repeated: ["NotFound", 3],
    asAStranger: ["Unauthorized", "ApiKey key-of-env"],
    parts: [2, true, 0],
    closed: true,
    wrongOption: "timeouts.attemptMs: must be milliseconds, more than 0",
    attempts: [
      "events.list success",
      "credentials.upsert success",
      "credentials.upsert Rejected",
      "messages.markAs success",
      "messages.markAs NotFound",
      "events.list ServerFailure",
      "credentials.upsert TransportFailure"
    ],
    debug: true,
    secretsInLines: false,
    redacted: { deviceTokens: ["<redacted>"] }
  },
  NodeTour: {
    page: 10,
    all: 25,
    upserted: true,
    inTheDark: ["TransportFailure", true, true],
    refused: ["TransportFailure", false, false],
    pages: [1, 2]
  },
  EffectTour: { listed: 5, status: 200, first: 15, refused: "limit" }
} as const
type Program = keyof typeof programs

describe("the packed libraries", () => {
  // Those for programs that call the service; the others are for tools, which need a newer Node.
  const packed = packedTarballs(["core", "sdk", "test-harness"])

  const install = async (nodeVersion: string): Promise<Consumer> => {
    const registry = { effect: catalogVersion("effect"), undici: catalogVersion("undici") }
    const consumer = makeConsumer({
      folder: join(packed.folder, nodeVersion),
      tarballs: packed.all(),
      registry,
      nodeVersion
    })
    for (const program of Object.keys(programs) as ReadonlyArray<Program>) {
      consumer.write(`${program}.mjs`, await script(program))
    }
    return consumer
  }

  const installed = new Map<string, Promise<Consumer>>()

  /** The project for a version of Node, installed once. */
  const projectFor = (nodeVersion: string): Promise<Consumer> => {
    const project = installed.get(nodeVersion) ?? install(nodeVersion)
    installed.set(nodeVersion, project)
    return project
  }

  const prints = (consumer: Consumer, runtime: string, file: string, program: Program) => {
    const { output, status } = consumer.run(runtime, [file], environment)
    assert.strictEqual(status, 0, output)
    assert.deepStrictEqual(JSON.parse(output), programs[program])
  }

  it("cannot be installed for a Node that they do not run on", async () => {
    const error = await install("18.20.8").catch((reason: unknown) => String(reason))
    assert.include(error, "ERR_PNPM_UNSUPPORTED_ENGINE")
  })

  for (const name of ["Node 20", "Node 22", "Node 24"] as const) {
    describe(`on ${name}`, () => {
      const node = runtimes[name]
      let consumer: Consumer
      beforeAll(async () => {
        consumer = await projectFor(execFileSync(node, ["--version"], { encoding: "utf8" }).trim().slice(1))
      })

      for (const program of Object.keys(programs) as ReadonlyArray<Program>) {
        it(`run ${program}`, () => prints(consumer, node, `${program}.mjs`, program))
      }

      it("can be required by a CommonJS module", () => {
        consumer.write("smoke.cjs", requiring)
        const { output, status } = consumer.run(node, ["smoke.cjs"])
        assert.strictEqual(status, 0, output)
        assert.strictEqual(output.trim(), "5")
      })
    })
  }

  describe("in a project of Node 24", () => {
    let consumer: Consumer
    beforeAll(async () => {
      consumer = await projectFor(catalogVersion("node"))
    })

    // Bun replaces undici with a version without dispatchers.
    for (const program of ["Tour", "EffectTour"] as const) {
      it(`run ${program} on Bun`, () => prints(consumer, runtimes.Bun, `${program}.mjs`, program))
    }

    it("run as a bundle, of the modules and not of the files for Node", async () => {
      const { metafile } = await build({
        entryPoints: [join(consumer.folder, "EffectTour.mjs")],
        outfile: join(consumer.folder, "bundle.mjs"),
        absWorkingDir: consumer.folder,
        bundle: true,
        format: "esm",
        platform: "node",
        metafile: true,
        logLevel: "silent"
      })
      const ofCore = Object.keys(metafile.inputs).filter((file) => file.includes("@signalbox/core/dist/"))
      assert.isNotEmpty(ofCore)
      assert.deepStrictEqual(
        ofCore.filter((file) => forNode.test(file)),
        []
      )
      prints(consumer, runtimes["Node 24"], "bundle.mjs", "EffectTour")
    })

    for (const [moduleResolution, module] of [
      ["nodenext", "nodenext"],
      ["bundler", "esnext"]
    ] as const) {
      it(`type-check with skipLibCheck off and without an import of effect (${moduleResolution})`, () => {
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
        consumer.write("Tour.ts", source("Tour"))
        consumer.write("tsconfig.json", JSON.stringify({ compilerOptions, files: ["Tour.ts"] }))
        const { output, status } = consumer.run(command("tsc"), ["-p", "."])
        assert.deepStrictEqual([status, output], [0, ""])
      })
    }
  })
})
