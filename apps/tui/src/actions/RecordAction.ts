import { format } from "@signalbox/operator/filter/Filter"
import { make as makeField } from "../keyboard/TextField.ts"
import { type State, stay, type Transition, withCommands, withNotice } from "../state/State.ts"
import { type Action, optionsOf } from "./Action.ts"

const recordingName = "signalbox-recording.ndjson"

const why = ({ connection, recording, screens: [first] }: State, argument: string): string | undefined => {
  if (connection.kind === "replay") return "this is a replay already"
  if (recording === undefined)
    return first?._tag === "Events" && (first.loading === "first" || first.loading === "more")
      ? "the list is being read; wait, or stop that with esc"
      : undefined
  return argument === "" || argument === "stop"
    ? undefined
    : `already recording to ${recording.path}; :record stop ends that`
}

/** Starts a recording of what the list at the bottom of the stack shows. */
export const startRecording = (state: State, name: string): Transition => {
  const { connection, screens, settings } = state
  const [list] = screens
  const { baseUrl, vendor } = connection
  return withCommands(state, {
    _tag: "StartRecording",
    name,
    start: {
      connection: connection.name,
      baseUrl,
      ...(vendor === undefined ? {} : { vendor }),
      filter: list?._tag === "Events" ? format(list.filter) : "",
      events: list?._tag === "Events" ? list.events.length : 0,
      masked: settings.masked
    }
  })
}

/** Starts or ends a recording of the session. */
export const recordAction: Action = {
  id: "record",
  keys: [],
  description: "Record requests and responses in a file, without secrets, for --replay FILE; run it again to stop.",
  places: ["List"],
  word: "record",
  argument: "FILE|stop",
  choices: ({ recording }) => optionsOf(recording === undefined ? [] : ["stop"]),
  unavailable: why,
  run: (state, { argument }) => {
    if (state.recording !== undefined) return withCommands(state, { _tag: "StopRecording" })
    if (argument === "stop") return stay(withNotice(state, "nothing is being recorded", "warning"))
    return argument === ""
      ? stay({ ...state, overlay: { _tag: "Prompt", purpose: "record", field: makeField(recordingName) } })
      : startRecording(state, argument)
  }
}
