/**
 * Engines of bulk runs that are broken on purpose, each in one way.
 */
import type { Files } from "@signalbox/bulk/Disk"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Struct from "effect/Struct"
import { createHash } from "node:crypto"
import type { BrokenClient } from "../Family.ts"
import { type BulkUnderTest, shippedBulk } from "./BulkRun.ts"

type Broken = BrokenClient<BulkUnderTest>

/** The commits of a journal with other records, as valid as before. */
const recommitted = (journal: string, run: string, rewrite: (records: string) => string): string =>
  journal.replaceAll(/^(\d+) \d+ [\w-]{22} (.*)$/gmu, (_, number: string, records: string) => {
    const written = rewrite(records)
    const sum = createHash("sha256").update(`${run} ${number} ${written}`).digest("base64url").slice(0, 22)
    return `${number} ${written.length} ${sum} ${written}`
  })

const runOf = (journal: string): string => /(\w+-\w+-[0-9a-f]{8})\.journal$/u.exec(journal)?.[1] ?? ""

/** Files to whose journals other records are written. */
const rewriting = (files: Files, rewrite: (records: string) => string): Files => ({
  ...files,
  open: async (path) => {
    const file = await files.open(path)
    return {
      ...file,
      write: (bytes, at) =>
        file.write(Buffer.from(recommitted(Buffer.from(bytes).toString(), runOf(path), rewrite)), at)
    }
  }
})

/** Files whose journals lack some records, and have as many bytes as before. */
const without =
  (...types: ReadonlyArray<string>) =>
  (files: Files): Files =>
    rewriting(files, (records) =>
      records.replaceAll(
        new RegExp(`\\{"type":"(?:${types.join("|")})"[^}]*\\}`, "gu"),
        (record) => `${'{"type":"resumed"'.padEnd(record.length - 1)}}`
      )
    )

let processes = 0

/** Files whose journals name another run in every process. */
const renaming = (files: Files): Files => {
  const name = String(++processes).padStart(8, "0")
  const renamed = (text: string) => text.replace(/(\w+-\w+-)[0-9a-f]{8}/u, `$1${name}`)
  return {
    // On the disk, the run keeps its name.
    ...rewriting(files, (records) => records),
    read: async function* (path, from) {
      for await (const bytes of files.read(path, from)) {
        yield path.endsWith(".journal")
          ? Buffer.from(recommitted(bytes.toString(), renamed(runOf(path)), renamed))
          : bytes
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
    client: { ...shippedBulk, files: without("claimed") },
    finding: /appended its device token \d times/u
  },
  "forgets the environment of its run": {
    client: { ...shippedBulk, files: without("environment", "key") },
    finding: /two environments|in another environment/u
  },
  "works for any environment": {
    client: {
      ...shippedBulk,
      store: (store) => ({
        ...store,
        claimEnvironment: Effect.succeed,
        take: (leaseMs) =>
          Effect.map(
            store.take(leaseMs),
            (taken) => taken && { ...taken, environment: undefined, claimedBy: undefined }
          )
      })
    },
    finding: /two environments|in another environment/u
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
  "sends lines on a worker that the storage did not claim": {
    client: {
      ...shippedBulk,
      store: (store) => ({ ...store, claim: (taken, _, ...others) => store.claim(taken, taken.claims, ...others) })
    },
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
