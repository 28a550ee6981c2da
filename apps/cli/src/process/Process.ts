/**
 * The process as the command line uses it: environment, streams, terminal.
 */
import { outlet, type Outgoing } from "@signalbox/operator/outlet/Outlet"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import type * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import type { Stdio } from "effect/Stdio"

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>

/** The reader of stdout closed it, as `head` does, or it cannot be written; the program stops. */
export class OutputClosed extends Data.TaggedError("OutputClosed") {}

/** The process that a command runs in. */
export class Process extends Context.Service<
  Process,
  {
    /** Version of Signalbox. */
    readonly version: string
    readonly environment: Environment
    readonly stdinIsTerminal: boolean
    readonly stdoutIsTerminal: boolean
    readonly stderrIsTerminal: boolean
    /** Width of the terminal on stdout. */
    readonly columns: () => number
    /** Writes to stdout; waits while its reader is slower. */
    readonly write: (text: Outgoing) => Effect.Effect<void, OutputClosed>
    /** Writes to stderr what is not for people to read as lines: JSON, and sequences for the terminal. */
    readonly writeError: (text: Outgoing) => Effect.Effect<void>
    /** Writes lines to stderr. */
    readonly report: (text: string) => Effect.Effect<void>
    /** Everything that arrives on stdin. */
    readonly stdin: Effect.Effect<string>
    /** The same, in pieces. */
    readonly stdinBytes: () => AsyncIterable<Uint8Array>
    /** Stdin and stdout for a protocol, whose messages an outlet has treated. */
    readonly stdio: Layer.Layer<Stdio>
    /** Prompts on the terminal and reads one line; `hidden` does not echo it. Requires a terminal on stdin. */
    readonly ask: (question: string, echo: "visible" | "hidden") => Effect.Effect<string>
    /** Hands signals to the listener instead of interrupting the command, until the scope closes. */
    readonly listenToSignals: (listener: (signal: NodeJS.Signals) => void) => Effect.Effect<void, never, Scope.Scope>
  }
>()("signalbox/cli/Process") {}

const notes = outlet("notes")

/** The process with these streams, which text reaches only through outlets. */
export const makeProcess = (streams: Omit<Process["Service"], "report">): Process["Service"] => ({
  ...streams,
  report: (text) => streams.writeError(notes.text(text)),
  ask: (question, echo) => streams.ask(notes.text(question), echo)
})
