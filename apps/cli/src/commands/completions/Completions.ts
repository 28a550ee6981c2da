import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import { oneOfArgument } from "../../flags/Flags.ts"
import { handledBy } from "../HandledBy.ts"
import { printScript, shells } from "./PrintScript.ts"

/** The command that the scripts call for each completion; not for people. */
const candidates = Command.make(
  "candidates",
  {
    words: Argument.String("word").pipe(Argument.variadic(), Argument.withDescription("The words before the cursor."))
  },
  handledBy(() => import("./Candidates.ts"), "printCandidates")
).pipe(Command.withDescription("Print the completions of a command line."), Command.unlisted)

/** Prints a completion script. */
export const completions = Command.make(
  "completions",
  { shell: oneOfArgument("shell", shells).pipe(Argument.withDescription(`One of: ${shells.join(", ")}.`)) },
  ({ shell }) => printScript(shell)
).pipe(
  Command.withDescription(
    "Print a completion script. It completes commands, flags, filters, files, and the names of connections, providers and presets."
  ),
  Command.withShortDescription("Print a completion script for a shell."),
  Command.withExamples([
    {
      command: "signalbox completions bash > ~/.signalbox-completion.bash",
      description: "Then source it in ~/.bashrc"
    },
    { command: 'eval "$(signalbox completions bash)"', description: "For this shell only" },
    { command: "signalbox completions zsh > _signalbox", description: "In a folder of zsh's fpath" },
    { command: "signalbox completions fish > signalbox.fish", description: "In ~/.config/fish/completions" },
    {
      command: "signalbox completions pwsh > signalbox.ps1",
      description: "Then load it in the profile of PowerShell"
    }
  ]),
  Command.withSubcommands([candidates])
)
