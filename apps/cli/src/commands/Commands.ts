/**
 * The command tree. A group of commands is one folder and one line here.
 */
import * as Effect from "effect/Effect"
import { ShowHelp } from "effect/cli/CliError"
import * as Command from "effect/cli/Command"
import { Process } from "../process/Process.ts"
import { api } from "./api/Api.ts"
import { bulk } from "./bulk/Bulk.ts"
import { completions } from "./completions/Completions.ts"
import { connections } from "./connections/Connections.ts"
import { credentials } from "./credentials/Credentials.ts"
import { doctor } from "./doctor/Doctor.ts"
import { events } from "./events/Events.ts"
import { fake } from "./fake/Fake.ts"
import { help } from "./help/Help.ts"
import { mcp } from "./mcp/Mcp.ts"
import { messages } from "./messages/Messages.ts"
import { openApi } from "./openapi/OpenApi.ts"
import { ui } from "./ui/Ui.ts"
import { watch } from "./watch/Watch.ts"
import { version } from "./version/Version.ts"

/** On a terminal `signalbox` alone opens the terminal UI; elsewhere it shows its help. */
const openUiOrHelp = Effect.gen(function* () {
  const { stdinIsTerminal, stdoutIsTerminal } = yield* Process
  if (!stdinIsTerminal || !stdoutIsTerminal) return yield* new ShowHelp({ commandPath: ["signalbox"], errors: [] })
  const { openUi } = yield* Effect.promise(() => import("./ui/OpenUi.ts"))
  yield* openUi({})
})

/** The command `signalbox` with everything below it. */
export const commands = Command.make("signalbox", {}, () => openUiOrHelp).pipe(
  Command.withDescription(
    "Notification events from the command line: list, diagnose, fix. On a terminal, signalbox alone opens the terminal UI."
  ),
  Command.withExamples([
    { command: "signalbox ui -c demo", description: "The terminal UI on demo data, without an account" },
    { command: "signalbox events diagnose -c demo", description: "What fails there, and why" },
    { command: "signalbox help connections add", description: "How to connect your own service" }
  ]),
  Command.withSubcommands([
    events,
    watch,
    messages,
    credentials,
    bulk,
    api,
    connections,
    doctor,
    ui,
    mcp,
    fake,
    openApi,
    completions,
    help,
    version
  ])
)
