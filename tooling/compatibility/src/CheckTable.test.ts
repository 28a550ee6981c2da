import { assert, describe, it } from "@effect/vitest"
import { checkClient, CheckFailed } from "@signalbox/test-harness"
import { readFileSync } from "node:fs"
import { checkedClients } from "./CheckedClients.ts"
import { reportOn, tablePage, withTables } from "./CheckTable.ts"

/** Tables as cells: a formatter aligns their columns. */
const cells = (page: string): ReadonlyArray<ReadonlyArray<string>> =>
  page
    .split("\n")
    .filter((line) => line.startsWith("| ") && !line.includes("---"))
    .map((line) => line.split("|").map((cell) => cell.trim()))

// The time limit catches hangs; it says nothing about speed.
describe("the check", { timeout: 300_000 }, () => {
  it("finds what the tables of the page show", async () => {
    const page = readFileSync(tablePage, "utf8")
    const written = await withTables(page)
    assert.deepStrictEqual(cells(page), cells(written), "run pnpm --filter @signalbox/compatibility run clients")
    assert.isAbove(cells(page).filter(([, name]) => name === "`hang`").length, 1)
  })

  it.each(["@novu/api", "axios with axios-retry", "`fetch` in a loop"])(
    "finds rules that %s breaks, each again from its token",
    async (name) => {
      const { target = { wrapFetch: (fetch: typeof globalThis.fetch) => fetch } } = checkedClients[name] ?? {}
      const { findings } = await reportOn(name, 80)
      assert.isNotEmpty(findings)
      for (const { rule, timeline, token } of findings) {
        // Only many programs together break it.
        if (rule === "retry-delays") continue
        const again: unknown = await checkClient(target, { reproduce: token }).catch((error: unknown) => error)
        assert.instanceOf(again, CheckFailed)
        const found = (again as CheckFailed).report.findings.find((finding) => finding.rule === rule)
        assert.strictEqual(withoutKeys(found?.timeline), withoutKeys(timeline))
      }
    }
  )
})

/** Keys differ in each run of a client that makes them from the platform's random bytes. */
const withoutKeys = (timeline = ""): string => timeline.replaceAll(/key \S+/gu, "key")
