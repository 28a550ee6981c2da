import { describe, expect, it } from "vitest"
import type { VNode } from "preact"
import { renderToString } from "preact-render-to-string"
import { liveView } from "../control/LiveView.ts"
import { createFake, Fault, manualClock } from "../index.ts"
import type { ListedEntry } from "../journal/JournalEntry.ts"
import { ActionList } from "./Actions.tsx"
import { Clock } from "./Clock.tsx"
import { Faults } from "./Faults.tsx"
import { InspectorView } from "./InspectorView.tsx"
import { initial, type Model, type Msg, tabs, update } from "./Model.ts"
import { RequestDetail, Stored } from "./RequestDetail.tsx"
import { RequestList } from "./RequestList.tsx"
import { Records } from "./State.tsx"
import { SwitchTable } from "./Switches.tsx"

/** The HTML, one row, item or block a line. */
const htmlOf = (node: VNode): string =>
  renderToString(node).replaceAll(
    /><(?=(?:article|details|div|form|h\d|header|li|main|nav|ol|p|pre|section|table|tr|ul)\b)/gu,
    ">\n<"
  )

const ignore = () => {}

/** Three requests: a rejected one, one that meets a fault, and its retry. */
const scene = async () => {
  const clock = manualClock("2026-05-01T08:00:00Z")
  const fake = createFake({ data: "empty", clock })
  const request = (path: string, init: RequestInit = {}) =>
    fake.fetch(fake.baseUrl + path, { ...init, headers: { authorization: `ApiKey ${fake.apiKey}`, ...init.headers } })
  fake.addSubscriber({ subscriberId: "ana" })
  fake.addIntegration({ providerId: "fcm" })
  fake.faults.add(Fault.status(503, { operation: "credentials.upsert", at: "validated" }))
  await request("/v1/notifications?limit=99")
  for (let attempt = 1; attempt <= 2; attempt += 1) {
    await request("/v1/subscribers/ana/credentials", {
      method: "PATCH",
      headers: { "content-type": "application/json", "idempotency-key": "k1" },
      body: JSON.stringify({ providerId: "fcm", credentials: { deviceTokens: ["token-of-a-phone"] } })
    })
    clock.advance(1500)
  }
  // The page has them from the control API, as JSON.
  const entries: ReadonlyArray<ListedEntry> = JSON.parse(JSON.stringify(fake.journal.entries()))
  return { fake, entries }
}

/** An entry with facts that are hard to produce together. */
const withFacts = (entry: ListedEntry): ListedEntry => ({
  ...entry,
  replayed: true,
  applied: false,
  headers: {},
  responseHeaders: {},
  body: "a=1",
  points: entry.points.slice(0, 2).map(({ point }, index) => ({ point, at: entry.at + index * 20 })),
  outcome: { _tag: "NoResponse", failure: "reset" },
  leaks: [
    { kind: "subscriber", id: "ana", environment: 2 },
    { kind: "message", id: "m1", environment: 3 }
  ]
})

/** Compares HTML with a file. */
const isIn = (name: string, html: string | undefined): Promise<void> =>
  expect(`${html}\n`).toMatchFileSnapshot(`./rendered/${name}.txt`)

describe("the list of requests", () => {
  const list = (entries: ReadonlyArray<ListedEntry>, requests: number, filter = "") => {
    const environments = [{ apiKey: "key", number: 1, requests, faults: [] }]
    const model = { ...initial, environments, entries: new Map([[1, entries]]), filter, request: 2 }
    return htmlOf(<RequestList model={model} send={ignore} />)
  }

  it("explains itself before the first request", async () => {
    await isIn("no-requests", list([], 0))
  })

  it("reports that no request has the words of the filter", async () => {
    const { entries } = await scene()
    expect(list(entries, 3, "nothing-like-it")).toContain("None of the last 200 requests contains these words.")
  })

  it("has a row for each request: its attempt, faults, points and outcome", async () => {
    const { entries } = await scene()
    const [first] = entries
    const pending = first === undefined ? [] : [{ ...first, outcome: { _tag: "Pending" }, points: [] } as const]
    await isIn("requests", list([...entries, ...pending], 9, "/V1"))
  })
})

describe("the details of a request", () => {
  const detail = (entry: ListedEntry | undefined) =>
    entry && htmlOf(<RequestDetail entry={entry} attempts={[entry]} apiKey="key" act={ignore} onSelect={ignore} />)

  it("show its path, its outcome and why, and its contents", async () => {
    const { entries } = await scene()
    expect(detail(entries[2])).toContain(`<b class="good">200 OK</b>`)
    await isIn("rejected", detail(entries[0]))
    await isIn("met-fault", detail(entries[1]))
    await isIn("with-facts", detail(entries[2] && withFacts(entries[2])))
  })
})

describe("the faults and the clock of an environment", () => {
  const environment = (fake: ReturnType<typeof createFake>) => {
    const view = liveView(fake)
    const found = view.next()?.environments?.[0]
    view.stop()
    if (found === undefined) throw new Error("The fake has no environment")
    return found
  }

  it("list the armed faults with their uses, and the choices for another", async () => {
    const { fake } = await scene()
    fake.faults.add(Fault.reset({ times: "always" }))
    await isIn("faults", htmlOf(<Faults environment={environment(fake)} act={ignore} />))
    fake.faults.clear()
    expect(htmlOf(<Faults environment={environment(fake)} act={ignore} />)).toContain("No faults are armed.")
  })

  it("show the time and the ways to move it, or how to get a clock that moves", async () => {
    const moved = createFake({ data: "empty", clock: manualClock("2026-05-01T08:00:00Z") })
    await isIn("clock", htmlOf(<Clock environment={environment(moved)} act={ignore} />))
    const real = createFake({ data: "empty" })
    expect(htmlOf(<Clock environment={environment(real)} act={ignore} />)).toMatchInlineSnapshot(
      `"<p class="hint">This environment uses the time of the machine. To move the time, create an environment with a clock: <code>POST /_fake/environments {&quot;clock&quot;: &quot;2026-05-01T08:00:00Z&quot;}</code></p>"`
    )
  })
})

describe("the actions of the control API", () => {
  const paths = {
    "/_fake/faults": {
      get: { summary: "Lists the armed faults", responses: { "200": {} } },
      post: { summary: "Arms a fault", requestBody: { content: {} }, responses: { "201": {} } }
    },
    "/_fake/token": { get: { summary: "The reproduction token", parameters: [], responses: {} } }
  }
  const shown = (filter: string) => htmlOf(<ActionList filter={filter} paths={paths} />)

  it("show what they take and return", async () => {
    await isIn("action", shown("arms post"))
  })

  it("are found by method, path and summary, in any case", () => {
    const found = (filter: string) =>
      [...shown(filter).matchAll(/<b>(\w+)<\/b> (\S+)/gu)].map(([, ...names]) => names.join(" "))
    expect(["GET", "/TOKEN", "lists get", "nothing"].map(found)).toEqual([
      ["GET /_fake/faults", "GET /_fake/token"],
      ["GET /_fake/token"],
      ["GET /_fake/faults"],
      []
    ])
  })
})

describe("the records of an environment", () => {
  it("are listed by kind under their ids, the last hundred of each, as JSON", async () => {
    const fake = createFake({ data: "empty", clock: manualClock("2026-05-01T08:00:00Z") })
    fake.addSubscriber({ subscriberId: "ana" })
    fake.addWorkflow({ identifier: "welcome", steps: [] })
    const records = fake.state()
    const html = htmlOf(<Records records={{ ...records, keysInFlight: ["k1"] }} />)
    const summaries = [...html.matchAll(/<summary>(.*?)<\/summary>/gu)].map(([, summary]) => summary)
    await isIn("records", summaries.join("\n"))
    expect(html).toContain(`<pre>{\n  &quot;`)
    expect(html).not.toContain("The last 100 of them")
    fake.generate({ subscribers: 100 })
    const many = htmlOf(<Records records={fake.state()} />)
    expect(many).toContain(`subscribers (101)</summary>`)
    expect(many).toContain(`<p class="hint">The last 100 of them.</p>`)
    expect(many.split("<li>")).toHaveLength(1 + 100 + 1)
  })
})

describe("the inspector", () => {
  const shown = (model: Model) => htmlOf(<InspectorView model={model} send={ignore} act={ignore} />)

  it("reports that it has no environment yet", () => {
    expect(shown(initial)).toContain(`<p class="hint">No environment yet.</p>`)
    expect(shown(initial)).toContain(`<span class="lost" role="status">not connected</span>`)
  })

  it("shows the environments, the tabs with their numbers, the notice and the panel of the tab", async () => {
    const { fake } = await scene()
    const { apiKey } = fake.environment({ data: "empty", seed: 3 })
    fake.faults.add(Fault.reset())
    await fake.fetch(`${fake.baseUrl}/v1/notifications`, { headers: { authorization: "ApiKey other" } })
    const view = liveView(fake)
    const batch: Msg = { _tag: "Batch", batch: view.next() ?? { entries: [] } }
    view.stop()
    const after = (...msgs: ReadonlyArray<Msg>) =>
      shown([{ _tag: "Connected" } as const, batch, ...msgs].reduce(update, initial))
    const html = after({ _tag: "Tab", tab: "Unmatched" }, { _tag: "Notice", text: "Done." })
    const withoutList = html.replace(/<section aria-label="Requests">.*?<\/section>/su, "")
    await isIn("inspector", withoutList.replaceAll(fake.apiKey, "KEY-1").replaceAll(apiKey, "KEY-2"))
    const panels = tabs.map((tab) => /class="notice"[^]*?<\/p>\n(.*)/u.exec(after({ _tag: "Tab", tab }))?.[1])
    await isIn("panels", panels.join("\n"))
    expect(after({ _tag: "Request", number: 2 })).toContain("<h2>#2 PATCH /v1/subscribers/ana/credentials</h2>")
    expect(after()).toContain("<small>3 of 3</small>")
  })

  it("reports that every request had a known key", async () => {
    const { fake } = await scene()
    const view = liveView(fake)
    const batch: Msg = { _tag: "Batch", batch: view.next() ?? { entries: [] } }
    view.stop()
    expect(shown([batch, { _tag: "Tab", tab: "Unmatched" } as const].reduce(update, initial))).toContain(
      `<p class="hint">Every request matched an environment by its API key.</p>`
    )
  })
})

describe("the switches", () => {
  const one = {
    name: "envelope",
    question: "Whether a body is in `data`",
    values: ["bare", "data"],
    value: "data",
    document: "bare",
    observed: "data"
  }

  it("have their question, values and presets, and a mark where they differ from the document", () => {
    const same = { ...one, name: "other", value: "bare", observed: "bare" }
    const html = htmlOf(<SwitchTable switches={[one, same]} onChange={ignore} />)
    expect(html).toContain("only changed (1)")
    expect(html).toContain("<small>Whether a body is in data</small>")
    expect(html).toContain("document: bare, observed: data")
    expect(html.split(' class="selected">')).toHaveLength(2)
    expect(html).toContain('<option selected value="data">data</option>')
  })
})

describe("a write next to what is stored", () => {
  it("shows each field, and nothing for a read", () => {
    const html = htmlOf(
      <Stored
        fields={[
          { field: "providerId", sent: '"fcm"', stored: '"fcm"', isEqual: true },
          { field: "deviceTokens", sent: "1 × <redacted>", stored: "nothing", isEqual: false }
        ]}
      />
    )
    expect(html).toContain('<td class="good">= &quot;fcm&quot;</td>')
    expect(html).toContain('<td class="fault">≠ nothing</td>')
    expect(htmlOf(<Stored fields={[]} />)).toBe("")
  })
})
