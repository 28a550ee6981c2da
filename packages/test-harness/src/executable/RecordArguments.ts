import { defined } from "@signalbox/core/internal/errors/Defined"
import { isHttpUrl } from "@signalbox/core/Connection"
import type { EnvironmentOptions } from "../environment/EnvironmentOptions.ts"
import type { ListenOptions } from "../server.ts"
import { readPreset } from "../server/PresetFile.ts"
import { type Printed, vendorOf } from "./Arguments.ts"
import { helpOf, parseOnly } from "./Options.ts"
import { serveOptions } from "./ServeOptions.ts"

const options = {
  upstream: { value: "URL" },
  out: { value: "FILE" },
  replay: { value: "FILE" },
  drift: { value: "FILE" },
  preset: { value: "NAME|FILE" },
  port: serveOptions.port,
  host: serveOptions.host,
  vendor: { value: "WORD", about: "vendor in wire identifiers of the recording (default service)" }
} as const

const help = `signalbox-fake record: records a service, replays a recording, and compares one with a preset

  signalbox-fake record --upstream URL --out FILE   forward requests to a service and write each to a new file; when
                                                    stopped, write the switches that they show to a preset file
  signalbox-fake record --replay FILE               respond to equal requests in the recorded order; the last
                                                    response is repeated
  signalbox-fake record --drift FILE --preset NAME|FILE
                                                    list the switches whose recorded value differs from the preset,
                                                    and how records differ from the API document

${helpOf(options)}
API keys, device tokens and webhook URLs are in no recording, so a replay responds with "<redacted>" in their place.
Exit code of --drift: 0 no difference, 1 differences, 2 nothing to compare.
`

export type RecordRequest =
  | Printed
  | { readonly _tag: "Record"; readonly upstream: string; readonly out: string; readonly place: ListenOptions }
  | { readonly _tag: "Replay"; readonly file: string; readonly place: ListenOptions }
  | { readonly _tag: "Drift"; readonly file: string; readonly expected: Expected }

type Expected = Pick<EnvironmentOptions, "preset" | "switches" | "vendor">

/** Reads the command line after `record`. */
export const readRecordArguments = (words: ReadonlyArray<string>): RecordRequest => {
  const {
    drift,
    help: wantsHelp,
    host = "127.0.0.1",
    out,
    port = 0,
    preset,
    replay,
    upstream,
    vendor
  } = parseOnly(options, words)
  if (wantsHelp) return { _tag: "Print", text: help }
  const place = { host, port }
  const given = [upstream, replay, drift].filter((one) => one !== undefined)
  if (given.length !== 1) throw new RangeError("record: expected one of --upstream, --replay, --drift")
  if (replay !== undefined) return { _tag: "Replay", file: replay, place }
  if (drift !== undefined) {
    const expected = {
      ...readPreset(preset ?? "document"),
      ...defined({ vendor: vendorOf(vendor) })
    }
    return { _tag: "Drift", file: drift, expected }
  }
  if (upstream === undefined || !isHttpUrl(upstream)) {
    throw new RangeError(`--upstream must be an http or https URL, not "${upstream}"`)
  }
  if (out === undefined) throw new RangeError("record: --upstream needs --out FILE")
  return { _tag: "Record", upstream, out, place }
}
