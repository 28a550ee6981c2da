/**
 * The help of the fake. Its words go to the parser of `signalbox-fake`, see `RunFake`.
 */
import { serveOptions } from "@signalbox/test-harness/internal/executable/ServeOptions"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import { switchFlag, textFlag } from "../../flags/Flags.ts"

/** The options of `signalbox-fake`, and one that needs the profile of a connection. */
export const fakeOptions = {
  ...serveOptions,
  like: {
    value: "NAME",
    about:
      "behave like the service of a connection, as signalbox doctor --calibrate --save found it; instead of --preset"
  }
} as const

const flags = Object.fromEntries(
  Object.entries(fakeOptions).map(([name, option]) => {
    const about = `${option.about.charAt(0).toUpperCase()}${option.about.slice(1)}.`
    return [name, "value" in option ? textFlag(name, option.value, about) : switchFlag(name, about)]
  })
)

const exec = Command.make("exec", {
  command: Argument.String("command").pipe(
    Argument.variadic({ min: 1 }),
    Argument.withDescription("The program and its arguments, after --.")
  ),
  ...flags
}).pipe(
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
export const fake = Command.make("fake", flags).pipe(
  Command.withDescription(
    "Serve an in-memory fake of the service until ctrl-c. Prints one JSON line with its url and apiKey when it is ready."
  ),
  Command.withShortDescription("Serve an in-memory fake of the service."),
  Command.withExamples([
    { command: "signalbox fake --port 4010", description: "A fake with demo data" },
    { command: "signalbox fake --empty --preset adversarial --seed 7", description: "An empty, difficult one" }
  ]),
  Command.withSubcommands([exec])
)
