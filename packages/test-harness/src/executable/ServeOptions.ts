import { presetNames } from "../switches/PresetNames.ts"
import type { Options } from "./Options.ts"

export const maxSeed = 2 ** 32 - 1

/** The options of a fake that serves, for `signalbox-fake` and `signalbox fake`. Loads little: help needs only this. */
export const serveOptions = {
  port: { value: "N", about: "port to listen on (default 0, any free port)", maximum: 65_535 },
  host: { value: "HOST", about: "address to listen on (default 127.0.0.1)" },
  "api-key": {
    value: "KEY",
    about: "key of the first environment (default fake-key-1-SEED; random if HOST is not loopback)"
  },
  "allow-origin": {
    value: "ORIGIN",
    about: "let web pages of this origin use the API and the control API (default: none)"
  },
  preset: {
    value: "NAME|FILE",
    about: `behaviour where the API document leaves it open: ${presetNames}, or a .json file`
  },
  vendor: { value: "WORD", about: "vendor in wire identifiers (default service)" },
  seed: { value: "N", about: "the same seed gives the same data (default 1)", maximum: maxSeed },
  demo: { about: "start with demo data (default)" },
  empty: { about: "start without data" },
  reproduce: {
    value: "TOKEN",
    about: "start with the options and faults of a reproduction token; other options override it"
  }
} as const satisfies Options
