/**
 * Adds *Run* to the TypeScript blocks of a page. Blocks of a guide are one program: a block runs after those above
 * it. Blocks of the reference are programs of their own.
 */
import { openExample } from "./Example.ts"
import { missingModules } from "./Modules.ts"

const codeOf = (block: HTMLElement): string =>
  block.querySelector<HTMLElement>("button[data-code]")?.dataset["code"]?.replaceAll("\u007f", "\n") ?? ""

const blocks = [...document.querySelectorAll<HTMLElement>(".expressive-code")].filter(
  (block) => block.querySelector('pre[data-language="ts"]') !== null
)

// Of a session, the button copies the commands only.
for (const pre of document.querySelectorAll('.expressive-code pre[data-language="console"]')) {
  const button = pre.closest(".expressive-code")?.querySelector<HTMLElement>("button[data-code]")
  const lines = button?.dataset["code"]?.split("\u007f") ?? []
  const commands = lines.filter((line) => line.startsWith("$ ")).map((line) => line.slice(2))
  if (button && commands.length > 0) button.dataset["code"] = commands.join("\u007f")
}

const isPlayground = document.querySelector("[data-open-example]") !== null
const isReference = location.pathname.startsWith("/reference/")
let before = ""
for (const block of blocks) {
  const code = codeOf(block)
  if (missingModules(code).length > 0) {
    if (isReference) continue
    // Blocks after one that needs Node can need it too.
    break
  }
  const above = isReference ? "" : before
  before += `${code}\n`
  const button = document.createElement("button")
  Object.assign(button, { type: "button", textContent: "Run", className: "run-example" })
  button.addEventListener("click", () => openExample(block, above, code, isPlayground))
  block.append(button)
}

if (isPlayground) document.querySelector<HTMLButtonElement>(".run-example")?.click()

// A table that scrolls must be reachable with the keyboard.
for (const table of document.querySelectorAll<HTMLElement>(".sl-markdown-content table")) {
  if (table.scrollWidth > table.clientWidth) table.tabIndex = 0
}

// The name of a button must contain the words that it shows, with spaces between them.
const search = document.querySelector("button[data-open-modal]")
for (const part of search?.querySelectorAll("span, kbd") ?? []) part.after(" ")
search?.setAttribute("aria-label", (search.textContent ?? "").replaceAll(/\s+/g, " ").trim())

/** Regions need different names. Blocks that scroll become regions once the page is idle. */
const nameRegions = () => {
  for (const [index, region] of document.querySelectorAll("pre[role=region]").entries()) {
    region.setAttribute("aria-label", `Code ${index + 1}`)
  }
}
nameRegions()
new MutationObserver(nameRegions).observe(document.body, { subtree: true, attributeFilter: ["role"] })
