import type * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { durationMs, switchFlag } from "../flags/Flags.ts"

/** Names the connection of a command. */
export const connectionName = {
  connection: Flag.String("connection").pipe(
    Flag.withAlias("c"),
    Flag.withMetavar("NAME"),
    Flag.optional,
    Flag.withDescription(
      'A connection of config.toml, or "demo"; by default SIGNALBOX_CONNECTION, or SIGNALBOX_BASE_URL and SIGNALBOX_API_KEY, or the default of config.toml.'
    )
  )
}

/** The flags of every command that calls a service. */
export const connectionFlag = {
  ...connectionName,
  timeout: durationMs("timeout").pipe(
    Flag.optional,
    Flag.withDescription("End each call after this time, retries included (60s by default).")
  ),
  debug: switchFlag("debug", "Print each HTTP request and response on stderr, without secrets.")
}

/** The values of {@link connectionFlag}. */
export type ConnectionOptions = Command.Command.Config.Infer<typeof connectionFlag>

/** Confirms a write in advance. */
export const yesFlag = {
  yes: switchFlag("yes", "Write to a live connection without asking.").pipe(Flag.withAlias("y"))
}
