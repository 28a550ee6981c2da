#!/usr/bin/env node
import { builtVersion } from "@signalbox/node-build/BuiltVersion"
import { isSupportedNode } from "@signalbox/node-build/SupportedNode"

const [first, ...others] = process.argv.slice(2)
if (isSupportedNode()) {
  if (first === "--version" && others.length === 0) process.stdout.write(`${builtVersion}\n`)
  else await import("./Start.ts")
}
