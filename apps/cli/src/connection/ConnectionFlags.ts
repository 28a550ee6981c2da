import * as Flag from "effect/cli/Flag"

/** Chooses the connection of a command. */
export const connectionFlag = {
  connection: Flag.String("connection").pipe(
    Flag.withAlias("c"),
    Flag.withMetavar("NAME"),
    Flag.optional,
    Flag.withDescription('A connection of config.toml, or "demo"; by default SIGNALBOX_BASE_URL and SIGNALBOX_API_KEY.')
  )
}

/** Confirms a write in advance. */
export const yesFlag = {
  yes: Flag.Boolean("yes").pipe(
    Flag.withAlias("y"),
    Flag.withDefault(false),
    Flag.withDescription("Write to a live connection without asking.")
  )
}
