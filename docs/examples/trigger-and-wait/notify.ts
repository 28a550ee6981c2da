import { type ActivityNotification, type Client, defineOperation, failures } from "@signalbox/sdk"
import { setTimeout } from "node:timers/promises"
import { z } from "zod"

/** The client has no method for this endpoint of the service, so the program declares it. */
export const triggerEvent = defineOperation({
  name: "events.trigger",
  method: "POST",
  path: "/v1/events/trigger",
  input: z.object({
    body: z.object({
      name: z.string(),
      to: z.object({ subscriberId: z.string() }),
      payload: z.record(z.string(), z.unknown()).optional(),
      // The service recognises a second request with the same one, so a retry does no harm.
      transactionId: z.string()
    })
  }),
  output: z.object({ transactionId: z.string() }),
  idempotent: true
})

/** An event to trigger. */
export interface Notification {
  readonly workflow: string
  readonly subscriberId: string
  readonly payload?: Record<string, unknown>
  readonly transactionId: string
}

/** The outcome of an event. */
export type Outcome =
  | { readonly _tag: "Delivered" }
  | { readonly _tag: "Failed"; readonly step: string; readonly explanation: string }
  /** The listing did not show the end of the event in time. */
  | { readonly _tag: "Unfinished" }

const isRunning = ({ jobs = [] }: ActivityNotification): boolean =>
  jobs.length === 0 || jobs.some(({ status }) => ["pending", "queued", "running", "delayed"].includes(status))

const outcomeOf = (event: ActivityNotification): Outcome => {
  const [failure] = failures(event)
  if (failure === undefined) return { _tag: "Delivered" }
  const { detail, job } = failure
  const raw = detail?.raw ?? ""
  return { _tag: "Failed", step: job.type, explanation: `${detail?.detail ?? job.status}${raw && `: ${raw}`}` }
}

/** How long to wait for the end of an event. */
export interface Waiting {
  readonly tries: number
  readonly everyMs: number
  readonly sleep: (ms: number) => Promise<unknown>
}

/**
 * Triggers an event, waits until the listing shows how it ended, and explains a failure. Rejects with a `CallError` where
 * the trigger fails, and with a `ListEventsError` where the listing does.
 */
export const notify = async (
  client: Client,
  { payload, subscriberId, transactionId, workflow }: Notification,
  { everyMs, sleep, tries }: Waiting = { tries: 30, everyMs: 1_000, sleep: setTimeout }
): Promise<Outcome> => {
  await client.call(triggerEvent, {
    body: { name: workflow, to: { subscriberId }, transactionId, ...(payload && { payload }) }
  })
  for (let tried = 0; tried < tries; tried += 1) {
    const [event] = (await client.events.list({ transactionId })).data
    if (event !== undefined && !isRunning(event)) return outcomeOf(event)
    await sleep(everyMs)
  }
  return { _tag: "Unfinished" }
}
