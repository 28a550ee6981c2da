/**
 * Engines of bulk runs that are broken on purpose, each in one way.
 */
import type { Files } from "@signalbox/bulk/Disk"
import * as Stream from "effect/Stream"
import * as Struct from "effect/Struct"
import type { BrokenClient } from "../BrokenClients.ts"
import { type BulkUnderTest, shippedBulk } from "./BulkRun.ts"

type Broken = BrokenClient<BulkUnderTest>

/** Files with changed bytes, of which there are as many as before. */
const rewriting =
  (rewrite: (text: string) => string) =>
  (files: Files): Files => ({
    ...files,
    open: async (path) => {
      const file = await files.open(path)
      return { ...file, write: (bytes, at) => file.write(Buffer.from(rewrite(Buffer.from(bytes).toString())), at) }
    }
  })

/** A record without meaning for a run that continues, of the same length as another one. */
const asLongAs = (record: string): string => `${'{"type":"resumed"'.padEnd(record.length - 1)}}`

let processes = 0

/** Files whose journals name another run in every process. */
const renaming = (files: Files): Files => {
  const name = String(++processes).padStart(8, "0")
  return {
    ...files,
    read: async function* (path, from) {
      for await (const bytes of files.read(path, from)) {
        yield Buffer.from(bytes.toString().replace(/("id":"\w+-\w+-)[0-9a-f]{8}/u, `$1${name}`))
      }
    }
  }
}

/** Bulk engines by their defect. */
export const brokenBulk: Readonly<Record<string, Broken>> = {
  "does not wait until its claims are durable": {
    client: {
      ...shippedBulk,
      files: (files) => ({ ...files, open: async (path) => ({ ...(await files.open(path)), sync: async () => {} }) })
    },
    finding: /appended its device token \d times/u
  },
  "sends lines that it did not claim": {
    client: {
      ...shippedBulk,
      files: rewriting((text) => text.replaceAll(/\{"type":"claimed"[^}]*\}/gu, asLongAs))
    },
    finding: /appended its device token \d times/u
  },
  "uses other keys when it resumes": {
    client: { ...shippedBulk, files: renaming },
    finding: /was applied \d times although the service honours keys/u
  },
  "sends device tokens again that may have been appended": {
    client: { ...shippedBulk, startImport: (options) => shippedBulk.startImport({ ...options, atLeastOnce: true }) },
    finding: /appended its device token \d times/u
  },
  "repeats a chunk as if it were new": {
    client: { ...shippedBulk, doChunk: (chunk, options) => shippedBulk.doChunk(chunk, { ...options, isRetry: false }) },
    finding: /appended its device token \d times/u
  },
  "reports unknown lines as failed": {
    client: {
      ...shippedBulk,
      report: (run) =>
        Stream.map(shippedBulk.report(run), (line) =>
          line.outcome === "unknown" ? { ...line, outcome: "failed" } : line
        )
    },
    finding: /is reported as failed but was applied/u
  },
  "loses lines": {
    client: { ...shippedBulk, report: (run) => Stream.filter(shippedBulk.report(run), ({ line }) => line !== 2) },
    finding: /reported the lines \[1(?:,[^2].*)?\] of/u
  },
  "forgets that a line may have been applied twice": {
    client: {
      ...shippedBulk,
      report: (run) => Stream.map(shippedBulk.report(run), Struct.omit(["mayHaveBeenAppliedTwice"]))
    },
    finding: /lines applied twice, its report has 0/u
  },
  "ignores the concurrency limit": {
    client: { ...shippedBulk, startImport: (options) => shippedBulk.startImport({ ...options, concurrency: 16 }) },
    finding: /concurrent calls, the limit is/u
  }
}
