/**
 * An example of a page that a reader can edit and run.
 */
import { faultLabels } from "./Faults.ts"
import { hashOf, sharedCode } from "./SharedCode.ts"
import type { RunReport, RunRequest } from "./Protocol.ts"

const element = <Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]> = {},
  ...children: ReadonlyArray<Node | string>
): HTMLElementTagNameMap[Name] => {
  const made = Object.assign(document.createElement(name), properties)
  made.append(...children)
  return made
}

const rowsFor = (code: string): number => Math.min(30, code.split("\n").length + 1)

let numberOfExamples = 0

/** Shows the editor and the output of an example after `block`. With `isShared`, the address of the page has its code. */
export const openExample = (block: HTMLElement, before: string, code: string, isShared = false): void => {
  numberOfExamples += 1
  const number = numberOfExamples
  const shown = (isShared ? sharedCode(location.hash) : undefined) ?? code
  const editor = element("textarea", { value: shown, rows: rowsFor(shown), spellcheck: false, className: "editor" })
  editor.setAttribute("aria-label", `Code of example ${number}`)
  const select = element(
    "select",
    {},
    element("option", { value: "", textContent: "no fault" }),
    ...faultLabels.map((label) => element("option", { value: label, textContent: label }))
  )
  const runButton = element("button", { type: "button", textContent: "Run" })
  const stopButton = element("button", { type: "button", textContent: "Stop", disabled: true })
  const resetButton = element("button", { type: "button", textContent: "Reset" })
  const closeButton = element("button", { type: "button", textContent: "Close" })
  const output = element("div", { className: "output", role: "log", ariaLive: "polite", tabIndex: 0 })
  const requests = element("pre", { className: "requests", tabIndex: 0 })
  const timeline = element("details", { open: true }, element("summary", { textContent: "Requests" }), requests)
  const panel = element(
    "section",
    { className: "example not-content", ariaLabel: `Example ${number}` },
    editor,
    element(
      "div",
      { className: "controls" },
      runButton,
      stopButton,
      element("label", {}, "Fault ", select),
      resetButton,
      closeButton
    ),
    output,
    timeline
  )
  let worker: Worker | undefined

  const write = (className: string, text: string): void => {
    output.append(element("pre", { className, textContent: text }))
  }

  const stop = (state: "done" | "failed" | "stopped"): void => {
    worker?.terminate()
    worker = undefined
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
        requests.textContent = report.timeline === "" ? "no request" : report.timeline
        timeline.hidden = false
        return stop(report.failed ? "failed" : "done")
    }
  }

  const run = (): void => {
    stop("stopped")
    output.replaceChildren()
    timeline.hidden = true
    if (isShared) history.replaceState(null, "", editor.value === code ? location.pathname : hashOf(editor.value))
    panel.dataset["state"] = "running"
    stopButton.disabled = false
    const started = new Worker("/playground/worker.js", { type: "module" })
    worker = started
    started.addEventListener("message", ({ data }: MessageEvent<RunReport>) => show(data))
    started.addEventListener("error", ({ message }) => {
      const offline = "The example could not be loaded: there is no connection to this site."
      write("error", navigator.onLine ? message || "The example could not be loaded." : offline)
      stop("failed")
    })
    const fault = faultLabels.find((label) => label === select.value)
    const request: RunRequest = { before, code: editor.value, fault }
    started.postMessage(request, [])
  }

  runButton.addEventListener("click", run)
  editor.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    run()
  })
  resetButton.addEventListener("click", () => {
    Object.assign(editor, { value: code })
    select.value = ""
    run()
  })
  stopButton.addEventListener("click", () => {
    write("note", "Stopped.")
    stop("stopped")
  })
  closeButton.addEventListener("click", () => {
    stop("stopped")
    panel.remove()
    block.hidden = false
  })
  timeline.hidden = true
  block.hidden = true
  block.after(panel)
  editor.focus({ preventScroll: true })
  run()
}
