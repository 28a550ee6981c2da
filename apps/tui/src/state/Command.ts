import type { EventFilters } from "@signalbox/core/Events"
import type { ActivityNotification } from "@signalbox/core/Records"
import type { CauseChange } from "@signalbox/operator/connections/KnownCauses"
import type { TimeRange } from "@signalbox/operator/diagnosis/Histogram"
import type { RecordingStart } from "../recording/Recording.ts"
import type { CredentialsRequest } from "../screens/credentials/CredentialsForm.ts"
import type { LoadMode } from "../screens/events/EventsScreen.ts"
import type { TypedBefore } from "./TypedBefore.ts"
import type { MarkRequest } from "./Mark.ts"

/** Stands for the name of a saved file, which is another one where the first is taken. */
export const savedFile = "{file}"

/** A command of the state. Data only: the runner executes it and sends the outcome as messages. */
export type Command =
  | {
      readonly _tag: "LoadEvents"
      readonly screenId: number
      readonly mode: LoadMode
      readonly filters: EventFilters
      readonly page: number
    }
  /** Reads all events of a window, or a sample of them. */
  | {
      readonly _tag: "LoadWindow" | "SampleWindow"
      readonly screenId: number
      readonly filters: EventFilters
      readonly range: TimeRange
      /** The length of the window as it was typed: `24h`. */
      readonly name: string
    }
  | {
      readonly _tag: "LoadEvent"
      readonly screenId: number
      readonly event: ActivityNotification
      /** Milliseconds to wait before. */
      readonly delay?: number
    }
  | {
      readonly _tag: "UpsertCredentials"
      readonly screenId: number
      readonly subscriberId: string
      readonly input: CredentialsRequest
    }
  | {
      readonly _tag: "MarkMessages"
      readonly screenId: number
      readonly mark: MarkRequest
    }
  | { readonly _tag: "TriggerAgain"; readonly event: ActivityNotification }
  | { readonly _tag: "FindEvent"; readonly transactionId: string }
  | { readonly _tag: "Copy"; readonly text: string; readonly what: string }
  | { readonly _tag: "ExportEvents"; readonly name: string; readonly events: ReadonlyArray<ActivityNotification> }
  /** `what` may contain {@link savedFile}. */
  | { readonly _tag: "SaveFile"; readonly name: string; readonly text: string; readonly what: string }
  /** Rings the bell of the terminal and notifies through it. */
  | { readonly _tag: "Ring"; readonly text: string }
  /** Keeps something about causes for the next session. */
  | { readonly _tag: "KeepCauses"; readonly connection: string; readonly change: CauseChange }
  /** Keeps the entries of prompts for the next session. */
  | { readonly _tag: "KeepPrompts"; readonly typed: TypedBefore }
  | { readonly _tag: "OpenUrl"; readonly url: string }
  | { readonly _tag: "OpenPager"; readonly text: string }
  | { readonly _tag: "Connect"; readonly name: string }
  | {
      readonly _tag: "StartRecording"
      readonly name: string
      readonly start: Omit<RecordingStart, "startedAt">
    }
  | { readonly _tag: "StopRecording" }
  | { readonly _tag: "StopReading" }
  /** Imports a file, or continues where that stopped. */
  | { readonly _tag: "RunFile"; readonly file: string }
  /** Stops the run of a file once its lines in flight are done. */
  | { readonly _tag: "PauseRun" }
  /** Sends the message of the same name once the keys that have arrived are handled. */
  | { readonly _tag: "MaskMore" }
  | { readonly _tag: "Suspend" }
  | { readonly _tag: "Redraw" }
  | { readonly _tag: "Quit" }

/** The command, or commands, of a tag. */
export type CommandOf<Tag extends Command["_tag"]> = Extract<Command, { readonly _tag: Tag }>
