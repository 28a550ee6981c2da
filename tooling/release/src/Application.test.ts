import { assert, beforeAll, describe, it } from "@effect/vitest"
import { runtimes } from "@signalbox/runtimes"
import { join } from "node:path"
import { type Consumer, makeConsumer } from "./Consumer.ts"
import { packedTarballs } from "./PackedTarballs.ts"

const program = join("node_modules", "@signalbox", "cli", "dist", "main.js")

describe("the packed command line", () => {
  const packed = packedTarballs(["cli"])
  const install = (nodeVersion: string) =>
    makeConsumer({ folder: join(packed.folder, nodeVersion), tarballs: packed.all(), registry: {}, nodeVersion })

  it("cannot be installed for a Node that it does not run on", () => {
    assert.throws(() => install("22.18.0"), /ERR_PNPM_UNSUPPORTED_ENGINE/)
  })

  describe("with nothing next to it", () => {
    let consumer: Consumer
    beforeAll(() => {
      consumer = install("22.19.0")
    })

    for (const name of ["Node 22", "Node 24"] as const) {
      it(`names the command that prints events on ${name}, where there is no terminal`, () => {
        const { output, status } = consumer.run(runtimes[name], [program, "ui"])
        assert.strictEqual(status, 2, output)
        assert.match(output, /^signalbox: ui needs a terminal; use signalbox events list elsewhere$/mu)
      })
    }
  })
})
