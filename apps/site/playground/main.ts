/**
 * Adds *Run* to the TypeScript blocks of a page. Blocks of a guide are one program: a block runs after those above
 * it. Blocks of the reference are programs of their own.
 */
import { isFaultLabel } from "./Faults.ts"
import { missingModules } from "./Program.ts"
import type { Scenario, Workbench, WorkbenchOptions } from "./Workbench.ts"

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

const unavailable = "This page could not load its editor: there is no connection to this site."

/** Opens a workbench. Its code loads first; the service worker stores it for a reader without a connection. */
const open = async (options: WorkbenchOptions): Promise<Workbench | undefined> => {
  void navigator.serviceWorker?.register("/sw.js")
  try {
    const { openWorkbench } = await import("./Workbench.ts")
    return openWorkbench(options)
  } catch {
    options.replaces.after(Object.assign(document.createElement("p"), { role: "alert", textContent: unavailable }))
    return undefined
  }
}

const readScenarios = async (): Promise<ReadonlyArray<Scenario>> => {
  // The build writes this file.
  return (await (await fetch("/playground/scenarios.json")).json()) as ReadonlyArray<Scenario>
}

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
  button.addEventListener("click", () => void open({ replaces: block, before: above, code }))
  block.append(button)
}

/** Opens the playground after an element that it hides, with the first scenario and the fault that it is about. */
const openPlayground = async (replaces: HTMLElement): Promise<void> => {
  const scenarios = await readScenarios()
  const [{ code = "", name = "" } = {}] = scenarios
  const fault = { label: "connection reset after the change" } as const
  await open({ replaces, before: "", code, fault, scenario: name, scenarios })
}

const playground = document.querySelector<HTMLElement>("[data-playground]")
if (playground !== null) void openPlayground(playground)

/** The workbench of each place whose buttons run a scenario with a fault, one after another. */
const opened = new Map<HTMLElement, Promise<Workbench | undefined>>()

const runScenario = async (place: HTMLElement, scenario: string, fault: string): Promise<void> => {
  const code = (await readScenarios()).find(({ name }) => name === scenario)?.code ?? ""
  const program = { code, ...(isFaultLabel(fault) ? { fault: { label: fault } } : {}) }
  const workbench = await opened.get(place)
  const block = place.querySelector<HTMLElement>(".expressive-code")
  if (workbench !== undefined) workbench.show(program)
  else if (block !== null) opened.set(place, open({ replaces: block, before: "", ...program }))
}

for (const button of document.querySelectorAll<HTMLButtonElement>("button[data-scenario]")) {
  const place = button.closest<HTMLElement>("[data-workbench]")
  const { fault = "", scenario = "" } = button.dataset
  if (place !== null) button.addEventListener("click", () => void runScenario(place, scenario, fault))
}

/** Makes tabs of sections, which are all visible without this script. */
const makeTabs = (place: HTMLElement): void => {
  const sections = [...place.querySelectorAll<HTMLElement>(":scope > [data-tab]")]
  const list = Object.assign(document.createElement("div"), { role: "tablist", ariaLabel: "Choose" })
  const tabs = sections.map((section, index) => {
    const id = `tab-${index + 1}`
    const tab = Object.assign(document.createElement("button"), { type: "button", role: "tab", id })
    tab.textContent = section.dataset["tab"] ?? ""
    tab.setAttribute("aria-controls", `${id}-panel`)
    Object.assign(section, { role: "tabpanel", id: `${id}-panel` }).setAttribute("aria-labelledby", id)
    return tab
  })
  const select = (chosen: number): void => {
    for (const [index, tab] of tabs.entries()) {
      tab.ariaSelected = String(index === chosen)
      tab.tabIndex = index === chosen ? 0 : -1
    }
    for (const [index, section] of sections.entries()) section.hidden = index !== chosen
  }
  for (const [index, tab] of tabs.entries()) {
    tab.addEventListener("click", () => select(index))
    tab.addEventListener("keydown", ({ key }) => {
      const by = key === "ArrowRight" ? 1 : key === "ArrowLeft" ? -1 : 0
      const next = (index + by + tabs.length) % tabs.length
      if (by === 0) return
      select(next)
      tabs[next]?.focus()
    })
  }
  list.append(...tabs)
  place.prepend(list)
  select(0)
}

for (const place of document.querySelectorAll<HTMLElement>("[data-tabs]")) makeTabs(place)

/** Buttons that step through a recorded session; the first one replaces its animation. */
const steppedBy = new Map<HTMLElement, Promise<(by: number) => void>>()

const step = async (picture: HTMLElement, by: number): Promise<void> => {
  const { openRecording } = await import("./Recording.ts")
  const recording = steppedBy.get(picture) ?? openRecording(picture)
  steppedBy.set(picture, recording)
  const move = await recording
  move(by)
}

for (const button of document.querySelectorAll<HTMLButtonElement>("button[data-step]")) {
  const picture = button.closest("[data-recording]")?.querySelector("picture")
  if (picture) button.addEventListener("click", () => void step(picture, Number(button.dataset["step"])))
}

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
