import { messageOf } from "@signalbox/operator/text/SystemReason"
import { readFileSync } from "node:fs"
import * as Effect from "effect/Effect"
import { readRecording } from "../recording/Recording.ts"
import { makeReplay } from "../recording/Replay.ts"
import { counted } from "@signalbox/operator/text/Counted"
import { makeRuntime } from "../runtime/Session.ts"
import type { Chosen } from "./Connections.ts"

const utc = (at: number): string => `${new Date(at).toISOString().slice(0, 19).replace("T", " ")}Z`

const contentOf = (file: string): { readonly text: string } | { readonly problem: string } => {
  try {
    return { text: readFileSync(file, "utf8") }
  } catch (error) {
    return { problem: messageOf(error) }
  }
}

/** Opens a recording as a read-only session. Nothing is sent: the recording gives every response. */
export const openReplay = (file: string): Chosen => {
  const content = contentOf(file)
  if ("problem" in content) return { _tag: "Refused", message: `the recording cannot be read: ${content.problem}` }
  const read = readRecording(content.text)
  if (read._tag === "Refused") return { _tag: "Refused", message: `${file}: ${read.message}` }
  const { exchanges, isCutOff, start } = read.recording
  const { baseUrl, connection, events, filter, masked, startedAt, vendor } = start
  const replay = makeReplay(read.recording)
  const cutOff = isCutOff ? "; the file ends in the middle of an exchange, which is left out" : ""
  const info = {
    name: connection,
    kind: "replay",
    file,
    baseUrl,
    readOnly: true,
    choices: [],
    views: [],
    ...(vendor === undefined ? {} : { vendor })
  } as const
  return {
    _tag: "Chosen",
    session: { info, runtime: makeRuntime({ apiKey: "replay", baseUrl, vendor }, replay.transport, replay.clock) },
    connect: () => Effect.fail({ message: "a replay has no other connection" }),
    replay: {
      now: replay.now,
      events,
      filter,
      masked,
      notice: `replay of ${connection}, recorded ${utc(startedAt)}: ${counted(exchanges.length, "exchange")}${cutOff}`
    }
  }
}
