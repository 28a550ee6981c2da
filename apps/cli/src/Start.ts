import { enableCompileCache, flushCompileCache } from "node:module"
import { isAbsolute, join } from "node:path"

declare const __SIGNALBOX_VERSION__: string

// Compiled code goes to a folder of the user: in one that others can write to, they could change what runs here.
const { HOME = "", XDG_CACHE_HOME = "" } = process.env
const caches = isAbsolute(XDG_CACHE_HOME) ? XDG_CACHE_HOME : join(HOME, ".cache")
if (isAbsolute(caches)) {
  enableCompileCache(join(caches, "signalbox"))
  setTimeout(flushCompileCache, 1000).unref()
}

const { run } = await import("./Program.ts")
await run(process.argv.slice(2), __SIGNALBOX_VERSION__)
