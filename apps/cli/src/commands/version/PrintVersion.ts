import { arch, platform } from "node:os"
import * as Effect from "effect/Effect"
import { Process } from "../../process/Process.ts"

/** Prints one line for each part. */
export const printVersion = Effect.flatMap(Process, ({ version, write }) =>
  write(`signalbox ${version}\nnode ${process.versions.node}\nplatform ${platform()} ${arch()}\n`)
)
