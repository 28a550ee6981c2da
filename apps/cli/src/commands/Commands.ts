/**
 * The command tree. A group of commands is one folder and one line here.
 */
import * as Effect from "effect/Effect"
import { ShowHelp } from "effect/cli/CliError"
import * as Command from "effect/cli/Command"
import { Process } from "../process/Process.ts"

/** The groups of commands, in the order of the help. Making the parser of all of them takes as long as a request. */
const groups = {
  events: () => import("./events/Events.ts").then(({ events }) => events),
  watch: () => import("./watch/Watch.ts").then(({ watch }) => watch),
  messages: () => import("./messages/Messages.ts").then(({ messages }) => messages),
  credentials: () => import("./credentials/Credentials.ts").then(({ credentials }) => credentials),
  bulk: () => import("./bulk/Bulk.ts").then(({ bulk }) => bulk),
  api: () => import("./api/Api.ts").then(({ api }) => api),
  connections: () => import("./connections/Connections.ts").then(({ connections }) => connections),
  doctor: () => import("./doctor/Doctor.ts").then(({ doctor }) => doctor),
  ui: () => import("./ui/Ui.ts").then(({ ui }) => ui),
  mcp: () => import("./mcp/Mcp.ts").then(({ mcp }) => mcp),
  fake: () => import("./fake/Fake.ts").then(({ fake }) => fake),
  openapi: () => import("./openapi/OpenApi.ts").then(({ openApi }) => openApi),
  completions: () => import("./completions/Completions.ts").then(({ completions }) => completions),
  help: () => import("./help/Help.ts").then(({ help }) => help),
  version: () => import("./version/Version.ts").then(({ version }) => version)
}

/** On a terminal `signalbox` alone opens the terminal UI; elsewhere it shows its help. */
const openUiOrHelp = Effect.gen(function* () {
  const { stdinIsTerminal, stdoutIsTerminal } = yield* Process
  if (!stdinIsTerminal || !stdoutIsTerminal) return yield* new ShowHelp({ commandPath: ["signalbox"], errors: [] })
  const { openUi } = yield* Effect.promise(() => import("./ui/OpenUi.ts"))
  yield* openUi({})
})

/** The groups that a command line can mean: the one that its first word names, otherwise all of them. */
const groupsFor = (args: ReadonlyArray<string>) => {
  const named = Object.entries(groups).filter(([name]) => name === args[0])
  const chosen = named.length === 0 ? Object.entries(groups) : named
  return Effect.promise(() => Promise.all(chosen.map(([, load]) => load())))
}

/** The command `signalbox` with everything below it that a command line can mean. */
export const commandsFor = (args: ReadonlyArray<string>) =>
  Effect.map(groupsFor(args), (commands) =>
    Command.make("signalbox", {}, () => openUiOrHelp).pipe(
      Command.withDescription(
        "Notification events from the command line: list, diagnose, fix. On a terminal, signalbox alone opens the terminal UI."
      ),
      Command.withExamples([
        { command: "signalbox ui -c demo", description: "The terminal UI on demo data, without an account" },
        { command: "signalbox events diagnose -c demo", description: "What fails there, and why" },
        { command: "signalbox help connections add", description: "How to connect your own service" }
      ]),
      Command.withSubcommands(commands)
    )
  )
