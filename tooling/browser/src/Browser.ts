import chromium from "@sparticuz/chromium"
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium as playwright,
  type Page
} from "playwright-core"

/** Only ends what hangs, before the limit of a test does: a page may wait long on a busy machine. */
const timeoutMs = 150_000

const unpackInto = async (folder: string): Promise<void> => {
  const { TMPDIR } = process.env
  // The package unpacks into the temporary folder.
  process.env["TMPDIR"] = folder
  try {
    await chromium.executablePath()
  } finally {
    if (TMPDIR === undefined) delete process.env["TMPDIR"]
    else process.env["TMPDIR"] = TMPDIR
  }
}

/**
 * The Chromium of the package, unpacked once. Several test processes start at the same time: each unpacks into its own
 * folder, and the first one that finishes gives it the name that all of them use.
 */
const unpackedChromium = async (): Promise<string> => {
  const manifest = fileURLToPath(new URL("../package.json", import.meta.resolve("@sparticuz/chromium")))
  const { version }: { readonly version: string } = JSON.parse(readFileSync(manifest, "utf8"))
  const folder = join(tmpdir(), `signalbox-chromium-${version}`)
  if (!existsSync(folder)) {
    const own = mkdtempSync(`${folder}-`)
    await unpackInto(own)
    try {
      renameSync(own, folder)
    } catch (error) {
      rmSync(own, { recursive: true })
      if (!existsSync(folder)) throw error
    }
  }
  return join(folder, "chromium")
}

/** Headless Chromium without background requests: from a package on Linux, and elsewhere the Chrome that is installed. */
export const openBrowser = async (): Promise<Browser> =>
  playwright.launch({
    ...(process.platform === "linux" && process.arch === "x64"
      ? { executablePath: await unpackedChromium() }
      : { channel: "chrome" }),
    args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync"],
    headless: true,
    timeout: timeoutMs
  })

/** A context whose pages wait as long as a busy machine needs. */
export const openContext = async (browser: Browser, options: BrowserContextOptions = {}): Promise<BrowserContext> => {
  const context = await browser.newContext(options)
  context.setDefaultTimeout(timeoutMs)
  return context
}

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
  const context = await openContext(browser, { colorScheme, viewport: { width, height: 900 } })
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
