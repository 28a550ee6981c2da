import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as sdk from "@signalbox/sdk"
import * as harness from "@signalbox/test-harness"
import { readdirSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import type { Browser, BrowserContext, Page } from "playwright-core"
import { openBrowser, openContext } from "@signalbox/browser/Browser"
import { descriptions } from "../generate/Descriptions.ts"
import { missingModules } from "../playground/Program.ts"
import { compressedSize, dist, serveSite } from "./SiteServer.ts"

const routes = readdirSync(dist, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith("index.html"))
  .map((file) => `/${file.slice(0, -"index.html".length)}`)
  .sort()

/** A page of each form: pages of one folder differ in their text only. */
const representative = new Set([
  "/",
  "/playground/",
  "/architecture/",
  "/measurements/",
  "/errors/ratelimited/",
  "/howto/browsers/",
  "/operations/events-list/",
  "/comparison/",
  "/errors/",
  "/cli/events/",
  "/decisions/0004-retry-the-call/",
  "/examples/nextjs-route/",
  "/tui/",
  "/reference/core/",
  "/reference/sdk/",
  "/reference/sdk/createclient/",
  "/reference/sdk/listeventserror/",
  "/reference/sdk/clientoptions/",
  "/reference/test-harness/fault/",
  "/reference/test-harness/fault/status/"
])

const htmlOf = (route: string): string => readFileSync(join(dist, route, "index.html"), "utf8")

/** Whether a page can have examples that run: those of the other libraries need packages that the page does not have. */
const canRun = (route: string): boolean =>
  !/^\/reference\/(?:core|operator|bulk)\//.test(route) && htmlOf(route).includes('data-language="ts"')

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

/** The themes differ in their colours only; no rule is switched off. */
const auditOf = { dark: {}, light: { runOnly: ["color-contrast"] } }

/** The most that a page may weigh, compressed, before an example is opened. */
const maxPageBytes = 200_000

/**
 * A context in which idle callbacks come at once, as in browsers that have none. Search and focusable code blocks start in
 * one, and Chromium may not find a page idle for minutes while the machine is busy.
 */
const openEager = async (browser: Browser, colorScheme: "dark" | "light"): Promise<BrowserContext> => {
  const context = await openContext(browser, { colorScheme })
  await context.addInitScript("window.requestIdleCallback = (run) => setTimeout(run, 1)")
  return context
}

/** The code of the TypeScript blocks of a page, for the browser to read. */
const blocksOf = (route: string): string => `(async () => {
  const page = new DOMParser().parseFromString(await (await fetch("${route}")).text(), "text/html")
  return Array.from(page.querySelectorAll('.expressive-code:has(pre[data-language="ts"]) button[data-code]'), (button) =>
    button.dataset.code.replaceAll("\\u007f", "\\n"))
})()`

interface Visit {
  readonly page: Page
  /** Errors in the browser's console, and requests that left the site. */
  readonly problems: Array<string>
  /** The size of everything that the page loaded, compressed. */
  readonly bytes: () => number
}

describe("the site", () => {
  let site: Awaited<ReturnType<typeof serveSite>>
  let browser: Browser
  // Pages of one context share its cache, as the pages that a reader visits do.
  let contexts: Readonly<Record<"dark" | "light", BrowserContext>>

  beforeAll(async () => {
    site = await serveSite()
    browser = await openBrowser()
    contexts = {
      dark: await openEager(browser, "dark"),
      light: await openEager(browser, "light")
    }
  })

  afterAll(async () => {
    await browser.close()
    await site.close()
  })

  const visit = async (route: string, context = contexts.dark): Promise<Visit> => {
    const page = await context.newPage()
    const problems: Array<string> = []
    const loaded: Array<string> = []
    page.on("pageerror", ({ message }) => problems.push(message))
    page.on("console", (message) => {
      if (message.type() === "error") problems.push(message.text())
    })
    page.on("request", (request) => {
      const url = request.url()
      if (url.startsWith(site.url)) loaded.push(new URL(url).pathname)
      else if (!url.startsWith("blob:")) problems.push(`request to ${url}`)
    })
    await page.goto(site.url + route)
    return { page, problems, bytes: () => loaded.reduce((sum, path) => sum + compressedSize(path), 0) }
  }

  /** Runs a check on every page, three at a time, and returns what it found. */
  const onPages = async (
    pages: ReadonlyArray<string>,
    check: (route: string) => Promise<ReadonlyArray<string>>
  ): Promise<ReadonlyArray<string>> => {
    const waiting = [...pages]
    const found: Array<string> = []
    const work = async () => {
      for (let route = waiting.shift(); route !== undefined; route = waiting.shift()) {
        for (const problem of await check(route)) found.push(`${route}: ${problem}`)
      }
    }
    await Promise.all([work(), work(), work()])
    return found
  }

  it("has light pages without errors, whose examples do what they show", { timeout: 400_000 }, async () => {
    let ran = 0
    const found = await onPages([...representative], async (route) => {
      const { bytes, page, problems } = await visit(route)
      const size = bytes()
      if (size > maxPageBytes && route !== "/playground/") problems.push(`loads ${size} bytes`)
      const count = await page.locator(".run-example:visible").count()
      for (let index = 0; index < count; index += 1) {
        // An open example hides its block, so the first button is the next example. The playground opens its own.
        if (index >= (await page.locator(".example").count())) {
          await page.locator(".run-example:visible").first().click()
        }
        const example = page.locator(".example").nth(index)
        await page.waitForFunction(
          (at) => /done|failed/.test(document.querySelectorAll<HTMLElement>(".example")[at]?.dataset["state"] ?? ""),
          index
        )
        ran += 1
        if ((await example.getAttribute("data-state")) !== "done") problems.push(`example ${index} failed`)
        problems.push(...(await example.locator("pre.error, pre.changed").allInnerTexts()))
      }
      await page.close()
      return problems
    })
    assert.deepStrictEqual(found, [])
    assert.isAbove(ran, 3)
  })

  it("has examples that do what they show, on all other pages", { timeout: 400_000 }, async () => {
    const others = routes.filter((route) => canRun(route) && !representative.has(route))
    assert.isAbove(others.length, 50)
    // To open each page and its editors would take ten times as long as to run the programs in one editor.
    const context = await openEager(browser, "dark")
    // Other tests check types, which takes longer than to run a program.
    await context.route("**/playground/types*", (request) => request.abort())
    const open = () => openPlayground("#scenario=list-events", context)
    const free = await Promise.all([open(), open(), open()])
    let ran = 0
    const found = await onPages(others, async (route) => {
      const playground = free.pop()
      assert(playground !== undefined)
      const { example, outputOf, page } = playground
      const blocks: ReadonlyArray<string> = await page.evaluate(blocksOf(route))
      const end = blocks.findIndex((code) => missingModules(code).length > 0)
      // Blocks of a guide are one program, and those of the reference programs of their own.
      const programs = route.startsWith("/reference/")
        ? blocks.filter((code) => missingModules(code).length === 0)
        : [blocks.slice(0, end === -1 ? undefined : end).join("\n")]
      const problems: Array<string> = []
      for (const program of programs.filter((code) => code !== "")) {
        const output = await outputOf(program)
        ran += 1
        const isDone = (await example.getAttribute("data-state")) === "done"
        if (!isDone || (await example.locator("pre.error, pre.changed").count()) > 0) problems.push(output)
      }
      free.push(playground)
      return problems
    })
    await context.close()
    assert.deepStrictEqual(found, [])
    assert.isAbove(ran, 50)
  })

  it("has a light page for each public export", () => {
    const expected = [
      ...Object.keys(sdk).map((name) => `/reference/sdk/${name.toLowerCase()}/`),
      ...Object.keys(harness).map((name) => `/reference/test-harness/${name.toLowerCase()}/`),
      ...Object.keys(harness.Fault).map((name) => `/reference/test-harness/fault/${name.toLowerCase()}/`)
    ]
    assert.deepStrictEqual(
      expected.filter((route) => !routes.includes(route)),
      []
    )
    const heavy = routes.filter((route) => compressedSize(route) > maxPageBytes / 4)
    assert.deepStrictEqual(heavy, [])
  })

  it("has every file that its pages load", () => {
    const missing = routes
      .filter((route) => !route.startsWith("/reference/"))
      .flatMap((route) =>
        Array.from(
          htmlOf(route).matchAll(/(?: src|<link rel="[^"]*(?:icon|stylesheet)"[^>]* href)="(\/[^"]+)"/g),
          ([, path = ""]) => path
        )
      )
      .filter((path) => compressedSize(path) === 0)
    assert.deepStrictEqual(missing, [])
  })

  it("has a written description for each page", () => {
    const written = new Set(Object.keys(descriptions))
    const own = new Set(["", "playground"])
    const guides = routes
      .map((route) => route.slice(1, -1))
      .filter((route) => !/^(?:reference|decisions)(?:\/|$)|^errors\//.test(route))
    assert.deepStrictEqual(
      guides.filter((route) => !written.has(route) && !own.has(route)),
      []
    )
    for (const [route, { text }] of Object.entries(descriptions)) {
      assert.isAtMost(text.length, 160, route)
      assert.match(text, /^[A-Z].*\.$/, route)
    }
  })

  it("shows each example as one line of the sidebar, not as a group", () => {
    assert.notMatch(htmlOf("/examples/hono-service/"), />\s*hono-service\s*</)
  })

  it("has a short index for agents, and one full text below 100 KB for each area", () => {
    const index = readFileSync(join(dist, "llms.txt"), "utf8")
    assert.isBelow(index.indexOf("/start/library/"), index.indexOf("/api/"))
    const files = readdirSync(join(dist, "llms"))
    assert.isAbove(files.length, 5)
    for (const file of files) {
      assert.isBelow(readFileSync(join(dist, "llms", file)).length, 100_000, file)
      assert.include(index, `/llms/${file}`)
    }
  })

  it("has a page for each reason, which errors link to", () => {
    const reasons = readFileSync(join(dist, "../../../docs/errors.md"), "utf8").matchAll(/^\| \[`(\w+)`\]/gm)
    const pages = Array.from(reasons, ([, reason = ""]) => `/errors/${reason.toLowerCase()}/`)
    assert.isAbove(pages.length, 15)
    for (const page of pages) assert.include(htmlOf(page), "Provoke it")
  })

  /** The playground with its first program finished, and what a reader does there. */
  const openPlayground = async (hash = "", context = contexts.dark) => {
    const { page, problems } = await visit(`/playground/${hash}`, context)
    const example = page.locator(".example")
    const inspector = page.frameLocator(".example iframe")
    const finished = () => page.waitForSelector(".example[data-state=done], .example[data-state=failed]")
    const output = async () => (await example.locator(".output pre").allInnerTexts()).join("\n")
    await finished()
    return {
      page,
      problems,
      example,
      inspector,
      finished,
      output,
      outputOf: async (code: string): Promise<string> => {
        await page.locator(".cm-content").fill(code)
        await page.locator(".cm-content").press("Control+Enter")
        await finished()
        return output()
      }
    }
  }

  it("shows the requests, the state and the faults of a program, and arms a fault at a chosen request", async () => {
    const { example, finished, inspector, outputOf, page, problems } = await openPlayground()
    assert.match(await example.locator("pre.error").innerText(), /applied 2 times/)
    await inspector.getByText("2 of 2").waitFor()
    await inspector.getByRole("tab", { name: "State" }).click()
    await inspector.getByText("subscribers (1)").waitFor()
    const code = `import { createClientFromEnv } from "@signalbox/sdk"
      const client = createClientFromEnv({ retry: { maxRetries: 0 } })
      for (const limit of [1, 2, 3]) console.log((await client.events.list.result({ limit })).ok)`
    await example.getByLabel("Fault").selectOption("503, once")
    await finished()
    await example.getByLabel("at request").fill("2")
    assert.strictEqual(await outputOf(code), "true\nfalse\ntrue")
    await inspector.getByRole("tab", { name: "Faults (1)" }).click()
    await inspector.getByText("1 of 1 uses").waitFor()
    await page.close()
    assert.deepStrictEqual(problems, [])
  })

  it("shows all that a program prints, the line of an error, and the same program after a reload", async () => {
    const { example, finished, output, outputOf, page } = await openPlayground("#scenario=drift")
    assert.match(await output(), /5 events/)
    assert.strictEqual(
      await outputOf(`console.warn("%s is %d", "a", 1, [undefined])
console.table([{ a: 1, b: "x" }])
console.group("in")
console.count()
console.groupEnd()
let ticks = 0
const timer = setInterval(() => { if (++ticks === 2) { clearInterval(timer); console.info("later") } }, 10)`),
      'a is 1 [\n  "undefined"\n]\na  b\n1  x\nin\n  default: 1\nlater'
    )
    assert.strictEqual(await example.locator("pre.warn").count(), 1)
    await outputOf('console.log("ä → 1")')
    await page.reload()
    await finished()
    assert.strictEqual(await output(), "ä → 1")
    assert.match(await outputOf("const x = ;"), /SyntaxError: .*\(line 1\)$/)
    assert.match(await outputOf("const x = 1\nthrow new Error('stop')"), /Error: stop \(line 2\)$/)
    assert.match(await outputOf("\nsetTimeout(() => { throw new Error('late') })"), /Error: late \(line 2\)$/)
    assert.match(
      await outputOf('import fs from "node:fs"'),
      /this page has no module "node:fs"; it has @signalbox\/sdk,/
    )
    await example.getByRole("button", { name: "Reset" }).click()
    await page.waitForFunction(() => document.querySelector(".output")?.textContent?.includes("5 events"))
    await page.close()
  })

  it("shows type errors, completes names, and saves a program as a test", async () => {
    const { example, page, problems } = await openPlayground()
    await page.locator(".cm-content").focus()
    await example.getByText("no type errors").waitFor()
    await page
      .locator(".cm-content")
      .fill('import { createClientFromEnv } from "@signalbox/sdk"\nconst n: number = "x"\n')
    await example.getByText("1 type error").waitFor()
    await page.keyboard.type("createClientFromEnv().mess")
    await page.locator(".cm-completionLabel", { hasText: "messages" }).waitFor()
    const saved = page.waitForEvent("download")
    await example.getByRole("button", { name: "Save as vitest test" }).click()
    assert.strictEqual((await saved).suggestedFilename(), "example.test.ts")
    await page.close()
    assert.deepStrictEqual(problems, [])
  })

  it("runs without a connection, and says what is missing", async () => {
    const context = await openEager(browser, "dark")
    const { page } = await openPlayground("", context)
    await page.evaluate("navigator.serviceWorker.ready.then(() => undefined)")
    await page.waitForFunction("navigator.serviceWorker.controller !== null")
    await context.setOffline(true)
    await page.reload()
    await page.waitForSelector(".example[data-state=failed]")
    await page.frameLocator(".example iframe").getByText("2 of 2").waitFor()
    await page.locator(".cm-content").focus()
    await page.getByText("types could not be loaded: no connection").waitFor()
    await page.goto(`${site.url}/sdk/errors/`)
    await page.getByRole("heading", { name: "No connection" }).waitFor()
    await context.close()
  })

  it("shows on its first page a token stored twice, the fix, and the screens of the terminal UI", async () => {
    const { page, problems } = await visit("/")
    const example = page.locator(".example.wide")
    const requests = page.frameLocator(".example.wide iframe")
    await page.getByRole("button", { name: "Lose the response" }).click()
    await example.getByText("applied 2 times").waitFor()
    await requests.getByText("2 of 2").waitFor()
    await page.getByRole("button", { name: "Fix it" }).click()
    await example.getByText("The token is stored once.").waitFor()
    await requests.getByText("1 of 1").waitFor()
    await page.getByRole("tab", { name: "SDK" }).click()
    await page.locator(".run-example:visible").click()
    await page.getByText("NotFound false").waitFor()
    await page.getByRole("tab", { name: "Terminal" }).click()
    await page.getByRole("button", { name: "Next screen" }).click()
    const caption = page.locator("[data-recording] svg text:visible", { hasText: "two causes are new" })
    await caption.waitFor()
    await page.getByRole("button", { name: "Previous screen" }).click()
    await caption.waitFor({ state: "hidden" })
    await page.close()
    assert.deepStrictEqual(problems, [])
  })

  it("copies the commands of a session, without prompts and output", async () => {
    const { page } = await visit("/start/library/")
    await page.waitForFunction(() => document.querySelector(".run-example, [data-code^=npx]") !== null)
    const copied = await page
      .locator('.expressive-code:has(pre[data-language="console"]) button[data-code]')
      .evaluateAll((buttons) => buttons.map((button) => button.getAttribute("data-code")))
    assert.deepStrictEqual(copied[0], "npx -p @signalbox/test-harness signalbox-fake --port 4010 --seed 7")
    assert.include(copied, "node list.mjs")
    await page.close()
  })

  it.each(["/", "/playground/", "/nowhere/"])(
    "links the sections in the header of %s on a narrow screen",
    async (route) => {
      const { page } = await visit(route)
      await page.setViewportSize({ width: 390, height: 800 })
      const bottomOf = async (selector: string) => {
        const { height = 0, y = Infinity } = (await page.locator(selector).first().boundingBox()) ?? {}
        return y + height
      }
      assert.isAtMost(await bottomOf(".header-links a:visible"), await bottomOf("header.header"))
      await page.close()
    }
  )

  it("moves nothing that is visible when the playground has loaded", async () => {
    const { page } = await visit("/playground/")
    await page.waitForSelector(".cm-content")
    const shifts: ReadonlyArray<number> = await page.evaluate(
      `new Promise((resolve) => new PerformanceObserver((list) => resolve(list.getEntries().map(({ value }) => value)))
        .observe({ type: "layout-shift", buffered: true }))`
    )
    assert.isBelow(Math.max(...shifts), 0.1)
    await page.close()
  })

  it("shows no button that does nothing without JavaScript", async () => {
    const context = await openContext(browser, { javaScriptEnabled: false })
    const { page } = await visit("/", context)
    assert.strictEqual(await page.locator("main .page-button:visible").count(), 0)
    await page.goto(`${site.url}/playground/`)
    assert.include(await page.locator("main").innerText(), "The playground needs JavaScript.")
    await context.close()
  })

  it("stops an example that never ends", async () => {
    const { page } = await visit("/playground/")
    await page.waitForSelector(".example[data-state=failed]")
    await page.locator(".cm-content").fill("while (true) {}")
    await page.getByRole("button", { name: "Run", exact: true }).click()
    await page.getByRole("button", { name: "Stop" }).click()
    await page.waitForSelector(".example[data-state=stopped]")
    await page.close()
  })

  const audited = [
    "/",
    "/playground/",
    "/architecture/",
    "/sdk/",
    "/errors/",
    "/reference/sdk/",
    "/reference/sdk/createclient/",
    "/decisions/0004-retry-the-call/"
  ]

  it.each(["dark", "light"] as const)("is accessible in its %s theme", async (scheme) => {
    const found = await onPages(audited, async (route) => {
      const { page } = await visit(route, contexts[scheme])
      // Code blocks that scroll become focusable when the page is idle.
      await page.waitForFunction(() =>
        [...document.querySelectorAll("pre")].every((pre) => pre.scrollWidth <= pre.clientWidth || pre.tabIndex === 0)
      )
      if (route === "/playground/") await page.frameLocator(".example iframe").getByText("2 of 2").waitFor()
      for (const frame of page.frames()) await frame.evaluate(axe)
      const violations: ReadonlyArray<{
        readonly id: string
        readonly nodes: ReadonlyArray<{ readonly html: string }>
      }> = await page.evaluate(`axe.run(${JSON.stringify(auditOf[scheme])}).then(({ violations }) => violations)`)
      await page.close()
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(" | ")}`)
    })
    assert.deepStrictEqual(found, [])
  })

  it("is used with the keyboard: skip link, search, results", async () => {
    const { page, problems } = await visit("/sdk/errors/")
    const search = page.locator(".pagefind-ui__search-input")
    await search.waitFor({ state: "attached" })
    await page.keyboard.press("Tab")
    assert.strictEqual(await page.evaluate(() => document.activeElement?.textContent?.trim()), "Skip to content")
    await page.keyboard.press("Control+k")
    await search.fill("idempotency key")
    await page.locator(".pagefind-ui__result-link").first().waitFor()
    await search.fill("createEventsClient")
    await page.waitForFunction(() =>
      document
        .querySelector(".pagefind-ui__result-link")
        ?.getAttribute("href")
        ?.startsWith("/reference/sdk/createeventsclient/")
    )
    await page.keyboard.press("Tab")
    await page.keyboard.press("Escape")
    await page.close()
    assert.deepStrictEqual(problems, [])
  })
})
