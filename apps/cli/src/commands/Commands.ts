/**
 * The command tree. A group of commands is one folder and one line here.
 */
import * as Command from "effect/cli/Command"
import { credentials } from "./credentials/Credentials.ts"
import { events } from "./events/Events.ts"
import { fake } from "./fake/Fake.ts"
import { messages } from "./messages/Messages.ts"
import { version } from "./version/Version.ts"

/** The command `signalbox` with everything below it. */
export const commands = Command.make("signalbox").pipe(
  Command.withDescription("Notification events from the command line: list, diagnose, fix."),
  Command.withSubcommands([events, messages, credentials, fake, version])
)
