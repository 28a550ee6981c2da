import type { CredentialField, ProviderChannel } from "../screens/credentials/ProviderFields.ts"

/** The outcome for the credentials of one subscriber in a queue; `unsure` where the change may have been applied. */
export type FixOutcome = "sent" | "failed" | "unsure" | "skipped"

/** The subscribers whose failures have one cause that credentials fix, stepped through with the credentials form. */
export interface FixQueue {
  readonly cause: string
  /** A few words: `slack webhook missing`. */
  readonly title: string
  readonly providerId: string | undefined
  /** The channel of the failed step. */
  readonly channel: ProviderChannel | undefined
  /** Why the form opens, for the line above its fields. */
  readonly reason: string
  /** External ids; the one that the form was opened for is first, unless it needs no credentials any more. */
  readonly subscribers: ReadonlyArray<string>
  /** The integration that lacks the credentials, by the ids of subscribers. */
  readonly integrations: ReadonlyMap<string, string>
  readonly outcomes: ReadonlyMap<string, FixOutcome>
  /** Values of one field that were pasted for several subscribers, by their ids. */
  readonly pasted?: { readonly field: CredentialField; readonly values: ReadonlyMap<string, string> }
}

/**
 * The values in lines of a subscriber and a value, or of a filled-in file for a bulk import: the first column has the id,
 * the last one the value. Absent where the text has another form, or no subscriber of the queue.
 */
export const valuesIn = (text: string, { subscribers }: FixQueue): ReadonlyMap<string, string> | undefined => {
  const values = new Map<string, string>()
  for (const line of text.trim().split(/\r?\n/u)) {
    const cells = line.split(/[,;\t]/u).map((cell) => cell.trim().replace(/^"(.*)"$/u, "$1"))
    const [id = ""] = cells
    const value = cells.at(-1) ?? ""
    if (cells.length < 2) return undefined
    if (subscribers.includes(id) && value !== "") values.set(id, value)
  }
  return values.size === 0 ? undefined : values
}

/** The queue with the outcome of one subscriber; unchanged where that one is not in it. */
export const withOutcome = (
  queue: FixQueue | undefined,
  subscriberId: string,
  outcome: FixOutcome
): FixQueue | undefined =>
  queue === undefined || !queue.subscribers.includes(subscriberId)
    ? queue
    : { ...queue, outcomes: new Map([...queue.outcomes, [subscriberId, outcome]]) }

/** Whether the credentials of a subscriber are neither sent nor skipped. */
export const isOpen = ({ outcomes }: FixQueue, subscriberId: string): boolean => {
  const outcome = outcomes.get(subscriberId)
  return outcome === undefined || outcome === "failed" || outcome === "unsure"
}

/** The first subscriber after this one whose credentials are neither sent nor skipped; going round. */
export const nextOf = (queue: FixQueue, subscriberId: string): string | undefined => {
  const { subscribers } = queue
  const at = subscribers.indexOf(subscriberId)
  return [...subscribers.slice(at + 1), ...subscribers.slice(0, at)].find((id) => isOpen(queue, id))
}

/** How far a queue is: `2 of 4, 1 sent, 1 skipped`. */
export const progressOf = ({ outcomes, subscribers }: FixQueue, subscriberId: string): string => {
  const counts = (["sent", "failed", "unsure", "skipped"] as const).flatMap((outcome) => {
    const count = Array.from(outcomes.values()).filter((one) => one === outcome).length
    return count === 0 ? [] : [`${count} ${outcome}`]
  })
  const at = subscribers.indexOf(subscriberId)
  // The step of this subscriber has succeeded since.
  const here = at === -1 ? `not needed here, ${subscribers.length} others` : `${at + 1} of ${subscribers.length}`
  return [here, ...counts].join(", ")
}
