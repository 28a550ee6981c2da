import type { ActivityNotification } from "@signalbox/core/Activity"
import type { Unreadable } from "@signalbox/core/DriftEntry"
import type { EventPage } from "@signalbox/core/EventPage"
import type { Message as InAppMessage } from "@signalbox/core/Message"
import type { Subscriber } from "@signalbox/core/Subscriber"
import type { Key } from "../keyboard/Key.ts"
import type { LoadMode, MarkRequest } from "./Command.ts"
import type { ThemeName } from "@signalbox/operator/connections/NamedConnection"
import type { Problem } from "@signalbox/operator/report/ProblemReport"
import type { ConnectionInfo, Notice, Size, Task } from "./State.ts"

/** Facts of a finished call that the screens show. */
export interface CallFacts {
  readonly status: number
  readonly durationMs: number
  readonly attempts: number
  readonly idempotencyKey?: string
  readonly requestId?: string
  /** Parts of the answer that the reader removed because they could not be read. */
  readonly unreadable: ReadonlyArray<Unreadable>
}

/** What became of the messages of a mark that failed as a whole or in part. */
export interface MarkReport {
  readonly done: ReadonlyArray<string>
  /** What the service answered of those that are done. */
  readonly messages: ReadonlyArray<InAppMessage>
  readonly failed: ReadonlyMap<string, MarkFailure>
  readonly notTried: ReadonlyArray<string>
}

/** What is known of a message whose mark failed: nothing was changed, perhaps it was, or it was done all the same. */
export interface MarkFailure {
  readonly result: "refused" | "unsure" | "done"
  readonly why?: string
}

/** Everything that can happen to the state. */
export type Message =
  | { readonly _tag: "Keys"; readonly keys: ReadonlyArray<Key> }
  | { readonly _tag: "Paste"; readonly text: string }
  | { readonly _tag: "Resized"; readonly size: Size }
  | { readonly _tag: "Tick" }
  | { readonly _tag: "RefreshDue" }
  | { readonly _tag: "TaskStarted"; readonly task: Task }
  | { readonly _tag: "TaskNoted"; readonly id: number; readonly note: string }
  | { readonly _tag: "TaskEnded"; readonly id: number }
  | {
      readonly _tag: "EventsLoaded"
      readonly screenId: number
      readonly mode: LoadMode
      readonly page: EventPage
      readonly call: CallFacts
    }
  | { readonly _tag: "EventsFailed"; readonly screenId: number; readonly mode: LoadMode; readonly problem: Problem }
  | { readonly _tag: "EventLoaded"; readonly screenId: number; readonly event: ActivityNotification | undefined }
  | { readonly _tag: "EventFailed"; readonly screenId: number; readonly problem: Problem }
  | {
      readonly _tag: "CredentialsSaved"
      readonly screenId: number
      readonly subscriber: Subscriber
      readonly call: CallFacts
    }
  | { readonly _tag: "CredentialsRefused"; readonly screenId: number; readonly problem: Problem }
  | {
      readonly _tag: "MessagesMarked"
      readonly screenId: number
      readonly mark: MarkRequest
      readonly messages: ReadonlyArray<InAppMessage>
      /** The ids that the answer has no message for. */
      readonly notReturned: ReadonlyArray<string>
      readonly call: CallFacts
    }
  | {
      readonly _tag: "MarkFailed"
      readonly screenId: number
      readonly mark: MarkRequest
      readonly report: MarkReport
      readonly problem: Problem
    }
  | { readonly _tag: "Triggered"; readonly transactionId: string }
  | { readonly _tag: "EventFound"; readonly transactionId: string; readonly event: ActivityNotification | undefined }
  | { readonly _tag: "Connected"; readonly connection: ConnectionInfo; readonly theme: ThemeName | undefined }
  | { readonly _tag: "Noticed"; readonly notice: Notice }
