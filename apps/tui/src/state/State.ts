import type { Chord } from "../keyboard/Chord.ts"
import type { TextField } from "../keyboard/TextField.ts"
import type { CausesScreen } from "../screens/causes/CausesScreen.ts"
import type { CompareScreen } from "../screens/compare/CompareScreen.ts"
import type { CredentialsScreen } from "../screens/credentials/CredentialsScreen.ts"
import type { EventScreen } from "../screens/event/EventScreen.ts"
import type { EventsScreen } from "../screens/events/EventsScreen.ts"
import type { MessagesScreen } from "../screens/messages/MessagesScreen.ts"
import type { RequestsScreen } from "../screens/requests/RequestsScreen.ts"
import type { RunScreen } from "../screens/run/RunScreen.ts"
import type { SubscriberScreen } from "../screens/subscriber/SubscriberScreen.ts"
import type { TextScreen } from "../screens/text/TextScreen.ts"
import type { Tone } from "../view/Row.ts"
import type { Command } from "./Command.ts"
import type { FileRun } from "./FileRun.ts"
import type { FixQueue } from "./FixQueue.ts"
import type { HistoryEntry } from "./History.ts"
import type { Facts } from "./Facts.ts"
import type { Settings, Size } from "./Settings.ts"
import type { PromptPurpose, TypedBefore } from "./TypedBefore.ts"
import type { RequestRecord } from "./Requests.ts"
import type { ConnectionInfo } from "./Connection.ts"
import type { Notice, Task } from "./Feedback.ts"

/** A screen of the stack. Its `id` finds it again when a response arrives, wherever it then is in the stack. */
export type Screen =
  | EventsScreen
  | EventScreen
  | SubscriberScreen
  | MessagesScreen
  | CredentialsScreen
  | RequestsScreen
  | RunScreen
  | CausesScreen
  | CompareScreen
  | TextScreen

/** A closed screen whose unsaved work is kept: typed text, messages on their way, a mark to undo. */
export type Draft = CredentialsScreen | MessagesScreen

/** The overlay on the top screen, which receives the keys. */
export type Overlay =
  | { readonly _tag: "Help"; readonly cursor: number; readonly search: TextField }
  | { readonly _tag: "Palette"; readonly field: TextField; readonly cursor: number }
  | Prompt
  | Confirm

/** A one-line prompt. */
export interface Prompt {
  readonly _tag: "Prompt"
  readonly purpose: PromptPurpose
  readonly field: TextField
  readonly problem?: string
  /** The place in what was typed before, from its end, and the text typed instead; absent before the key is pressed. */
  readonly recalled?: { readonly back: number; readonly typed: string }
}

/** A question before a write; `typed` is the word that confirms an irreversible write. */
export interface Confirm {
  readonly _tag: "Confirm"
  readonly question: string
  readonly typed?: string
  readonly field: TextField
  readonly accept: (state: State) => Transition
}

/** Everything the screens are drawn from. */
export interface State {
  readonly size: Size
  /** Milliseconds since 1970, as of the last message. */
  readonly now: number
  readonly settings: Settings
  readonly connection: ConnectionInfo
  /** The last one is on top; never empty. */
  readonly screens: ReadonlyArray<Screen>
  readonly overlay: Overlay | undefined
  readonly chord: Chord
  readonly tasks: ReadonlyArray<Task>
  readonly notice: Notice | undefined
  readonly facts: Facts
  /** Forms and work lists that were left before they were done, the last one last. */
  readonly drafts: ReadonlyArray<Draft>
  /** The subscribers of one cause that are being fixed one after another; absent when none are. */
  readonly fix: FixQueue | undefined
  /** The run of a file that was started here last; absent before the first. */
  readonly fileRun: FileRun | undefined
  /** The text that was copied last, for terminals that do not accept it; absent before the first copy. */
  readonly copied: { readonly text: string; readonly what: string } | undefined
  readonly typedBefore: TypedBefore
  /** The requests that were made, the latest last. */
  readonly requests: ReadonlyArray<RequestRecord>
  /** The file that exchanges are recorded in, and how many are in it; absent while none are. */
  readonly recording: { readonly path: string; readonly exchanges: number } | undefined
  /** The events so far, the latest last. */
  readonly history: ReadonlyArray<HistoryEntry>
  /** Seconds between refreshes; `0` is off. */
  readonly interval: number
  readonly nextId: number
}

/** The next state, and commands to run. */
export interface Transition {
  readonly state: State
  readonly commands: ReadonlyArray<Command>
}

/** A transition that asks nothing of the world. */
export const stay = (state: State): Transition => ({ state, commands: [] })

/** A transition with commands. */
export const withCommands = (state: State, ...commands: ReadonlyArray<Command>): Transition => ({ state, commands })

/** The state with a line of feedback. */
export const withNotice = (state: State, text: string, tone: Tone = "notice"): State => ({
  ...state,
  notice: { text, tone }
})
