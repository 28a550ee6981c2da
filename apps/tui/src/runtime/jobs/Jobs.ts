import type { CommandOf } from "../../state/Command.ts"
import { findEvent, loadEvent, loadEvents, readSample, readWindow } from "./EventJobs.ts"
import { exportEvents } from "./ExportJob.ts"
import type { Job, JobContext } from "./Job.ts"
import { markMessages, triggerAgain, upsertCredentials } from "./WriteJobs.ts"

/** A command that calls the service, or writes many events. */
export type JobCommand = CommandOf<
  | "LoadEvents"
  | "LoadWindow"
  | "SampleWindow"
  | "LoadEvent"
  | "FindEvent"
  | "UpsertCredentials"
  | "MarkMessages"
  | "TriggerAgain"
  | "ExportEvents"
>

/** The job of a command; `undefined` where the session cannot do it. */
export const jobOf = (command: JobCommand, context: JobContext): Job | undefined => {
  switch (command._tag) {
    case "LoadEvents":
      return loadEvents(command, context)
    case "LoadWindow":
      return readWindow(command, context)
    case "SampleWindow":
      return readSample(command, context)
    case "LoadEvent":
      return loadEvent(command, context)
    case "FindEvent":
      return findEvent(command, context)
    case "UpsertCredentials":
      return upsertCredentials(command, context)
    case "MarkMessages":
      return markMessages(command, context)
    case "TriggerAgain":
      return triggerAgain(command, context)
    case "ExportEvents":
      return exportEvents(command, context)
  }
}
