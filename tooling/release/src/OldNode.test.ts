import { assert, describe, it } from "@effect/vitest"
import { runtimes } from "@signalbox/runtimes"
import { beforeAll } from "vitest"
import { join } from "node:path"
import { type Consumer, makeConsumer } from "./Consumer.ts"
import { packedTarballs } from "./PackedTarballs.ts"
import { catalogVersion } from "./Repository.ts"

describe("an executable on a Node that it does not support", () => {
  const packed = packedTarballs(["test-harness", "cli"])
  let consumer: Consumer

  beforeAll(() => {
    consumer = makeConsumer({
      folder: join(packed.folder, "old-node"),
      tarballs: packed.all(),
      registry: {},
      nodeVersion: catalogVersion("node")
    })
  })

  const files = {
    signalbox: "cli/dist/main.js",
    "signalbox-fake": "test-harness/dist/signalbox-fake.js"
  }

  const run = (runtime: keyof typeof runtimes, program: keyof typeof files, word: string) =>
    consumer.run(runtimes[runtime], [join(consumer.folder, "node_modules", "@signalbox", files[program]), word])

  it.each([
    ["Node 18", "signalbox", "22.19", "18.20.8"],
    ["Node 20", "signalbox", "22.19", "20.20.2"],
    ["Node 18", "signalbox-fake", "20", "18.20.8"]
  ] as const)("%s: %s prints one sentence and exits with 2", (runtime, program, least, version) => {
    for (const word of ["--help", "--version"]) {
      assert.deepStrictEqual(run(runtime, program, word), {
        status: 2,
        output: `Signalbox needs Node ${least} or later; this is ${version}.\n`
      })
    }
  })

  it.each([
    ["Node 22", "signalbox"],
    ["Node 20", "signalbox-fake"]
  ] as const)("%s: %s runs", (runtime, program) => {
    const { output, status } = run(runtime, program, "--help")
    assert.strictEqual(status, 0, output)
    assert.include(output, "signalbox")
  })
})
