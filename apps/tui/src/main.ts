#!/usr/bin/env node
import { isSupportedNode } from "@signalbox/node-build/SupportedNode"

if (isSupportedNode()) {
  // Not imported: each import of a module of Node would be one more file to load.
  const { enableCompileCache, flushCompileCache } = process.getBuiltinModule("node:module")
  const { isAbsolute, join } = process.getBuiltinModule("node:path")
  // Everything else is another file, so that its compiled form can be kept from one start to the next: in a folder of the
  // user, since code that is kept where others can write is code that others can change.
  const { HOME = "", XDG_CACHE_HOME = "" } = process.env
  const caches = isAbsolute(XDG_CACHE_HOME) ? XDG_CACHE_HOME : join(HOME, ".cache")
  if (isAbsolute(caches)) {
    enableCompileCache(join(caches, "signalbox"))
    // By itself it is written at a normal end only, and who closes the window would start slowly every time. Not before
    // the first frame, which it would hold up.
    setTimeout(flushCompileCache, 1000).unref()
  }
  const { run } = await import("./launch/Program.ts")
  await run()
}
