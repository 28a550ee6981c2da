import { assert, describe, it } from "@effect/vitest"
import { storedOptions } from "../../test/cluster/MemoryChunks.ts"
import { makeChunkState } from "./ChunkState.ts"
import type { TakenChunk } from "./ChunkStore.ts"

/** A chunk in its second pass, of which an earlier attempt claimed some lines. */
const taken: TakenChunk = {
  number: 0,
  chunk: { run: "run", kind: "import", lines: 7, ranges: [], sha256: "" },
  input: { type: "shared", location: "" },
  sealed: undefined,
  options: storedOptions,
  keysHonoured: false,
  pass: 2,
  earlier: [
    { line: 1, outcome: "succeeded", pass: 1 },
    { line: 2, outcome: "unknown", pass: 1 },
    { line: 3, outcome: "failed", pass: 1, nextGeneration: 2 },
    { line: 4, outcome: "failed", pass: 2, nextGeneration: 1 },
    { line: 5, outcome: "invalid", pass: 1 }
  ],
  claims: [[2, 6], [7]],
  claimedBy: undefined,
  isKeyExpired: true,
  environment: undefined,
  attempts: 2
}

const lines = [1, 2, 3, 4, 5, 6, 7, 8]

describe("the lines of a chunk", () => {
  it("are those that failed in an earlier pass, are unknown, or have no outcome", () =>
    assert.deepStrictEqual(lines.filter(makeChunkState(taken).isPending), [2, 3, 6, 7, 8]))

  it("are sent again with the lines and the key of their earlier request", () => {
    const fresh = { generation: 0, isInDoubt: false, isUnknown: false, isKeyExpired: false, sentWith: undefined }
    const doubt = { ...fresh, isInDoubt: true, isKeyExpired: true }
    assert.deepStrictEqual([2, 3, 6, 7, 8].map(makeChunkState(taken).factsOf), [
      { ...fresh, isUnknown: true, isKeyExpired: true, sentWith: [2, 6] },
      { ...fresh, generation: 2, sentWith: [3] },
      { ...doubt, sentWith: [2, 6] },
      { ...doubt, sentWith: [7] },
      fresh
    ])
    const { factsOf } = makeChunkState({ ...taken, isKeyExpired: false })
    assert.deepStrictEqual(
      lines.filter((line) => factsOf(line).isKeyExpired),
      []
    )
  })

  it("stay claimed until their outcome is certain", () => {
    const { claim, openClaims, outcomes, record } = makeChunkState(taken)
    assert.deepStrictEqual(openClaims(), [[2, 6], [7]])
    assert.deepStrictEqual(claim([[3], [8]]), [[2, 6], [7], [3], [8]])
    // Lines of this attempt without an outcome were not sent.
    assert.deepStrictEqual(openClaims(), [[2, 6], [7]])
    record([{ line: 6, outcome: "succeeded" }], [2])
    record([{ line: 7, outcome: "failed" }], [9])
    record([{ line: 3, outcome: "unknown" }], [])
    assert.deepStrictEqual(openClaims(), [[2, 6], [3]])
    // A request that is rejected is divided.
    assert.deepStrictEqual(claim([[2], [6]]), [[3], [8], [2], [6]])
    record([{ line: 2, outcome: "succeeded" }], [])
    assert.deepStrictEqual(openClaims(), [[3]])
    assert.deepStrictEqual(outcomes(), [
      { line: 2, outcome: "succeeded", pass: 2 },
      { line: 6, outcome: "succeeded", pass: 2 },
      { line: 7, outcome: "failed", pass: 2 },
      { line: 3, outcome: "unknown", pass: 2 }
    ])
  })
})
