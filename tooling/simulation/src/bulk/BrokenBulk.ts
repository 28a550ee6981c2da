/**
 * Engines of bulk runs that are broken on purpose, each in one way.
 */
import type { Files } from "@signalbox/bulk/Disk"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Struct from "effect/Struct"
import { createHash } from "node:crypto"
import { type BrokenClient, caughtBy } from "../Family.ts"
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
  "does not wait until its claims are durable": caughtBy(/appended its device token \d times/u, {
    ...shippedBulk,
    files: (files) => ({ ...files, open: async (path) => ({ ...(await files.open(path)), sync: async () => {} }) })
  }),
  "sends lines that it did not claim": caughtBy(/appended its device token \d times/u, {
    ...shippedBulk,
    files: without("claimed")
  }),
  "forgets the environment of its run": caughtBy(/two environments|in another environment/u, {
    ...shippedBulk,
    files: without("environment", "key")
  }),
  "works for any environment": caughtBy(/two environments|in another environment/u, {
    ...shippedBulk,
    store: (store) => ({
      ...store,
      claimEnvironment: Effect.succeed,
      take: (leaseMs) =>
        Effect.map(store.take(leaseMs), (taken) => taken && { ...taken, environment: undefined, claimedBy: undefined })
    })
  }),
  "uses other keys when it resumes": caughtBy(/was applied \d times although the service honours keys/u, {
    ...shippedBulk,
    files: renaming
  }),
  "sends device tokens again that may have been appended": caughtBy(/appended its device token \d times/u, {
    ...shippedBulk,
    startImport: (options) => shippedBulk.startImport({ ...options, atLeastOnce: true })
  }),
  "sends lines on a worker that the storage did not claim": caughtBy(/appended its device token \d times/u, {
    ...shippedBulk,
    store: (store) => ({ ...store, claim: (taken, _, ...others) => store.claim(taken, taken.claims, ...others) })
  }),
  "reports unknown lines as failed": caughtBy(/is reported as failed but was applied/u, {
    ...shippedBulk,
    report: (run) =>
      Stream.map(shippedBulk.report(run), (line) =>
        line.outcome === "unknown" ? { ...line, outcome: "failed" } : line
      )
  }),
  "loses lines": caughtBy(/reported the lines \[1(?:,[^2].*)?\] of/u, {
    ...shippedBulk,
    report: (run) => Stream.filter(shippedBulk.report(run), ({ line }) => line !== 2)
  }),
  "forgets that a line may have been applied twice": caughtBy(/lines applied twice, its report has 0/u, {
    ...shippedBulk,
    report: (run) => Stream.map(shippedBulk.report(run), Struct.omit(["mayHaveBeenAppliedTwice"]))
  }),
  "ignores the concurrency limit": caughtBy(/concurrent calls, the limit is/u, {
    ...shippedBulk,
    startImport: (options) => shippedBulk.startImport({ ...options, concurrency: 16 })
  })
}
