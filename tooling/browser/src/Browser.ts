import chromium from "@sparticuz/chromium"
import { type Browser, chromium as playwright, type Page } from "playwright-core"

/** Headless Chromium without background requests: from a package on Linux, and elsewhere the Chrome that is installed. */
export const openBrowser = async (): Promise<Browser> =>
  playwright.launch({
    ...(process.platform === "linux" && process.arch === "x64"
      ? { executablePath: await chromium.executablePath() }
      : { channel: "chrome" }),
    args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync"],
    headless: true
  })

/** A page of the fake. */
export interface Visit {
  readonly page: Page
  /** Errors in the console, responses with an error, and requests to anything but the fake. */
  readonly problems: ReadonlyArray<string>
}

/** How a page is shown. */
export interface Look {
  readonly colorScheme?: "dark" | "light"
  readonly width?: number
}

/** Opens a page of the fake at a URL. */
export const visit = async (
  browser: Browser,
  url: string,
  { colorScheme = "light", width = 1280 }: Look = {}
): Promise<Visit> => {
  const context = await browser.newContext({ colorScheme, viewport: { width, height: 900 } })
  await context.grantPermissions(["clipboard-read", "clipboard-write"])
  const page = await context.newPage()
  const problems: Array<string> = []
  const { origin } = new URL(url)
  page.on("pageerror", ({ message }) => problems.push(message))
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") problems.push(message.text())
  })
  page.on("request", (request) => {
    if (!request.url().startsWith(`${origin}/`)) problems.push(`request to ${request.url()}`)
  })
  await page.goto(url)
  return { page, problems }
}
