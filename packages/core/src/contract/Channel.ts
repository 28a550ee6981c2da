/**
 * The channels and the kinds of job of the API document (Resources, Message and ActivityNotification).
 *
 * **When to use**: to compare a service or a fake with the document. Programs read with the module of the same name
 * outside of `contract`, which takes what services really send.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { channels, jobTypes } from "./KnownValues.ts"

export { channels, jobTypes } from "./KnownValues.ts"

/**
 * The channel of a message (API document: Resources, Message).
 */
export const Channel = Schema.Literals(channels).annotate({ identifier: "Channel" })

/**
 * The kind of a job (API document: Resources, ActivityNotification).
 */
export const JobType = Schema.Literals(jobTypes).annotate({ identifier: "JobType" })
