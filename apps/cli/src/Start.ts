import { builtVersion } from "@signalbox/node-build/BuiltVersion"
import { enableCompileCache, flushCompileCache } from "node:module"
import { isAbsolute, join } from "node:path"

const args = process.argv.slice(2)

/** The version or help; most commands need none of what it loads. */
const textToPrint = async (): Promise<string | undefined> => {
  if (!args.some((word) => ["help", "--help", "-h", "--version"].includes(word))) return undefined
  const { helpStyleOf } = await import("./help/HelpText.ts")
  const { writtenText } = await import("./help/WrittenHelp.ts")
  const { env, stdout } = process
  const columns = () => stdout.columns
  return writtenText(args, builtVersion, helpStyleOf({ environment: env, stdoutIsTerminal: stdout.isTTY, columns }))
}

/** The words after `ui`, where a terminal can show it; `signalbox` alone opens it, too. */
const wordsOfUi = (): ReadonlyArray<string> | undefined => {
  const [command = "ui", ...words] = args
  const { env, stdin, stdout } = process
  return command === "ui" && stdin.isTTY && stdout.isTTY && env["TERM"] !== "dumb" ? words : undefined
}

const text = await textToPrint()
if (text !== undefined) {
  const stop = async (error: NodeJS.ErrnoException) => {
    // A reader such as `head` may close the pipe.
    if (error.code === "EPIPE") process.exit()
    const { failOutput } = await import("./Program.ts")
    failOutput(error)
  }
  process.stdout.on("error", (error) => void stop(error))
  process.stdout.write(text)
} else {
  // Compiled code goes to a folder of the user: in one that others can write to, they could change what runs here.
  const { HOME = "", XDG_CACHE_HOME = "" } = process.env
  const caches = isAbsolute(XDG_CACHE_HOME) ? XDG_CACHE_HOME : join(HOME, ".cache")
  if (isAbsolute(caches)) {
    enableCompileCache(join(caches, "signalbox"))
    setTimeout(flushCompileCache, 1000).unref()
  }
  // Effect reads stacks while it loads. The first one makes Node load what maps stacks to sources.
  const withoutStacks = async <Module>(load: () => Promise<Module>): Promise<Module> => {
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 0
    const loaded = await load()
    Error.stackTraceLimit = stackTraceLimit
    return loaded
  }
  const words = wordsOfUi()
  const ui = words && (await withoutStacks(() => import("./commands/ui/StartUi.ts")))
  if ((await ui?.startUi(words ?? [])) !== true) {
    const { run } = await withoutStacks(() => import("./Program.ts"))
    await run(args, builtVersion)
  }
}
