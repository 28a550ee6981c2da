import { builtVersion } from "@signalbox/node-build/BuiltVersion"
import { enableCompileCache, flushCompileCache } from "node:module"
import { isAbsolute, join } from "node:path"

const args = process.argv.slice(2)

/** Prints help that the build has written; returns whether it did. */
const printHelp = async (): Promise<boolean> => {
  if (args[0] !== "help" && !args.includes("--help") && !args.includes("-h")) return false
  const { helpStyleOf } = await import("./help/HelpText.ts")
  const { writtenHelp } = await import("./help/WrittenHelp.ts")
  const { env, stdout } = process
  const text = writtenHelp(
    args,
    helpStyleOf({ environment: env, stdoutIsTerminal: stdout.isTTY, columns: () => stdout.columns })
  )
  if (text === undefined) return false
  // A reader such as `head` may close the pipe.
  stdout.on("error", () => process.exit())
  stdout.write(text)
  return true
}

if (!(await printHelp())) {
  // Compiled code goes to a folder of the user: in one that others can write to, they could change what runs here.
  const { HOME = "", XDG_CACHE_HOME = "" } = process.env
  const caches = isAbsolute(XDG_CACHE_HOME) ? XDG_CACHE_HOME : join(HOME, ".cache")
  if (isAbsolute(caches)) {
    enableCompileCache(join(caches, "signalbox"))
    setTimeout(flushCompileCache, 1000).unref()
  }
  const { run } = await import("./Program.ts")
  await run(args, builtVersion)
}
