import type { Command, CommandOf } from "../../state/Command.ts"
import { findEvent, loadEvent, loadEvents, readSample, readWindow } from "./EventJobs.ts"
import { exportEvents } from "./ExportJob.ts"
import type { Job, JobContext } from "./Job.ts"
import { markMessages, triggerAgain, upsertCredentials } from "./WriteJobs.ts"

const jobs = {
  LoadEvents: loadEvents,
  LoadWindow: readWindow,
  SampleWindow: readSample,
  LoadEvent: loadEvent,
  FindEvent: findEvent,
  UpsertCredentials: upsertCredentials,
  MarkMessages: markMessages,
  TriggerAgain: triggerAgain,
  ExportEvents: exportEvents
} satisfies { readonly [Tag in Command["_tag"]]?: (command: CommandOf<Tag>, context: JobContext) => Job | undefined }

/** A command that calls the service, or writes many events. */
export type JobCommand = CommandOf<keyof typeof jobs>

/** The job of a command; `undefined` where the session cannot do it. */
export const jobOf = (command: JobCommand, context: JobContext): Job | undefined =>
  // Each takes the command of its name, which the compiler cannot see for the union.
  jobs[command._tag](command as never, context)
