import type { ActivityNotification, EventPage, Message, Subscriber } from "@signalbox/core/Records"
import type { MouseInput } from "../keyboard/Mouse.ts"
import type { Key } from "../keyboard/Key.ts"
import type { ThemeName } from "@signalbox/operator/connections/NamedConnection"
import type { Problem } from "@signalbox/operator/report/ProblemReport"
import type { SampleReport } from "../screens/events/SampleReport.ts"
import type { LoadMode } from "../screens/events/EventsScreen.ts"
import type { MarkReport, MarkRequest } from "./Mark.ts"
import type { ConnectionInfo } from "./Connection.ts"
import type { Notice, Task } from "./Feedback.ts"
import type { FileRunChanges, FileRunLines, FileRunReport } from "./FileRun.ts"
import type { Size } from "./Settings.ts"
import type { CallFacts, RequestRecord } from "./Requests.ts"

/** Everything that can happen to the state. */
export type Msg =
  | { readonly _tag: "Keys"; readonly keys: ReadonlyArray<Key> }
  | { readonly _tag: "Mouse"; readonly input: MouseInput }
  | { readonly _tag: "Paste"; readonly text: string }
  | { readonly _tag: "Resized"; readonly size: Size }
  | { readonly _tag: "Tick" }
  | { readonly _tag: "RefreshDue" }
  | { readonly _tag: "TaskStarted"; readonly task: Task }
  | { readonly _tag: "TaskNoted"; readonly id: number; readonly note: string }
  | { readonly _tag: "TaskProgressed"; readonly id: number; readonly progress: string }
  | { readonly _tag: "TaskWaits"; readonly id: number; readonly until: number }
  | { readonly _tag: "TaskEnded"; readonly id: number }
  | {
      readonly _tag: "EventsLoaded"
      readonly screenId: number
      readonly mode: LoadMode
      readonly page: EventPage
      readonly call: CallFacts
    }
  | { readonly _tag: "WindowSampled"; readonly screenId: number; readonly report: SampleReport }
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
      readonly messages: ReadonlyArray<Message>
      /** The ids that the response has no message for. */
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
  | { readonly _tag: "RequestMade"; readonly request: RequestRecord }
  | { readonly _tag: "RecordingStarted"; readonly path: string; readonly startedAt: number }
  | { readonly _tag: "RecordingGrew"; readonly exchanges: number }
  /** `why` is absent where the operator ended it. */
  | { readonly _tag: "RecordingEnded"; readonly path: string; readonly exchanges: number; readonly why?: string }
  | { readonly _tag: "ReadingStopped" }
  | { readonly _tag: "RunReported"; readonly report: FileRunReport; readonly changed: FileRunChanges }
  | ({
      readonly _tag: "RunEnded"
      readonly outcome: "paused" | "finished" | "failed"
      readonly problem?: string
    } & Partial<FileRunLines>)
  | { readonly _tag: "MaskMore" }
  | { readonly _tag: "Copied"; readonly text: string; readonly what: string }
  | { readonly _tag: "Noticed"; readonly notice: Notice }
