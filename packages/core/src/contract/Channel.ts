import * as Schema from "effect/Schema"

/**
 * The channels through which a message can reach a subscriber (API document: Resources, Message).
 */
export const channels = ["in_app", "email", "sms", "chat", "push"] as const

/**
 * The channel of a message (API document: Resources, Message).
 */
export const Channel = Schema.Literals(channels).annotate({ identifier: "Channel" })

/**
 * The kinds of job that an event can consist of: the channels, and the steps that do not send (API document:
 * Resources, ActivityNotification).
 */
export const jobTypes = [...channels, "digest", "trigger", "delay", "throttle", "custom"] as const

/**
 * The kind of a job (API document: Resources, ActivityNotification).
 */
export const JobType = Schema.Literals(jobTypes).annotate({ identifier: "JobType" })
