/** The channels and the kinds of job of the API document (Resources, Message and ActivityNotification). */
import * as Schema from "effect/Schema"
import { channels, jobTypes } from "./KnownValues.ts"

/**
 * The channel of a message (API document: Resources, Message).
 */
export const Channel = Schema.Literals(channels).annotate({ identifier: "Channel" })

/**
 * The kind of a job (API document: Resources, ActivityNotification).
 */
export const JobType = Schema.Literals(jobTypes).annotate({ identifier: "JobType" })
