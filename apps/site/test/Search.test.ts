import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import type { Browser, Page } from "playwright-core"
import { openBrowser, openContext } from "@signalbox/browser/Browser"
import { searchSettings } from "../src/SearchSettings.ts"
import { questions } from "./Questions.ts"
import { serveSite } from "./SiteServer.ts"

/** The part of the questions whose first result answers them, and the part that one of the first three answers. */
const floor = { first: 0.8, three: 0.95 }

describe("the search", () => {
  let site: Awaited<ReturnType<typeof serveSite>>
  let browser: Browser
  let page: Page

  beforeAll(async () => {
    site = await serveSite()
    browser = await openBrowser()
    page = await (await openContext(browser, {})).newPage()
    await page.goto(`${site.url}/errors/`)
  })

  afterAll(async () => {
    await browser.close()
    await site.close()
  })

  /** The routes of the first three results of each query, with the settings of the search box. */
  const search = async (queries: ReadonlyArray<string>): Promise<Readonly<Record<string, ReadonlyArray<string>>>> =>
    page.evaluate(
      // A string: the compiler of the tests cannot find the module, which the site serves.
      `(async ({ queries, settings }) => {
        const pagefind = await import("/pagefind/pagefind.js")
        await pagefind.options({ ranking: settings.ranking })
        for (const { bundlePath, ...index } of settings.mergeIndex) await pagefind.mergeIndex(bundlePath, index)
        const found = {}
        for (const query of queries) {
          const { results } = await pagefind.search(query)
          const pages = await Promise.all(results.slice(0, 3).map((result) => result.data()))
          found[query] = pages.map(({ url }) => url.replace(/^\\/|\\/$/g, ""))
        }
        return found
      })(${JSON.stringify({ queries, settings: searchSettings })})`
    )

  it("answers the questions of newcomers", async () => {
    const found = await search(Object.keys(questions))
    const placeOf = (question: string) =>
      (found[question] ?? []).findIndex((route) => questions[question]?.includes(route))
    const places = Object.keys(questions).map(placeOf)
    const missed = Object.keys(questions)
      .filter((question) => placeOf(question) !== 0)
      .map((question) => `${question}: ${found[question]?.join(", ")}`)
      .join("\n")
    const part = (isHit: (place: number) => boolean) => places.filter(isHit).length / places.length
    assert.isAtLeast(places.length, 60)
    assert.isAtLeast(
      part((place) => place === 0),
      floor.first,
      missed
    )
    assert.isAtLeast(
      part((place) => place >= 0),
      floor.three,
      missed
    )
  })

  it("finds symbols by their names, and guides before symbols", async () => {
    const guided = ["idempotency key", "store fcm token", "proxy settings"]
    const found = await search(["createEventsClient", ...guided])
    assert.strictEqual(found["createEventsClient"]?.[0], "reference/sdk/createeventsclient")
    for (const words of guided) assert.isFalse(found[words]?.[0]?.startsWith("reference/"), words)
  })
})
