import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it, onTestFinished } from "@effect/vitest"
import { event } from "../Sample.ts"
import { preload } from "@signalbox/testing/Program"
import { type Answer, serve } from "./Service.ts"
import { open } from "./Terminal.ts"

/** The clock of the program stands still, so that the guide can show its output. */
const start = Date.UTC(2026, 10, 21, 15, 4, 11)
const standingStill = preload(`
  const Real = Date
  globalThis.Date = class extends Real {
    constructor(...given) { super(...(given.length === 0 ? [${start}] : given)) }
    static now() { return ${start} }
  }
`)

const guide = readFileSync(new URL("../../../../docs/tui/README.md", import.meta.url), "utf8")

/** An incident of real size: 20,000 events over 22 hours. */
const size = 20_000
const length = 22 * 3_600_000

/** Failures of these last five hours are the incident. */
const incident = 5 * 3_600_000

type Job = NonNullable<ReturnType<typeof event>["jobs"]>[number]

/** The fields that are not there, as services leave them out. */
const without = (job: Job, field: "executionDetails" | "_templateId") =>
  field === "_templateId"
    ? { ...job, step: { ...job.step, _templateId: undefined } }
    : { ...job, executionDetails: undefined }

const withDetail = (job: Job, detail: string) => ({
  ...job,
  providerId: "acme-mail",
  executionDetails: job.executionDetails.map((one) =>
    one.status === "Failed" ? Object.assign({}, one, { detail, raw: undefined }) : one
  )
})

/** Records of every kind: steps without a field, jobs that cannot be read, causes that no rule knows. */
const recordAt = (index: number) => {
  const age = (index * length) / size
  const fails = age < incident && index % 5 === 0
  const made = event(index, { fails: fails || index % 100 === 7, subscriber: index % 400 })
  const [first, last] = made.jobs ?? []
  assert(first !== undefined && last !== undefined)
  const failed =
    index % 100 === 7 ? withDetail(last, `Boom ${index} at node ${index % 9} refused "order-${index}"`) : last
  const jobs =
    index % 50 === 3
      ? [without(first, "executionDetails")]
      : [first, index % 2 === 0 ? without(failed, "_templateId") : failed]
  return { ...made, createdAt: new Date(start - age).toISOString(), jobs }
}

const service = (): Answer => {
  const times = Array.from({ length: size }, (_, index) => start - (index * length) / size)
  return (response, { url }) => {
    const query = new URL(url, "http://service").searchParams
    const time = (name: string, otherwise: number) => Date.parse(query.get(name) ?? "") || otherwise
    const first = times.findIndex((at) => at < time("before", Number.POSITIVE_INFINITY))
    const end = times.findIndex((at) => at <= time("after", 0))
    const page = Number(query.get("page") ?? 0)
    const from = first === -1 ? size : first + page * 50
    const to = Math.min(end === -1 ? size : end, from + 50)
    const data = Array.from({ length: Math.max(0, to - from) }, (_, index) => recordAt(from + index))
    response.writeHead(200, { "content-type": "application/json" })
    response.end(JSON.stringify({ data, hasMore: to < (end === -1 ? size : end), page, pageSize: 50 }))
  }
}

describe("an incident of 20,000 events", () => {
  it("is answered with a few keys: since when, how many, of what, who can fix it", async () => {
    using other = await serve(service())
    const folder = mkdtempSync(join(tmpdir(), "signalbox-"))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const environment = {
      ...standingStill,
      SIGNALBOX_API_KEY: "key-of-a-test",
      SIGNALBOX_BASE_URL: other.url,
      XDG_STATE_HOME: folder
    }
    using terminal = open({ columns: 120, rows: 40, environment })
    await terminal.idle()
    // The first screen covers a quarter of an hour, and says so.
    assert.match(terminal.lines()[1] ?? "", /\d+ failed of \d+ readable, 13 min/u)
    assert.include(terminal.text(), "unreadable, U shows")

    terminal.send("w")
    await terminal.until(() => /of 19600 readable, 2[12] h/u.test(terminal.lines()[1] ?? ""))
    assert.include(terminal.lines()[1], "400 unreadable")

    await terminal.press("Cgg")
    assert.include(guide, terminal.lines().slice(1, 5).join("\n"))
    const [, , , , cause = ""] = terminal.lines()
    const top = terminal.lines().slice(3, 6).join("\n")
    // How many, of what, who can fix it.
    assert.match(top, /1 +\d{3} .*slack webhook missing +c fixes \d+/u)
    // Failures that no rule knows are one cause, whatever numbers and quotes their messages have.
    assert.match(top, /2 +200 .*Boom/u, cause)
    // Since when: within a few minutes of the truth.
    const since = new Date(start - incident).toISOString().slice(11, 15)
    const before = new Date(start - incident - 600_000).toISOString().slice(11, 15)
    assert.isTrue(
      [since, before].some((time) => top.includes(time)),
      top
    )

    // The smallest terminal answers the same.
    terminal.resize(60, 15)
    await terminal.resized()
    assert.match(terminal.text(), /› 1 +\d{3} slack webhook missing +c fixes \d+/u)
    assert.match(terminal.text(), new RegExp(`\\d+ subscribers, \\d workflows?, first (?:${before}|${since})`, "u"))
    terminal.resize(120, 40)
    await terminal.resized()

    await terminal.press("\r")
    assert.match(terminal.lines()[1] ?? "", /cause:webhook-url-missing/u)
    await terminal.press("c")
    assert.include(terminal.text(), "QUEUE")
    assert.isEmpty(other.writes())

    // The next session shows what is new since this one.
    await terminal.press("\u001B")
    // An escape and a key right behind it would be one key.
    await terminal.shows("C causes")
    terminal.send("q")
    await terminal.ended
    const [name = ""] = readdirSync(join(folder, "signalbox"))
    const path = join(folder, "signalbox", name)
    assert.strictEqual(statSync(path).mode & 0o777, 0o600)
    const kept = readFileSync(path, "utf8")
    assert.property(JSON.parse(kept).causes, "webhook-url-missing/chat/slack")
    assert.notMatch(kept, /u_1|Boom 7|A-|txn/u)
  })
})
