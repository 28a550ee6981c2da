/**
 * Connects the inspector to the worker that runs the program, instead of a server, through a port that the page sends.
 */
import type { Msg } from "@signalbox/test-harness/internal/pages/Model"
import type { ControlCall, InspectorMessage } from "./Protocol.ts"

export type { Act } from "@signalbox/test-harness/internal/pages/ControlClient"

/** There is no server that a shell could send a request to. */
export const origin = undefined

let port: MessagePort | undefined
let calls = 0
const waiting = new Map<number, (response: Extract<InspectorMessage, { _tag: "Response" }>) => void>()

/** Sends a request with the key of an environment; returns the body, or throws the message of the error. */
export const control = async (
  apiKey: string,
  method: "GET" | "POST" | "DELETE",
  path: string,
  body?: unknown
): Promise<unknown> => {
  calls += 1
  const call: ControlCall = { id: calls, apiKey, method, path, body }
  const response = await new Promise<Extract<InspectorMessage, { _tag: "Response" }>>((resolve) => {
    waiting.set(call.id, resolve)
    port?.postMessage(call)
  })
  if (response.status < 400) return response.body
  const { body: failed } = response
  throw new Error(
    String(typeof failed === "object" && failed !== null && "message" in failed ? failed.message : failed)
  )
}

const showTheme = (): void => {
  document.documentElement.style.colorScheme = parent.document.documentElement.dataset["theme"] ?? "light dark"
}

/** Sends a message for each change of the fakes of a program; the page sends a port for each program. */
export const follow = (send: (msg: Msg) => void): (() => void) => {
  showTheme()
  new MutationObserver(showTheme).observe(parent.document.documentElement, { attributeFilter: ["data-theme"] })
  const receive = ({ ports: [sent] }: MessageEvent): void => {
    if (sent === undefined) return
    port?.close()
    port = sent
    send({ _tag: "Connected" })
    send({ _tag: "Batch", batch: { environments: [], entries: [], unmatched: { count: 0, entries: [] } } })
    sent.addEventListener("message", ({ data }: MessageEvent<InspectorMessage>) => {
      if (data._tag === "Batch") return send(data)
      waiting.get(data.id)?.(data)
      waiting.delete(data.id)
    })
    sent.start()
  }
  addEventListener("message", receive)
  parent.postMessage("inspector", location.origin)
  return () => removeEventListener("message", receive)
}
