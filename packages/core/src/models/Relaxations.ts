/**
 * What reading tolerates beyond the API document, besides values outside of enumerations.
 *
 * **When to use**: to see which fields of the API document a program must not rely on, and why.
 *
 * @since 0.1.0
 */

/** One rule of the document that reading does not insist on. */
export interface Relaxation {
  /** Type of the API document. */
  readonly type: string
  /** Its field; with `[]` at the end, an element of the list in the field. */
  readonly field: string
  /** What the document does not allow and reading accepts. */
  readonly accepts: "absent" | "null"
  /** Why. */
  readonly evidence: string
}

/**
 * The rules of the API document that reading does not insist on, each with its evidence.
 *
 * Every one of them is drift when it happens, except a job without a provider where no provider has anything to do.
 * This list is complete: a test derives every possible violation from the document and reads it.
 *
 * @example
 * ```ts
 * import { relaxations } from "@signalbox/core/Relaxations"
 *
 * const ofMessages = relaxations.filter(({ type }) => type === "Message").map(({ field }) => field)
 * ofMessages // => ["cta", "content"]
 * ```
 */
export const relaxations: ReadonlyArray<Relaxation> = [
  {
    type: "ActivityJob",
    field: "providerId",
    accepts: "absent",
    evidence:
      "Jobs of type digest, delay, throttle and custom have no provider, nor do jobs of a channel without an active integration: implementations leave the field out"
  },
  {
    type: "DigestMetadata",
    field: "events[]",
    accepts: "null",
    evidence:
      "A running service (version 3.15.0) returns null for a digested event that was triggered without a payload"
  },
  {
    type: "Message",
    field: "cta",
    accepts: "absent",
    evidence: "A message stored without a call to action is returned without the field"
  },
  {
    type: "Message",
    field: "content",
    accepts: "null",
    evidence:
      "Messages whose content was not kept are returned with null; later schemas of a public implementation allow it"
  },
  {
    type: "Subscriber",
    field: "channels",
    accepts: "null",
    evidence: "Old subscriber records hold null, which made strict clients fail on the whole response"
  },
  {
    type: "StepFilter",
    field: "isNegated",
    accepts: "absent",
    evidence: "Stored filters from before the field existed are returned unchanged"
  },
  {
    type: "StepFilter",
    field: "type",
    accepts: "absent",
    evidence: "Stored filters from before the field existed are returned unchanged"
  },
  {
    type: "DelayScheduledMetadata",
    field: "delayPath",
    accepts: "absent",
    evidence:
      "The shapes of step metadata cannot be distinguished by their type, which may also be newer than the document: they are read as one"
  }
]
