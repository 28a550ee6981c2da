import { folderOfTest } from "@signalbox/testing/Folder"
import { type Ended, startProgram } from "@signalbox/testing/Program"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Browser, Page } from "playwright-core"
import { createFake, Fault, manualClock } from "@signalbox/test-harness"
import { listen } from "@signalbox/test-harness/server"
import { openBrowser, visit } from "./Browser.ts"

const scene = async () => {
  const fake = createFake({ data: "empty", clock: manualClock("2026-05-01T08:00:00Z") })
  fake.addSubscriber({ subscriberId: "ana", firstName: "Ana" })
  fake.addIntegration({ providerId: "fcm" })
  const server = await listen(fake)
  const headers = { authorization: `ApiKey ${fake.apiKey}`, "content-type": "application/json" }
  const list = (query = "") => fetch(`${server.url}/v1/notifications${query}`, { headers })
  const upsert = (subscriberId: string) =>
    fetch(`${server.url}/v1/subscribers/${subscriberId}/credentials`, {
      method: "PATCH",
      headers: { ...headers, "idempotency-key": "k1" },
      body: JSON.stringify({ providerId: "fcm", credentials: { deviceTokens: ["token-of-a-phone"] } })
    })
  return { fake, server, list, upsert, [Symbol.asyncDispose]: () => server.close() }
}

const rows = (page: Page) => page.locator("table.requests tr.request")

const openTab = (page: Page, name: RegExp) => page.getByRole("tab", { name }).click()

/** Runs the source of a test with `node --test`. */
const runTest = (source: string): Promise<Ended> => {
  const folder = folderOfTest()
  const modules = join(folder, "node_modules", "@signalbox")
  mkdirSync(modules, { recursive: true })
  symlinkSync(
    join(import.meta.dirname, "..", "node_modules", "@signalbox", "test-harness"),
    join(modules, "test-harness")
  )
  const file = join(folder, "copied.test.mjs")
  writeFileSync(file, source)
  return startProgram(process.execPath, ["--no-warnings", file], { cwd: folder }).ended
}

describe("the inspector", () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(() => browser.close())

  it("shows requests as they come, with filter, path and reason", async () => {
    await using scenery = await scene()
    await scenery.upsert("ana")
    const { page, problems } = await visit(browser, scenery.server.url)
    await page.getByText("live", { exact: true }).waitFor()
    await rows(page).filter({ hasText: "PATCH /v1/subscribers/ana/credentials" }).waitFor()
    await scenery.list("?limit=99")
    await rows(page).filter({ hasText: "limit=99" }).getByRole("button").click()
    const detail = page.getByRole("tabpanel")
    await detail.getByText(/limit/iu).first().waitFor()
    assert.include(await detail.innerText(), "not reached")
    assert.include(await detail.locator("p.bad").innerText(), "limit")
    await page.getByRole("searchbox", { name: "Filter" }).fill("patch /v1")
    await rows(page).filter({ hasText: "limit=99" }).waitFor({ state: "detached" })
    assert.strictEqual(await rows(page).count(), 1)
    assert.deepStrictEqual(problems, [])
  })

  it("shows 200 rows of many requests, in batches", async () => {
    await using scenery = await scene()
    const { page, problems } = await visit(browser, scenery.server.url)
    await page.getByText("No requests yet").waitFor()
    for (let number = 1; number <= 450; number += 1) await scenery.list(`?page=${number}`)
    await page.getByText("200 of 450").waitFor()
    assert.strictEqual(await rows(page).count(), 200)
    assert.include(await rows(page).first().innerText(), "page=450")
    assert.deepStrictEqual(problems, [])
  })

  it("shows state, arms and removes faults, and moves the clock", async () => {
    await using scenery = await scene()
    const { page, problems } = await visit(browser, scenery.server.url)
    await openTab(page, /^State/u)
    await page.getByText("subscribers (1)").click()
    await page.getByText(/^ana ·/u).click()
    await page.getByText('"firstName": "Ana"').waitFor()

    await openTab(page, /^Faults/u)
    await page.getByLabel("Fault", { exact: true }).selectOption("status 503")
    await page.getByLabel("Operation", { exact: true }).selectOption("events.list")
    await page.getByRole("button", { name: "Arm" }).click()
    await page.getByText("0 of 1 uses").waitFor()
    assert.strictEqual((await scenery.list()).status, 503)
    await page.getByText("1 of 1 uses").waitFor()
    await page.getByRole("button", { name: "Remove" }).click()
    await page.getByText("No faults are armed.").waitFor()
    assert.lengthOf(scenery.fake.faults.armed(), 0)

    await openTab(page, /^Clock/u)
    await page.getByRole("button", { name: "+1 hour" }).click()
    await page.getByText("2026-05-01T09:00:00.000Z", { exact: true }).waitFor()
    assert.strictEqual(new Date(scenery.fake.now()).toISOString(), "2026-05-01T09:00:00.000Z")

    await openTab(page, /^Switches/u)
    await page.getByRole("searchbox", { name: "Filter switches" }).fill("badLimit")
    await page.getByLabel("list.badLimit").selectOption("clamped")
    await page.getByText("list.badLimit is now clamped").waitFor()
    assert.strictEqual((await scenery.list("?limit=99")).status, 200)

    await page.getByRole("button", { name: "Reset" }).click()
    await page.getByText("No requests yet").waitFor()
    assert.strictEqual((await scenery.list("?limit=99")).status, 400)
    await page.getByRole("button", { name: "Undo" }).click()
    await page.getByText("switches and rate limit are back").waitFor()
    assert.strictEqual((await scenery.list("?limit=99")).status, 200)
    assert.deepStrictEqual(problems, [])
  })

  it("shows other environments, and requests that matched none", async () => {
    await using scenery = await scene()
    const { page, problems } = await visit(browser, scenery.server.url)
    const other = scenery.fake.environment({ data: "empty" })
    await page.getByLabel("Environment").selectOption(other.apiKey)
    await fetch(`${scenery.server.url}/v1/notifications`, { headers: { authorization: `ApiKey ${other.apiKey}` } })
    await page.getByText("1 of 1").waitFor()
    await fetch(`${scenery.server.url}/v1/notifications`, { headers: { authorization: "ApiKey stranger" } })
    await openTab(page, /^Unmatched \(1\)/u)
    await page.getByText("got 401: it came with an API key that no environment has").waitFor()
    await openTab(page, /^Clock/u)
    await page.getByText("uses the time of the machine").waitFor()
    assert.deepStrictEqual(problems, [])
  })

  it("shows responses, attempts and the stored fields, moves by keys, and keeps its place in the URL", async () => {
    await using scenery = await scene()
    scenery.fake.faults.add(Fault.status(503, { operation: "credentials.upsert" }))
    await scenery.upsert("ana")
    await scenery.upsert("ana")
    const { page, problems } = await visit(browser, scenery.server.url)
    const detail = page.getByRole("tabpanel")
    await detail.getByText("applied 1 ×; the client saw a success").waitFor()
    await detail.getByText('"subscriberId": "ana"').waitFor()
    await detail.getByText("= 1 × <redacted>").waitFor()
    assert.notInclude(await detail.innerText(), "token-of-a-phone")
    await page.keyboard.press("k")
    await detail.getByText("fault: status 503", { exact: false }).first().waitFor()
    // The address follows the frame.
    await page.waitForURL(/request=1/u)
    const { page: linked } = await visit(browser, page.url())
    await linked.getByRole("heading", { name: "#1 PATCH" }).waitFor()
    await page.keyboard.press("p")
    await scenery.list()
    await page.getByRole("button", { name: "Continue (1 new)" }).click()
    await rows(page).filter({ hasText: "GET /v1/notifications" }).waitFor()
    const saved = page.waitForEvent("download")
    await page.getByRole("button", { name: "Export" }).click()
    assert.strictEqual((await saved).suggestedFilename(), "journal.json")
    assert.deepStrictEqual(problems, [])
  })

  it("copies a request as a test that passes", async () => {
    await using scenery = await scene()
    scenery.fake.setSwitches({ envelope: "bare" })
    scenery.fake.faults.add(Fault.status(503, { operation: "credentials.upsert", at: "committed" }))
    await scenery.upsert("ana")
    await scenery.upsert("bo")
    const { page, problems } = await visit(browser, scenery.server.url)
    const copied = async (path: string) => {
      await page.getByRole("button", { name: path }).click()
      await page.getByRole("button", { name: "TypeScript" }).click()
      await page.getByText(/^The TypeScript for request \d+ is in the clipboard/u).waitFor()
      return page.evaluate(() => navigator.clipboard.readText())
    }
    for (const [path, expected] of [
      ["/v1/subscribers/ana/credentials", "assert.equal(status, 503)"],
      ["/v1/subscribers/bo/credentials", "assert.equal(status, 404)"]
    ] as const) {
      const source = await copied(path)
      assert.include(source, expected)
      const { code, stderr, stdout } = await runTest(source)
      assert.strictEqual(code, 0, stdout + stderr)
    }
    assert.deepStrictEqual(problems, [])
  })

  it("is served with a strict policy, and only to this machine", async () => {
    await using scenery = await scene()
    const response = await fetch(scenery.server.url)
    const policy = response.headers.get("content-security-policy") ?? ""
    assert.match(policy, /^default-src 'none';/u)
    assert.notInclude(policy, "unsafe")
    const stream = (headers: Readonly<Record<string, string>>) =>
      fetch(`${scenery.server.url}/_fake/events`, { headers })
    assert.strictEqual((await stream({ origin: "https://page.test" })).status, 403)
  })

  it("opens the switches at /docs, next to the actions of the control API", async () => {
    await using scenery = await scene()
    const { page, problems } = await visit(browser, `${scenery.server.url}/docs`)
    await page.getByRole("combobox", { name: "list.badLimit" }).selectOption("clamped")
    await page.getByText("list.badLimit is now clamped").waitFor()
    assert.strictEqual(scenery.fake.switches["list.badLimit"], "clamped")
    for (const width of [390, 870, 1280]) {
      await page.setViewportSize({ width, height: 800 })
      assert.isAtMost(await page.evaluate("document.documentElement.scrollWidth - innerWidth"), 0, `${width}`)
    }
    await openTab(page, /^Actions/u)
    const actions = page.getByRole("tabpanel").locator("summary b")
    await actions.first().waitFor()
    assert.isAbove(await actions.count(), 25)
    await page.getByRole("searchbox", { name: "Filter actions" }).fill("post arms")
    await page.getByText("POST /_fake/faults").click()
    await page.getByText('"_tag"').first().waitFor()
    assert.strictEqual(await actions.count(), 1)
    assert.deepStrictEqual(problems, [])
  })
})
