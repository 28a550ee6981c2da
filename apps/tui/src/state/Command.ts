import type { EventFilters } from "@signalbox/core/Events"
import type { ActivityNotification } from "@signalbox/core/Activity"
import type { CredentialsRequest } from "../screens/credentials/CredentialsForm.ts"

/** The four values that `messages.markAs` takes. */
export type MarkAs = "read" | "unread" | "seen" | "unseen"

/** Messages of one subscriber that are to be marked. */
export interface MarkRequest {
  /** Tells the marks of a screen apart; what is sent again of a mark keeps its number. */
  readonly number: number
  readonly subscriberId: string
  readonly ids: ReadonlyArray<string>
  readonly markAs: MarkAs
  /** The number of the mark that this one takes back. */
  readonly undoes: number | undefined
}

/** Why a page is loaded; its answer is put into the list accordingly. */
export type LoadMode = "first" | "more" | "refresh"

/** What the state asks of the world. Data only: the runner carries it out and answers with messages. */
export type Command =
  | {
      readonly _tag: "LoadEvents"
      readonly screenId: number
      readonly mode: LoadMode
      readonly filters: EventFilters
      readonly page: number
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
  | { readonly _tag: "TriggerAgain"; readonly screenId: number; readonly event: ActivityNotification }
  | { readonly _tag: "FindEvent"; readonly transactionId: string }
  | { readonly _tag: "Copy"; readonly text: string; readonly what: string }
  | { readonly _tag: "SaveFile"; readonly name: string; readonly text: string; readonly what: string }
  | { readonly _tag: "OpenPager"; readonly text: string }
  | { readonly _tag: "Connect"; readonly name: string }
  | { readonly _tag: "Suspend" }
  | { readonly _tag: "Redraw" }
  | { readonly _tag: "Quit" }
