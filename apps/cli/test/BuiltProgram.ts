import { builtProgram } from "@signalbox/node-build/Sources"

/** The built command line. */
export const program = builtProgram(new URL("..", import.meta.url), "main.js")
