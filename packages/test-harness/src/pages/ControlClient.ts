/**
 * Requests of the pages to the control API, and the live view.
 */
import type { LiveBatch } from "../control/LiveView.ts"
import type { Model, Msg } from "./Model.ts"

/** Where a shell can send requests. */
export const origin: string = globalThis.location?.origin ?? ""

/** Sends a request with the key of an environment; returns the body, or throws the message of the error. */
export const control = async (
  apiKey: string,
  method: "GET" | "POST" | "DELETE",
  path: string,
  body?: unknown
): Promise<unknown> => {
  const response = await fetch(`/_fake/${path}`, {
    method,
    headers: { authorization: `ApiKey ${apiKey}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  const value: unknown = await response.json()
  if (response.ok) return value
  const message = typeof value === "object" && value !== null && "message" in value ? value.message : response.status
  throw new Error(String(message))
}

/** Runs an action and shows its outcome: a notice when it is done, or the message of its error. */
export type Act = (done: string, action: () => Promise<unknown>) => void

/** The state of the inspector, and the ways to change it. */
export interface Page {
  readonly model: Model
  readonly send: (msg: Msg) => void
  readonly act: Act
}

/** Sends a message for each change of the fake and of the connection to it; returns a function that stops. */
export const follow = (send: (msg: Msg) => void): (() => void) => {
  const source = new EventSource("/_fake/events")
  source.addEventListener("open", () => send({ _tag: "Connected" }))
  source.addEventListener("error", () => send({ _tag: "Disconnected" }))
  source.addEventListener("message", ({ data }: MessageEvent<string>) => {
    const batch: LiveBatch = JSON.parse(data)
    send({ _tag: "Batch", batch })
  })
  return () => source.close()
}
