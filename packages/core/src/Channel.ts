import * as Contract from "./contract/Channel.ts"
import { isKnown, openEnum } from "./OpenEnum.ts"

/** The five channels (API document: Resources, Message). */
export const channels = Contract.channels

/** One of the channels that this version knows (API document: Resources, Message). */
export type KnownChannel = typeof Contract.Channel.Type

/** Channel of a message, as the service sends it: also one that is newer than this version. */
export type Channel = KnownChannel | (string & {})

/** Schema of {@link Channel}. */
export const Channel = openEnum<typeof Contract.channels, Channel>(Contract.channels)

/** Whether a channel is one of those that this version knows (API document: Resources, Message). */
export const isKnownChannel = (value: unknown): value is KnownChannel => isKnown(Channel, value)

/** The ten kinds of job (API document: Resources, ActivityNotification). */
export const jobTypes = Contract.jobTypes

/** One of the kinds of job that this version knows (API document: Resources, ActivityNotification). */
export type KnownJobType = typeof Contract.JobType.Type

/** Kind of a job, as the service sends it: also one that is newer than this version. */
export type JobType = KnownJobType | (string & {})

/** Schema of {@link JobType}. */
export const JobType = openEnum<typeof Contract.jobTypes, JobType>(Contract.jobTypes)

/** Whether a kind of job is one of those that this version knows (API document: Resources, ActivityNotification). */
export const isKnownJobType = (value: unknown): value is KnownJobType => isKnown(JobType, value)
