import { afterEach, describe, expect, it, vi } from "vitest"
import { options, type VNode } from "preact"
import { renderToString } from "preact-render-to-string"
import { liveView } from "../control/LiveView.ts"
import { createFake, type Fake, Fault, manualClock } from "../index.ts"
import type { ListedEntry } from "../journal/JournalEntry.ts"
import { listen } from "../server.ts"
import { Clock } from "./Clock.tsx"
import type { Act } from "./ControlClient.ts"
import { Faults } from "./Faults.tsx"
import { InspectorView } from "./InspectorView.tsx"
import { initial, type Model, type Msg, update } from "./Model.ts"
import { RequestDetail } from "./RequestDetail.tsx"
import { RequestList } from "./RequestList.tsx"
import { Switches } from "./Switches.tsx"

type Props = Readonly<Record<string, unknown>>

/** The elements and components that a page draws. */
const drawn = (page: VNode): ReadonlyArray<VNode<Props>> => {
  const all: Array<VNode<Props>> = []
  const { vnode: before = () => {} } = options
  options.vnode = (node) => void all.push(node as VNode<Props>)
  try {
    renderToString(page)
  } finally {
    options.vnode = before
  }
  return all
}

const textOf = (child: unknown): string => {
  if (Array.isArray(child)) return child.map(textOf).join("")
  if (typeof child === "object" && child !== null && "props" in child)
    return textOf((child as VNode<Props>).props["children"])
  return typeof child === "string" || typeof child === "number" ? String(child) : ""
}

/** The props of an element with this text, or with this label. */
const find = (page: VNode, type: string, name?: string): Props => {
  const found = drawn(page).find(
    (node) =>
      node.type === type &&
      (name === undefined || node.props["aria-label"] === name || textOf(node.props["children"]) === name)
  )
  if (found === undefined) throw new Error(`no ${type} ${name}`)
  return found.props
}

const call = (props: Props, handler: string, event: object = {}): void =>
  (props[handler] as (event: object) => void)(event)

const click = (page: VNode, name: string): void => call(find(page, "button", name), "onClick")

/** A fake on a port that the pages reach, and the notices of what was done. */
const scene = async (options_: Parameters<typeof createFake>[0] = { data: "empty" }) => {
  const fake = createFake(options_)
  const server = await listen(fake)
  const send = globalThis.fetch
  vi.stubGlobal("fetch", (path: string, init?: RequestInit) => send(new URL(path, server.url), init))
  const notices: Array<string> = []
  let last: Promise<unknown> = Promise.resolve()
  const run = async (notice: string, action: () => Promise<unknown>) => {
    await action()
    notices.push(notice)
  }
  const act: Act = (notice, action) => {
    last = run(notice, action)
  }
  const environment = () => {
    const view = liveView(fake)
    const found = view.next()?.environments?.[0]
    view.stop()
    if (found === undefined) throw new Error("The fake has no environment")
    return found
  }
  return { fake, act, notices, environment, done: () => last, [Symbol.asyncDispose]: server.close }
}

/** The requests that a fake received, as the pages have them. */
const entriesOf = (fake: Fake): ReadonlyArray<ListedEntry> => JSON.parse(JSON.stringify(fake.journal.entries()))

afterEach(() => vi.unstubAllGlobals())

describe("the form of faults", () => {
  /** Arms what the user chose. */
  const armed = async (chosen: Readonly<Record<string, string>>) => {
    await using page = await scene()
    vi.stubGlobal(
      "FormData",
      class extends Map<string, string> {
        constructor() {
          super(
            Object.entries({
              Fault: "status 503",
              Operation: "any operation",
              Point: "first possible point",
              Times: "1",
              ...chosen
            })
          )
        }
      }
    )
    let isKept = false
    const form = find(<Faults environment={page.environment()} act={page.act} />, "form")
    call(form, "onSubmit", { preventDefault: () => (isKept = true), currentTarget: {} })
    await page.done()
    expect(isKept).toBe(true)
    expect(page.notices).toEqual(["The fault is armed"])
    const [fault] = page.fake.faults.armed()
    return fault?.fault
  }

  it.each([
    ["status 503", { _tag: "Status", status: 503 }],
    ["status 500", { _tag: "Status", status: 500 }],
    ["rate limited (429)", { _tag: "RateLimited", retryAfterMs: 1_000 }],
    ["connection reset", { _tag: "NoResponse", failure: "reset" }],
    ["connection closed", { _tag: "NoResponse", failure: "close" }],
    ["no response, ever", { _tag: "NoResponse", failure: "hang" }],
    ["2 s delay", { _tag: "Latency", latency: { distribution: "fixed", delayMs: 2_000 } }],
    ["malformed JSON", { _tag: "MalformedJson" }]
  ])("arms %s once, for any operation", async (chosen, form) => {
    const fault = await armed({ Fault: chosen })
    expect(fault).toMatchObject({ form, times: 1 })
    expect(fault?.operation).toBeUndefined()
  })

  it("arms a fault for an operation, at a point, for some uses or all", async () => {
    const chosen = { Operation: "messages.markAs", Point: "committed" }
    const expected = { operation: "messages.markAs", point: "committed" }
    expect(await armed({ ...chosen, Times: "10" })).toMatchObject({ ...expected, times: 10 })
    expect(await armed({ ...chosen, Times: "always" })).toMatchObject({ ...expected, times: "always" })
  })

  it("removes one of the armed faults", async () => {
    await using page = await scene()
    page.fake.faults.add(Fault.reset())
    page.fake.faults.add(Fault.status(503))
    const { faults } = page.environment()
    click(<Faults environment={{ ...page.environment(), faults: faults.slice(1) }} act={page.act} />, "Remove")
    await page.done()
    expect(page.fake.faults.armed().map(({ fault }) => fault.form._tag)).toEqual(["NoResponse"])
    expect(page.notices).toEqual([`Removed: ${faults[1]?.description}`])
  })
})

describe("the buttons of the clock", () => {
  it.each([
    ["+1 second", 1_000],
    ["+1 minute", 60_000],
    ["+1 hour", 3_600_000],
    ["+1 day", 86_400_000],
    ["Next delay", 7_200_000]
  ])("%s moves the time", async (label, ms) => {
    const clock = manualClock("2026-05-01T08:00:00Z")
    await using page = await scene({ data: "empty", clock })
    const { fake } = page
    fake.faults.add(Fault.latency(7_200_000))
    const delayed = fake.fetch(`${fake.baseUrl}/v1/notifications`, {
      headers: { authorization: `ApiKey ${fake.apiKey}` }
    })
    click(<Clock environment={page.environment()} act={page.act} />, label)
    await page.done()
    expect(clock.now() - Date.parse("2026-05-01T08:00:00Z")).toBe(ms)
    expect(page.notices).toEqual([`The clock was moved: ${label}`])
    clock.advance(86_400_000)
    await delayed
  })
})

describe("the details of a request", () => {
  const detail = async () => {
    const page = await scene({ data: "empty", clock: manualClock("2026-05-01T08:00:00Z") })
    const { fake } = page
    fake.addSubscriber({ subscriberId: "ana" })
    fake.addIntegration({ providerId: "fcm" })
    fake.faults.add(Fault.status(503))
    for (let attempt = 1; attempt <= 2; attempt += 1) {
      await fake.fetch(`${fake.baseUrl}/v1/subscribers/ana/credentials`, {
        method: "PATCH",
        headers: {
          authorization: `ApiKey ${fake.apiKey}`,
          "content-type": "application/json",
          "idempotency-key": "k1"
        },
        body: JSON.stringify({ providerId: "fcm", credentials: { deviceTokens: ["token-of-a-phone"] } })
      })
    }
    const attempts = entriesOf(fake)
    const selected: Array<number | undefined> = []
    const [, entry] = attempts
    if (entry === undefined) throw new Error("no second request")
    const view = (
      <RequestDetail
        entry={entry}
        attempts={attempts}
        apiKey={fake.apiKey}
        act={page.act}
        onSelect={(number) => selected.push(number)}
      />
    )
    return { ...page, view, selected }
  }

  it("lead to its other attempts, and back to the list", async () => {
    await using page = await detail()
    const attempts = drawn(page.view).filter(
      ({ props, type }) => type === "button" && textOf(props["children"]).startsWith("attempt")
    )
    expect(attempts.map(({ props }) => [textOf(props["children"]), props["aria-current"]])).toEqual([
      ["attempt 1 503 Service Unavailable", false],
      ["attempt 2 200 OK", true]
    ])
    for (const { props } of attempts) call(props, "onClick")
    click(page.view, "← All requests")
    expect(page.selected).toEqual([1, 2, undefined])
  })

  it.each([
    ["curl", /^curl /mu],
    ["pytest", /^def test_|\ndef test_/u],
    ["TypeScript", /from "@signalbox\/test-harness"/u]
  ])("are copied as %s", async (label, source) => {
    await using page = await detail()
    let copied = ""
    vi.stubGlobal("navigator", { clipboard: { writeText: async (text: string) => void (copied = text) } })
    click(page.view, label)
    await page.done()
    expect(copied).toMatch(source)
    expect(page.notices).toEqual([`The ${label} for request 2 is in the clipboard`])
  })
})

describe("the list of requests", () => {
  it("selects a request by its row or its link, once", async () => {
    await using page = await scene()
    const { fake } = page
    await fake.fetch(`${fake.baseUrl}/v1/notifications`, { headers: { authorization: `ApiKey ${fake.apiKey}` } })
    const model = { ...initial, environments: [page.environment()], entries: new Map([[1, entriesOf(fake)]]) }
    const sent: Array<Msg> = []
    const list = <RequestList model={model} send={(msg) => void sent.push(msg)} />
    const row = drawn(list).find(({ props }) => String(props["class"]).startsWith("request "))
    call(row?.props ?? {}, "onClick")
    let isStopped = false
    call(find(list, "button", "GET /v1/notifications"), "onClick", { stopPropagation: () => (isStopped = true) })
    call(find(list, "input", "Filter"), "onInput", { currentTarget: { value: "503" } })
    expect(isStopped).toBe(true)
    expect(sent).toEqual([
      { _tag: "Request", number: 1 },
      { _tag: "Request", number: 1 },
      { _tag: "Filter", text: "503" }
    ])
  })
})

describe("the header of the inspector", () => {
  const inspector = async (change: (model: Model) => Model = (model) => model) => {
    const page = await scene()
    page.fake.addSubscriber({ subscriberId: "ana" })
    page.fake.environment({ data: "empty", name: "second" })
    const view = liveView(page.fake)
    const batch: Msg = { _tag: "Batch", batch: view.next() ?? { entries: [] } }
    view.stop()
    const sent: Array<Msg> = []
    const model = change(update(initial, batch))
    return { ...page, sent, view: <InspectorView model={model} send={(msg) => void sent.push(msg)} act={page.act} /> }
  }

  it("chooses an environment and a tab, and pauses", async () => {
    await using page = await inspector()
    call(find(page.view, "select"), "onChange", { currentTarget: { value: "2" } })
    click(page.view, "State")
    click(page.view, "Pause")
    expect(page.sent).toEqual([{ _tag: "Environment", number: 2 }, { _tag: "Tab", tab: "State" }, { _tag: "Pause" }])
  })

  it("resets the environment, and undoes that", async () => {
    await using page = await inspector()
    page.fake.setSwitches({ "auth.missingKey": "403" })
    click(page.view, "Reset")
    await page.done()
    expect(page.fake.state().subscribers).toEqual([])
    const [undoable] = page.sent
    if (undoable?._tag !== "Undoable") throw new Error("nothing to undo")
    await using after = await inspector((model) => update(model, undoable))
    click(after.view, "Undo")
    await after.done()
    expect(after.fake.switches["auth.missingKey"]).toBe("403")
    expect(after.fake.state().subscribers.map(({ subscriberId }) => subscriberId)).toEqual(["ana"])
    expect(after.sent).toEqual([{ _tag: "Undoable", snapshot: undefined }])
    expect([...page.notices, ...after.notices]).toEqual([
      "The environment was reset",
      "The records, switches and rate limit are back; a reset now returns to them"
    ])
  })

  it("saves the journal as a file", async () => {
    await using page = await inspector()
    const { fake } = page
    await fake.fetch(`${fake.baseUrl}/v1/notifications`, { headers: { authorization: `ApiKey ${fake.apiKey}` } })
    const link = { href: "", download: "", clicked: 0, click: () => (link.clicked += 1) }
    vi.stubGlobal("document", { createElement: () => link })
    const saved: Array<Blob> = []
    vi.spyOn(URL, "createObjectURL").mockImplementation((blob) => `blob:${saved.push(blob as Blob)}`)
    const revoked = vi.spyOn(URL, "revokeObjectURL").mockImplementation(() => {})
    click(page.view, "Export")
    await page.done()
    vi.restoreAllMocks()
    expect(link).toMatchObject({ href: "blob:1", download: "journal.json", clicked: 1 })
    expect(revoked.mock.calls).toEqual([["blob:1"]])
    expect(JSON.parse((await saved[0]?.text()) ?? "")).toMatchObject({
      entries: [{ number: 1, path: "/v1/notifications" }]
    })
    expect(page.notices).toEqual(["The journal was saved"])
  })
})

describe("the table of switches", () => {
  it("changes a switch of the environment", async () => {
    await using page = await scene()
    const all = drawn(<Switches apiKey={page.fake.apiKey} act={page.act} />)
    const [change] = all.flatMap(({ props }) => ("switches" in props ? [props["onChange"]] : []))
    ;(change as (name: string, value: string) => void)("auth.missingKey", "403")
    await page.done()
    expect(page.fake.switches["auth.missingKey"]).toBe("403")
    expect(page.notices).toEqual(["auth.missingKey is now 403"])
  })
})
