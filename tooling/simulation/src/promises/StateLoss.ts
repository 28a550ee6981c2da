/**
 * A crash of the service that loses state, and what the service sent before and after it.
 */
import { type EnvironmentSnapshot, type Fake, Fault, type JournalEntry } from "@signalbox/test-harness"
import type { StateLoss } from "./PromiseScenario.ts"

/** A complete response, as the client's `fetch` delivered it. */
export interface SentResponse {
  readonly path: string
  readonly status: number
  readonly text: () => string
}

/** A `fetch` that records every response while the client reads it. */
export const recordResponses = (
  fetch: typeof globalThis.fetch
): { readonly fetch: typeof globalThis.fetch; readonly sent: ReadonlyArray<SentResponse> } => {
  const sent: Array<SentResponse> = []
  return {
    sent,
    fetch: async (input, init) => {
      const response = await fetch(input, init)
      if (response.body === null) return response
      const chunks: Array<Uint8Array> = []
      const body = response.body.pipeThrough(
        new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
          transform: (chunk, controller) => {
            chunks.push(chunk)
            controller.enqueue(chunk)
          }
        })
      )
      const { headers, status } = response
      sent.push({ path: new URL(String(input)).pathname, status, text: () => Buffer.concat(chunks).toString("utf8") })
      return new Response(body, { headers, status })
    }
  }
}

/** The ids of the records in the body of a response. */
export const idsIn = ({ text }: SentResponse): ReadonlyArray<string> => {
  const body: unknown = JSON.parse(text())
  const data: unknown = Array.isArray(body) ? body : Reflect.get(Object(body), "data")
  return Array.isArray(data) ? data.map((record: unknown) => String(Reflect.get(Object(record), "_id"))) : []
}

/**
 * Crashes the service at a point of a request; it restarts from a backup, and what it had applied since is gone.
 *
 * @returns the requests that it had applied, once it has crashed
 */
export const crashOn = (
  fake: Fake,
  { point, request }: Pick<StateLoss, "point" | "request">,
  backup: EnvironmentSnapshot
): ReadonlySet<JournalEntry> => {
  const lost = new Set<JournalEntry>()
  let isLost = false
  const crash = () => {
    if (isLost) return
    isLost = true
    for (const entry of fake.journal.entries()) if (entry.applied) lost.add(entry)
    fake.restore(backup)
  }
  fake.journal.subscribe(({ number, points }) => {
    if (number !== request) return
    // The client does not get the response, unless it is complete.
    if (points.length === 1 && point !== "received" && point !== "answered") fake.faults.add(Fault.reset({ at: point }))
    // The service must finish the step that it reports.
    if (points.at(-1)?.point === point) queueMicrotask(crash)
  })
  return lost
}
