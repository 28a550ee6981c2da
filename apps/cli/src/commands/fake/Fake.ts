import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import { fakeFlags } from "./FakeFlags.ts"
import { handledBy } from "../HandledBy.ts"

const exec = Command.make(
  "exec",
  {
    command: Argument.String("command").pipe(
      Argument.variadic({ min: 1 }),
      Argument.withDescription("The program and its arguments, after --.")
    ),
    ...fakeFlags
  },
  handledBy(() => import("./Exec.ts"), "exec")
).pipe(
  Command.withDescription(
    "Start a fake and run a program against it: sets SIGNALBOX_BASE_URL and SIGNALBOX_API_KEY, forwards signals, exits with the program's exit code."
  ),
  Command.withShortDescription("Start a fake and run a program against it."),
  Command.withExamples([
    { command: "signalbox fake exec -- npm test", description: "Test any client, in any language" },
    { command: "signalbox fake exec -- signalbox events list --limit 3" }
  ])
)

/** The fake as a process. */
export const fake = Command.make(
  "fake",
  fakeFlags,
  handledBy(() => import("./FakeServer.ts"), "serve")
).pipe(
  Command.withDescription(
    "Serve an in-memory fake of the service until ctrl-c. Prints one JSON line with its url and apiKey when it is ready."
  ),
  Command.withShortDescription("Serve an in-memory fake of the service."),
  Command.withExamples([
    { command: "signalbox fake --port 4010", description: "A fake with demo data" },
    { command: "signalbox fake --data empty --preset adversarial --seed 7", description: "An empty, difficult one" }
  ]),
  Command.withSubcommands([exec])
)
