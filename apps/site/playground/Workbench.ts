/**
 * A program that a reader edits and runs: the editor, its fault, its output, and the inspector of its fakes.
 */
import { makeCodeEditor } from "./CodeEditor.ts"
import { type ChosenFault, faultCode, faultLabels, isFaultLabel } from "./Faults.ts"
import { hashOf, type Place, placeOf } from "./Place.ts"
import { type Sources, vitestTest } from "./Program.ts"
import type { RunReport, RunRequest } from "./Protocol.ts"

/** A named program of the playground. */
export interface Scenario {
  readonly name: string
  readonly title: string
  readonly code: string
}

/** The options of a workbench. */
export interface WorkbenchOptions extends Sources {
  /** Where it goes: after this element, which is hidden until the workbench is closed. */
  readonly replaces: HTMLElement
  readonly fault?: ChosenFault
  /** The scenarios to choose from; with them, the address of the page has the program. */
  readonly scenarios?: ReadonlyArray<Scenario>
  readonly scenario?: string
}

/** An open workbench. */
export interface Workbench {
  /** Shows another program and runs it. */
  readonly show: (place: Place) => void
}

const element = <Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]> = {},
  ...children: ReadonlyArray<Node | string>
): HTMLElementTagNameMap[Name] => {
  const made = Object.assign(document.createElement(name), properties)
  made.append(...children)
  return made
}

const button = (textContent: string, onclick: () => void): HTMLButtonElement =>
  element("button", { type: "button", textContent, onclick })

/** Saves a file for the reader. */
const save = (name: string, text: string): void => {
  const link = element("a", { href: URL.createObjectURL(new Blob([text], { type: "text/plain" })), download: name })
  link.click()
  URL.revokeObjectURL(link.href)
}

/** The inspector in a separate frame with its own styles; it gets the port of each program. */
const makeInspector = () => {
  const frame = element("iframe", { src: "/playground/inspector.html", title: "Requests and state of the fake" })
  let waiting: MessagePort | undefined
  let isReady = false
  const send = (port: MessagePort): void => {
    if (isReady) frame.contentWindow?.postMessage("program", location.origin, [port])
    else waiting = port
  }
  addEventListener("message", ({ source }) => {
    if (source === null || source !== frame.contentWindow) return
    isReady = true
    if (waiting !== undefined) send(waiting)
    waiting = undefined
  })
  return { frame, send }
}

let numberOfWorkbenches = 0

/** Opens a workbench and runs its program. */
export const openWorkbench = ({ before, replaces, scenarios, ...first }: WorkbenchOptions): Workbench => {
  numberOfWorkbenches += 1
  const number = numberOfWorkbenches
  const isWide = replaces.closest("[data-playground], [data-workbench]") !== null
  let original: Place = first
  let scenario = first.scenario
  let worker: Worker | undefined

  const types = element("span", { className: "types", role: "status" })
  const editor = makeCodeEditor({
    label: `Code of example ${number}`,
    code: first.code,
    before,
    onRun: () => run(),
    onChange: () => remember(),
    onTypes: (status) => {
      types.textContent = status
    }
  })
  const options = (labels: ReadonlyArray<readonly [value: string, text: string]>) =>
    labels.map(([value, textContent]) => element("option", { value, textContent }))
  const faults = element(
    "select",
    { onchange: () => run() },
    ...options([["", "no fault"], ...faultLabels.map((label) => [label, label] as const)])
  )
  const atRequest = element("input", {
    type: "number",
    min: "1",
    max: "999",
    placeholder: "first",
    onchange: () => run()
  })
  const scenarioSelect = element(
    "select",
    { onchange: () => open({ scenario: scenarioSelect.value }) },
    ...options((scenarios ?? []).map(({ name, title }) => [name, title]))
  )
  const stopButton = button("Stop", () => {
    write("note", "Stopped.")
    stop("stopped")
  })
  const output = element("div", { className: "output", role: "log", ariaLive: "polite", tabIndex: 0 })
  output.setAttribute("aria-label", `Output of example ${number}`)
  const inspector = makeInspector()
  const runButton = button("Run", () => run())
  runButton.title = "ctrl-enter"
  const link = element("a", { textContent: "Open in the playground", href: "/playground/" })
  const panel = element(
    "section",
    { className: `example not-content${isWide ? " wide" : ""}`, ariaLabel: `Example ${number}` },
    element(
      "div",
      { className: "controls" },
      ...(scenarios === undefined ? [] : [element("label", {}, "Scenario ", scenarioSelect)]),
      runButton,
      stopButton,
      button("Reset", () => {
        editor.setCode(original.code ?? "")
        choose(original.fault)
        run()
      }),
      element("label", {}, "Fault ", faults),
      element("label", {}, "at request ", atRequest),
      button("Save as vitest test", () => save("example.test.ts", vitestTest(sources(), faultText()))),
      ...(scenarios === undefined ? [link] : []),
      ...(isWide ? [] : [button("Close", () => close())])
    ),
    element("div", { className: "code" }, editor.element, types),
    output,
    inspector.frame
  )

  const sources = (): Sources => ({ before, code: editor.code() })

  const chosenFault = (): ChosenFault | undefined => {
    const request = atRequest.valueAsNumber
    if (!isFaultLabel(faults.value)) return undefined
    return { label: faults.value, ...(Number.isInteger(request) && request > 0 ? { request } : {}) }
  }

  const faultText = (): string | undefined => {
    const fault = chosenFault()
    return fault && faultCode(fault)
  }

  const choose = (fault: ChosenFault | undefined): void => {
    faults.value = fault?.label ?? ""
    atRequest.value = String(fault?.request ?? "")
  }

  /** Keeps the address up to date: that of the page with scenarios, and that of the link elsewhere. */
  const remember = (): void => {
    const fault = chosenFault()
    const code = before === "" ? editor.code() : `${before}\n${editor.code()}`
    const isChanged = scenario === undefined || code !== original.code
    const hash = hashOf({
      ...(scenario === undefined ? {} : { scenario }),
      ...(isChanged ? { code } : {}),
      ...(fault === undefined ? {} : { fault })
    })
    if (scenarios === undefined) link.href = `/playground/${hash}`
    else history.replaceState(null, "", location.pathname + hash)
  }

  const write = (className: string, text: string): void => {
    const line = element("pre", { className, textContent: text })
    output.append(line)
    output.scrollTop = line.offsetTop - output.offsetTop
  }

  const stop = (state: "done" | "failed" | "stopped"): void => {
    worker?.terminate()
    worker = undefined
    finish(state)
  }

  const finish = (state: "done" | "failed" | "stopped"): void => {
    stopButton.disabled = true
    panel.dataset["state"] = state
  }

  const show = (report: RunReport): void => {
    switch (report._tag) {
      case "Line":
        return write(report.kind, report.text)
      case "Claim": {
        const expected = report.holds ? "" : `   (the page shows ${report.expected})`
        return write(report.holds ? "value" : "value changed", `${report.expression}\n  → ${report.actual}${expected}`)
      }
      case "Done":
        if (output.childElementCount === 0) write("note", "The program finished without output.")
        // The worker stays, with the fakes that the inspector shows.
        return finish(report.failed ? "failed" : "done")
    }
  }

  const run = (): void => {
    stop("stopped")
    output.replaceChildren()
    remember()
    panel.dataset["state"] = "running"
    stopButton.disabled = false
    const started = new Worker("/playground/worker.js", { type: "module" })
    worker = started
    started.addEventListener("message", ({ data }: MessageEvent<RunReport>) => {
      if (worker === started) show(data)
    })
    started.addEventListener("error", ({ message }) => {
      const offline = "The program could not be loaded: there is no connection to this site, and it is not stored yet."
      write("error", navigator.onLine ? message || "The program could not be loaded." : offline)
      stop("failed")
    })
    const { port1, port2 } = new MessageChannel()
    inspector.send(port2)
    const request: RunRequest = { ...sources(), fault: faultText() }
    started.postMessage(request, [port1])
  }

  const open = (place: Place): void => {
    const named = scenarios?.find(({ name }) => name === place.scenario)
    if (named !== undefined) {
      scenario = named.name
      scenarioSelect.value = named.name
    }
    const code = named?.code ?? place.code ?? original.code ?? ""
    original = { code, ...(place.fault === undefined ? {} : { fault: place.fault }) }
    editor.setCode(place.code ?? code)
    choose(place.fault)
    run()
  }

  const close = (): void => {
    stop("stopped")
    panel.remove()
    replaces.hidden = false
  }

  replaces.hidden = true
  replaces.after(panel)
  choose(first.fault)
  if (scenarios === undefined) {
    runButton.focus({ preventScroll: true })
    run()
  } else {
    const asked = placeOf(location.hash)
    open(Object.keys(asked).length === 0 ? first : { ...(scenario === undefined ? {} : { scenario }), ...asked })
    addEventListener("hashchange", () => open(placeOf(location.hash)))
  }
  return { show: open }
}
