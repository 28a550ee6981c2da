/**
 * Schemas of channels and kinds of job, as enumerations that stay open.
 *
 * **When to use**: to decode, encode or generate values with `effect/Schema`. Calls read without schemas, by tables
 * generated from these.
 *
 * @since 0.1.0
 */
import type * as Model from "../models/Channel.ts"
import * as Contract from "../contract/Channel.ts"
import { openEnum } from "./OpenEnum.ts"

/** Schema of `Channel`. */
export const Channel = openEnum<typeof Contract.channels, Model.Channel>(Contract.channels)

/** Schema of `JobType`. */
export const JobType = openEnum<typeof Contract.jobTypes, Model.JobType>(Contract.jobTypes)
