import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { outputFlags } from "../../output/OutputFlags.ts"
import { handledBy } from "../HandledBy.ts"
import { switchFlag, textFlag } from "../../flags/Flags.ts"

const list = Command.make(
  "list",
  outputFlags,
  handledBy(() => import("./ListConnections.ts"), "listConnections")
).pipe(
  Command.withDescription("List the connections of config.toml."),
  Command.withExamples([{ command: "signalbox connections list" }])
)

const nameArgument = Argument.String("name").pipe(Argument.withDescription("Name of the connection."))

const addFlags = {
  name: nameArgument,
  baseUrl: Flag.String("base-url").pipe(
    Flag.withMetavar("URL"),
    Flag.withDescription("Where the service is, for example https://api.example.com.")
  ),
  apiKeyEnv: textFlag("api-key-env", "VARIABLE", "The environment variable that has the API key."),
  apiKeyCommand: textFlag("api-key-command", "COMMAND", "A shell command that prints the API key."),
  vendor: textFlag(
    "vendor",
    "WORD",
    "The vendor's name in wire identifiers; without it, the events of the service are searched for it."
  ),
  readOnly: switchFlag("read-only", "Refuse writes."),
  yes: switchFlag("yes", "Set the vendor that the service's events show without asking.").pipe(Flag.withAlias("y"))
}

/** The input of `connections add`. */
export type AddInput = Command.Command.Config.Infer<typeof addFlags>

const add = Command.make(
  "add",
  addFlags,
  handledBy(() => import("./AddConnection.ts"), "addConnection")
).pipe(
  Command.withDescription(
    "Add a connection to config.toml. The file names where the API key comes from, never the key."
  ),
  Command.withExamples([
    {
      command:
        "signalbox connections add production --base-url https://api.example.com --api-key-env API_KEY --read-only"
    },
    {
      command:
        'signalbox connections add eu --base-url https://eu.example.com --api-key-command "cat ~/.config/signalbox/eu.key"',
      description: "With the key in a file, or behind the command of a password manager"
    },
    {
      command: "export SIGNALBOX_CONNECTION=production",
      description: 'Commands without -c then use it, as they do with default = "production" in config.toml'
    }
  ])
)

const check = Command.make(
  "check",
  { name: nameArgument.pipe(Argument.optional), ...outputFlags },
  handledBy(() => import("./CheckConnection.ts"), "checkConnection")
).pipe(
  Command.withDescription(
    "Check that a connection works: lists one event. Without a name it checks the one of the environment."
  ),
  Command.withShortDescription("Check that a connection works."),
  Command.withExamples([{ command: "signalbox connections check" }])
)

/** The connections of the configuration file. */
export const connections = Command.make("connections").pipe(
  Command.withDescription("List, add and check the connections of config.toml."),
  Command.withSubcommands([list, add, check])
)
