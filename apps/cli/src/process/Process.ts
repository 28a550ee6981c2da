/**
 * The process as the command line uses it: environment, streams, terminal.
 */
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

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
    readonly write: (text: string) => Effect.Effect<void, OutputClosed>
    /** Writes to stderr. */
    readonly report: (text: string) => Effect.Effect<void>
    /** Everything that arrives on stdin. */
    readonly stdin: Effect.Effect<string>
    /** Prompts on the terminal and reads one line; `hidden` does not echo it. Requires a terminal on stdin. */
    readonly ask: (question: string, echo: "visible" | "hidden") => Effect.Effect<string>
    /** Hands signals to the listener instead of interrupting the command, until the scope closes. */
    readonly listenToSignals: (listener: (signal: NodeJS.Signals) => void) => Effect.Effect<void, never, Scope.Scope>
  }
>()("signalbox/cli/Process") {}
