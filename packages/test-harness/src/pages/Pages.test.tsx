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

describe("the list of requests", () => {
  const list = (entries: ReadonlyArray<ListedEntry>, requests: number, filter = "") => {
    const environments = [{ apiKey: "key", number: 1, requests, faults: [] }]
    const model = { ...initial, environments, entries: new Map([[1, entries]]), filter, request: 2 }
    return htmlOf(<RequestList model={model} send={ignore} />)
  }

  it("explains itself before the first request", () => {
    expect(list([], 0)).toMatchInlineSnapshot(`
      "<p class="bar"><input type="search" placeholder="Filter: path, status, fault … (/)" aria-label="Filter" value/><small>0 of 0</small></p>
      <div class="hint">
      <p>No requests yet.</p>
      <p>Send one to this server with the key of the environment, for example from a shell:</p>
      <pre>curl /v1/notifications \\
        -H &quot;Authorization: ApiKey key&quot;</pre>
      <p>State, faults and switches of the environment are in the tabs.</p>
      <p>Keys: j and k select a request, / filters, p pauses, 1 to 7 open a tab, Escape returns to the newest request.</p></div>"
    `)
  })

  it("has a row for each request: its attempt, faults, points and outcome", async () => {
    const { entries } = await scene()
    const [first] = entries
    const pending = first === undefined ? [] : [{ ...first, outcome: { _tag: "Pending" }, points: [] } as const]
    expect(list([...entries, ...pending], 9, "/V1")).toMatchInlineSnapshot(`
      "<p class="bar"><input type="search" placeholder="Filter: path, status, fault … (/)" aria-label="Filter" value="/V1"/><small>4 of 9</small></p>
      <table class="requests"><thead>
      <tr><th scope="col">#</th><th scope="col">Time</th><th scope="col">Request</th><th scope="col">Progress</th><th scope="col">Outcome</th></tr></thead><tbody>
      <tr class="call"><th scope="rowgroup" colspan="5">call 2: credentials.upsert ana, key k1 — <span class>applied 1 ×; the client saw a success</span></th></tr>
      <tr class="request selected"><td class="number">2</td><td class="time">08:00:00.000</td><td class="what"><button type="button" class="link" aria-current="true">PATCH /v1/subscribers/ana/credentials</button><small class="fault"> ⚡ status 503 at validated</small></td><td class="lane"><svg class="lane bad" viewBox="0 0 140 16" role="img" aria-label="4 of 5 points, last: answered"><title>4 of 5 points, last: answered</title><line x1="0" x2="140" y1="8" y2="8"></line><line class="point" x1="2" x2="2" y1="1" y2="15"></line><line class="point" x1="2" x2="2" y1="1" y2="15"></line><line class="point" x1="2" x2="2" y1="1" y2="15"></line><line class="point" x1="2" x2="2" y1="1" y2="15"></line><rect x="2" y="4" height="8" rx="2" width="6"></rect></svg></td><td class="outcome bad">503 Service Unavailable <small>0 ms</small></td></tr>
      <tr class="request"><td class="number">3</td><td class="time">+1500 ms</td><td class="what"><button type="button" class="link" aria-current="false">PATCH /v1/subscribers/ana/credentials</button><small> attempt 2</small></td><td class="lane"><svg class="lane good" viewBox="0 0 140 16" role="img" aria-label="5 of 5 points, last: answered, applied"><title>5 of 5 points, last: answered, applied</title><line x1="0" x2="140" y1="8" y2="8"></line><line class="point" x1="132" x2="132" y1="1" y2="15"></line><line class="point" x1="132" x2="132" y1="1" y2="15"></line><line class="point" x1="132" x2="132" y1="1" y2="15"></line><line class="point" x1="132" x2="132" y1="1" y2="15"></line><line class="point" x1="132" x2="132" y1="1" y2="15"></line><rect x="132" y="4" height="8" rx="2" width="6"></rect><circle cx="135" cy="8" r="3"></circle></svg></td><td class="outcome good">200 OK <small>0 ms</small></td></tr>
      <tr class="call"><th scope="rowgroup" colspan="5">call 1: events.list  — <span class>the client is waiting</span></th></tr>
      <tr class="request"><td class="number">1</td><td class="time">08:00:00.000</td><td class="what"><button type="button" class="link" aria-current="false">GET /v1/notifications?limit=99</button></td><td class="lane"><svg class="lane bad" viewBox="0 0 140 16" role="img" aria-label="3 of 5 points, last: answered"><title>3 of 5 points, last: answered</title><line x1="0" x2="140" y1="8" y2="8"></line><line class="point" x1="2" x2="2" y1="1" y2="15"></line><line class="point" x1="2" x2="2" y1="1" y2="15"></line><line class="point" x1="2" x2="2" y1="1" y2="15"></line><rect x="2" y="4" height="8" rx="2" width="6"></rect></svg></td><td class="outcome bad">400 Bad Request <small>0 ms</small></td></tr>
      <tr class="request"><td class="number">1</td><td class="time">+0 ms</td><td class="what"><button type="button" class="link" aria-current="false">GET /v1/notifications?limit=99</button></td><td class="lane"><svg class="lane pending" viewBox="0 0 140 16" role="img" aria-label="0 of 5 points, last: none"><title>0 of 5 points, last: none</title><line x1="0" x2="140" y1="8" y2="8"></line><rect x="2" y="4" height="8" rx="2" width="6"></rect></svg></td><td class="outcome pending">pending <small>0 ms</small></td></tr></tbody></table>"
    `)
  })
})

describe("the details of a request", () => {
  const detail = (entry: ListedEntry | undefined) =>
    entry && htmlOf(<RequestDetail entry={entry} attempts={[entry]} apiKey="key" act={ignore} onSelect={ignore} />)

  it("show its path, its outcome and why, and its contents", async () => {
    const { entries } = await scene()
    expect(detail(entries[2])).toContain(`<b class="good">200 OK</b>`)
    expect(detail(entries[0])).toMatchInlineSnapshot(`
      "<article><button type="button" class="back">← All requests</button>
      <h2>#1 GET /v1/notifications?limit=99</h2>
      <p class="bar"><b class="bad">400 Bad Request</b> <span>in 0 ms</span></p>
      <p class="bad">limit must not be greater than 50</p>
      <p>Call 1: the client saw a failure</p>
      <ol class="points">
      <li class="on"><b>received</b> <span>+0 ms</span></li>
      <li class><b>validated</b> <span>not reached</span></li>
      <li class><b>committed</b> <span>not reached</span></li>
      <li class="on"><b>answering</b> <span>+0 ms</span></li>
      <li class="on"><b>answered</b> <span>+0 ms</span></li></ol>
      <p class="bar"><span>Copy as</span><button type="button">curl</button><button type="button">pytest</button><button type="button">TypeScript</button></p><dl>
      <div><dt>operation</dt><dd>events.list</dd></div>
      <div><dt>arrived</dt><dd>2026-05-01 08:00:00.000Z</dd></div>
      <div><dt>effect</dt><dd>none</dd></div></dl>
      <details><summary>Request headers</summary>
      <pre>{
        &quot;authorization&quot;: &quot;&lt;redacted>&quot;
      }</pre></details>
      <details><summary>Response headers</summary>
      <pre>{
        &quot;content-type&quot;: &quot;application/json; charset=utf-8&quot;,
        &quot;date&quot;: &quot;Fri, 01 May 2026 08:00:00 GMT&quot;
      }</pre></details></article>"
    `)
    expect(detail(entries[1])).toMatchInlineSnapshot(`
      "<article><button type="button" class="back">← All requests</button>
      <h2>#2 PATCH /v1/subscribers/ana/credentials</h2>
      <p class="bar"><b class="bad">503 Service Unavailable</b> <span>in 0 ms</span></p>
      <p class="bad">fault: status 503; met the fault status 503 at validated</p>
      <p>Call 2: applied 0 ×; the client saw a failure</p>
      <ol class="points">
      <li class="on"><b>received</b> <span>+0 ms</span></li>
      <li class="on"><b>validated</b> <span>+0 ms</span><span class="fault">⚡ status 503 at validated</span></li>
      <li class><b>committed</b> <span>not reached</span></li>
      <li class="on"><b>answering</b> <span>+0 ms</span></li>
      <li class="on"><b>answered</b> <span>+0 ms</span></li></ol>
      <p class="bar"><span>Copy as</span><button type="button">curl</button><button type="button">pytest</button><button type="button">TypeScript</button></p>
      <details open><summary>Request body</summary>
      <pre>{
        &quot;providerId&quot;: &quot;fcm&quot;,
        &quot;credentials&quot;: {
          &quot;deviceTokens&quot;: [
            &quot;&lt;redacted>&quot;
          ]
        }
      }</pre></details><dl>
      <div><dt>operation</dt><dd>credentials.upsert</dd></div>
      <div><dt>arrived</dt><dd>2026-05-01 08:00:00.000Z</dd></div>
      <div><dt>idempotency key</dt><dd>k1</dd></div>
      <div><dt>effect</dt><dd>none</dd></div>
      <div><dt>faults</dt><dd>status 503 at validated</dd></div></dl>
      <details><summary>Request headers</summary>
      <pre>{
        &quot;authorization&quot;: &quot;&lt;redacted>&quot;,
        &quot;content-type&quot;: &quot;application/json&quot;,
        &quot;idempotency-key&quot;: &quot;k1&quot;
      }</pre></details>
      <details><summary>Response headers</summary>
      <pre>{
        &quot;content-type&quot;: &quot;application/json; charset=utf-8&quot;,
        &quot;date&quot;: &quot;Fri, 01 May 2026 08:00:00 GMT&quot;
      }</pre></details></article>"
    `)
    expect(detail(entries[2] && withFacts(entries[2]))).toMatchInlineSnapshot(`
      "<article><button type="button" class="back">← All requests</button>
      <h2>#3 PATCH /v1/subscribers/ana/credentials</h2>
      <p class="bar"><b class="bad">reset</b> <span>in 0 ms</span></p>
      <p class="bad">No response (reset)</p>
      <p>Call 2: applied 0 ×; the client cannot know the outcome</p>
      <ol class="points">
      <li class="on"><b>received</b> <span>+0 ms</span></li>
      <li class="on"><b>validated</b> <span>+20 ms</span></li>
      <li class><b>committed</b> <span>not reached</span></li>
      <li class><b>answering</b> <span>not reached</span></li>
      <li class><b>answered</b> <span>not reached</span></li></ol>
      <p class="bar"><span>Copy as</span><button type="button">curl</button><button type="button">pytest</button><button type="button">TypeScript</button></p>
      <details open><summary>Request body</summary>
      <pre>a=1</pre></details><dl>
      <div><dt>operation</dt><dd>credentials.upsert</dd></div>
      <div><dt>arrived</dt><dd>2026-05-01 08:00:01.500Z</dd></div>
      <div><dt>retry of</dt><dd>#2</dd></div>
      <div><dt>idempotency key</dt><dd>k1</dd></div>
      <div><dt>effect</dt><dd>response replayed</dd></div>
      <div><dt>leaks</dt><dd>subscriber ana of environment 2, message m1 of environment 3</dd></div></dl>
      <details><summary>Request headers</summary>
      <pre>{}</pre></details>
      <details><summary>Response headers</summary>
      <pre>{}</pre></details></article>"
    `)
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
    expect(htmlOf(<Faults environment={environment(fake)} act={ignore} />)).toMatchInlineSnapshot(`
      "<form class="bar"><label>Fault <select aria-label="Fault" name="Fault"><option>status 503</option><option>status 500</option><option>rate limited (429)</option><option>connection reset</option><option>connection closed</option><option>no response, ever</option><option>2 s delay</option><option>malformed JSON</option></select></label><label>Operation <select aria-label="Operation" name="Operation"><option>any operation</option><option>credentials.upsert</option><option>messages.markAs</option><option>events.list</option></select></label><label>Point <select aria-label="Point" name="Point"><option>first possible point</option><option>received</option><option>validated</option><option>committed</option><option>answering</option></select></label><label>Times <select aria-label="Times" name="Times"><option>1</option><option>2</option><option>3</option><option>10</option><option>always</option></select></label><button type="submit">Arm</button></form>
      <ul class="plain">
      <li class="bar"><span><b>status 503 at validated</b> of credentials.upsert: 1 of 1 uses</span><button type="button">Remove</button></li>
      <li class="bar"><span><b>reset at received</b> of any operation: 0 of any number of uses</span><button type="button">Remove</button></li></ul>"
    `)
    fake.faults.clear()
    expect(htmlOf(<Faults environment={environment(fake)} act={ignore} />)).toContain("No faults are armed.")
  })

  it("show the time and the ways to move it, or how to get a clock that moves", () => {
    const moved = createFake({ data: "empty", clock: manualClock("2026-05-01T08:00:00Z") })
    expect(htmlOf(<Clock environment={environment(moved)} act={ignore} />)).toMatchInlineSnapshot(`
      "<p><time datetime="2026-05-01T08:00:00.000Z">2026-05-01T08:00:00.000Z</time></p>
      <p class="bar"><button type="button">+1 second</button><button type="button">+1 minute</button><button type="button">+1 hour</button><button type="button">+1 day</button><button type="button">Next delay</button></p>"
    `)
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

  it("show what they take and return", () => {
    expect(shown("arms post")).toMatchInlineSnapshot(`
      "<details><summary><b>POST</b> /_fake/faults <small>Arms a fault</small></summary>
      <details open><summary>Request body</summary>
      <pre>{
        &quot;content&quot;: {}
      }</pre></details>
      <details><summary>Responses</summary>
      <pre>{
        &quot;201&quot;: {}
      }</pre></details></details>"
    `)
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
  it("are listed by kind under their ids, the last hundred of each, as JSON", () => {
    const fake = createFake({ data: "empty", clock: manualClock("2026-05-01T08:00:00Z") })
    fake.addSubscriber({ subscriberId: "ana" })
    fake.addWorkflow({ identifier: "welcome", steps: [] })
    const records = fake.state()
    const html = htmlOf(<Records records={{ ...records, keysInFlight: ["k1"] }} />)
    const summaries = [...html.matchAll(/<summary>(.*?)<\/summary>/gu)].map(([, summary]) => summary)
    expect(summaries).toMatchInlineSnapshot(`
      [
        "subscribers (1)",
        "ana · 5e152d4948f9b73900000001",
        "messages (0)",
        "events (0)",
        "workflows (1)",
        "welcome · 31b8c478e5f1ab9800000002",
        "integrations (0)",
        "keysInFlight (1)",
        "k1",
      ]
    `)
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
    expect(withoutList.replaceAll(fake.apiKey, "KEY-1").replaceAll(apiKey, "KEY-2")).toMatchInlineSnapshot(`
      "<header aria-label="Fake">
      <h1>Signalbox fake</h1><label>Environment <select><option selected value="1">KEY-1</option><option value="2">KEY-2</option></select></label><button type="button" title="Restore the initial data; clear requests and faults">Reset</button><button type="button" aria-pressed="false" title="Hold new requests back (p)">Pause</button><button type="button">Export</button><span class="live" role="status">live</span></header>
      <main aria-label="Requests and state" class="detail">

      <section aria-label="Details">
      <nav role="tablist" aria-label="Details"><button type="button" role="tab" id="tab-Request" aria-controls="panel" aria-selected="false">Request</button><button type="button" role="tab" id="tab-State" aria-controls="panel" aria-selected="false">State</button><button type="button" role="tab" id="tab-Faults" aria-controls="panel" aria-selected="false">Faults (2)</button><button type="button" role="tab" id="tab-Clock" aria-controls="panel" aria-selected="false">Clock</button><button type="button" role="tab" id="tab-Switches" aria-controls="panel" aria-selected="false">Switches</button><button type="button" role="tab" id="tab-Actions" aria-controls="panel" aria-selected="false">Actions</button><button type="button" role="tab" id="tab-Unmatched" aria-controls="panel" aria-selected="true">Unmatched (1)</button></nav>
      <div id="panel" role="tabpanel" aria-labelledby="tab-Unmatched">
      <p class="notice" role="status">Done. </p>
      <ol class="plain">
      <li><b>GET /v1/notifications</b> got 401: no environment has its API key</li></ol></div></section></main>"
    `)
    const panels = tabs.map((tab) => /class="notice"[^]*?<\/p>\n(.*)/u.exec(after({ _tag: "Tab", tab }))?.[1])
    expect(panels).toMatchInlineSnapshot(`
      [
        "<article><button type="button" class="back">← All requests</button>",
        undefined,
        "<form class="bar"><label>Fault <select aria-label="Fault" name="Fault"><option>status 503</option><option>status 500</option><option>rate limited (429)</option><option>connection reset</option><option>connection closed</option><option>no response, ever</option><option>2 s delay</option><option>malformed JSON</option></select></label><label>Operation <select aria-label="Operation" name="Operation"><option>any operation</option><option>credentials.upsert</option><option>messages.markAs</option><option>events.list</option></select></label><label>Point <select aria-label="Point" name="Point"><option>first possible point</option><option>received</option><option>validated</option><option>committed</option><option>answering</option></select></label><label>Times <select aria-label="Times" name="Times"><option>1</option><option>2</option><option>3</option><option>10</option><option>always</option></select></label><button type="submit">Arm</button></form>",
        "<p><time datetime="2026-05-01T08:00:03.000Z">2026-05-01T08:00:03.000Z</time></p>",
        "<p class="bar"><input type="search" placeholder="Filter: name, question, value …" aria-label="Filter switches" value/><label><input type="checkbox"/> only changed (0)</label></p>",
        "<p class="bar"><input type="search" placeholder="Filter: method, path, summary …" aria-label="Filter actions" value/><small>OpenAPI documents: <a href="/_fake/openapi.json">control API</a>, <a href="/openapi.json">API</a></small></p></div></section></main>",
        "<ol class="plain">",
      ]
    `)
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
