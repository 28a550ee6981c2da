#!/usr/bin/env node
import { isSupportedNode } from "@signalbox/node-build/SupportedNode"

declare const __SIGNALBOX_VERSION__: string

const [first, ...others] = process.argv.slice(2)
if (isSupportedNode()) {
  if (first === "--version" && others.length === 0) process.stdout.write(`${__SIGNALBOX_VERSION__}\n`)
  else await import("./Start.ts")
}
