import { shellWord } from "@signalbox/operator/report/Curl"
import { duration } from "@signalbox/operator/text/Moment"
import { keyFor, placed } from "../../actions/Action.ts"
import { onScreen } from "../../actions/OnScreen.ts"
import { noteChanges } from "../../state/Facts.ts"
import { type FileRun, type FileRunProgress, isUnderWay } from "../../state/FileRun.ts"
import type { Msg } from "../../state/Msg.ts"
import { pushScreen, topScreen } from "../../state/ScreenStack.ts"
import { type State, stay, type Transition, withCommands, withNotice } from "../../state/State.ts"
import type { Area } from "../../view/Area.ts"
import { fact, paragraph } from "../../view/Fact.ts"
import { clipped, inset, row, type Row, rule, span, type Tone } from "../../view/Row.ts"
import { confirmWrite } from "../ConfirmWrite.ts"
import { start } from "../Cursor.ts"
import type { ScreenKind } from "../ScreenKind.ts"
import type { RunScreen } from "./RunScreen.ts"

const opened = (state: State): State =>
  topScreen(state)._tag === "Run" ? state : pushScreen(state, (id) => ({ _tag: "Run", id, cursor: start }))

const begin = (state: State, file: string): Transition =>
  confirmWrite(state, {
    question: `send the credentials of every line of ${file}?`,
    run: (now) => {
      const connection = now.connection.name
      const isSame = now.fileRun?.file === file && now.fileRun.connection === connection
      const fileRun: FileRun = {
        file,
        connection,
        state: "running",
        isSending: false,
        resume: now.connection.kind === "demo" ? undefined : `signalbox bulk resume ${shellWord(file)}`,
        progress: isSame ? now.fileRun?.progress : undefined
      }
      return withCommands({ ...opened(now), fileRun }, { _tag: "RunFile", file })
    }
  })

/** The state after a report of the run. Facts are about the connection at hand, which may be another one by now. */
export const reported = (state: State, { changed, report }: Extract<Msg, { readonly _tag: "RunReported" }>): State => {
  const { connection, facts, fileRun, now } = state
  if (fileRun === undefined) return state
  return {
    ...state,
    facts: fileRun.connection === connection.name ? noteChanges(facts, changed, now) : facts,
    fileRun: { ...fileRun, ...report, isSending: fileRun.isSending || report.progress !== undefined }
  }
}

/** The state after the run has ended; `counts` are those of a run whose every line has an outcome. */
export const ended = (
  state: State,
  { counts, outcome, problem, total }: Extract<Msg, { readonly _tag: "RunEnded" }>
): State => {
  const { fileRun } = state
  if (fileRun === undefined) return state
  const { progress, ...run } = fileRun
  const next: FileRun = {
    ...run,
    state: outcome,
    progress: progress && {
      ...progress,
      timeLeftMs: undefined,
      waiting: undefined,
      ...(counts === undefined ? {} : { counts, total })
    },
    ...(problem === undefined ? {} : { problem })
  }
  const text = isRefused(next) ? "nothing was sent" : outcome
  return withNotice({ ...state, fileRun: next }, `${run.file}: ${text}`, outcome === "failed" ? "failed" : "ok")
}

/** Whether the start failed before a line was sent. */
const isRefused = ({ isSending, state: outcome }: FileRun): boolean => outcome === "failed" && !isSending

const unavailable = ({ fileRun, settings }: State): string | undefined =>
  settings.runsFiles !== true
    ? "only signalbox ui runs files; npm start does not"
    : isUnderWay(fileRun)
      ? `the run of ${fileRun.file} is under way`
      : undefined

const on = onScreen("Run")

const actions = placed("Run", [
  {
    id: "run a file",
    keys: [],
    description:
      "Import a file of credentials, such as one that F saved and you filled in; a run that stopped continues.",
    places: ["Events", "Causes"],
    word: "run",
    argument: "FILE",
    writes: true,
    unavailable,
    run: (state, { argument }) => begin(state, argument === "" ? "signalbox-fixes.csv" : argument)
  },
  {
    id: "show the run",
    keys: [],
    description: "Show the run of a file that was started here last.",
    places: ["Events", "Causes"],
    word: "show-run",
    unavailable: ({ fileRun }) => (fileRun === undefined ? "no file was run" : undefined),
    run: (state) => stay(opened(state))
  },
  {
    id: "pause the run",
    keys: ["p"],
    name: "pause",
    nameHere: ({ fileRun }) =>
      isUnderWay(fileRun) ? "pause" : fileRun !== undefined && isRefused(fileRun) ? "start again" : "continue",
    description: "Pause the run once the lines in flight are done, or continue it.",
    hint: 10,
    unavailable: ({ connection, fileRun }) => {
      if (fileRun?.state === "finished") return "every line has an outcome"
      const name = fileRun?.connection
      return name === undefined || name === connection.name
        ? undefined
        : `the run is on ${name}; :connect ${name} first`
    },
    run: on((state) => {
      const { fileRun } = state
      if (fileRun === undefined || fileRun.state === "pausing") return stay(state)
      return fileRun.state === "running"
        ? withCommands({ ...state, fileRun: { ...fileRun, state: "pausing" } }, { _tag: "PauseRun" })
        : begin(state, fileRun.file)
    })
  }
])

const outcomes: ReadonlyArray<readonly [keyof FileRunProgress["counts"], Tone, string]> = [
  ["succeeded", "ok", ""],
  ["failed", "failed", "not applied"],
  ["unknown", "warning", "no response arrived: may have been applied"],
  ["invalid", "warning", "not sent"]
]

const nextStep = (run: FileRun, key: string): string => {
  const { file, lines = [], resume, state: outcome } = run
  if (outcome === "finished") return `signalbox bulk report ${shellWord(file)} shows the outcome of each line.`
  if (isRefused(run)) return lines.length > 0 ? `Correct the file; ${key} starts it again.` : `${key} tries again.`
  const later = `later, :run ${file} or ${resume}`
  if (outcome === "paused" || outcome === "failed")
    return resume === undefined ? `${key} continues.` : `${key} continues; ${later}.`
  return resume === undefined
    ? `${key} pauses. It ends with the demo when you quit.`
    : `${key} pauses. Quitting stops the run after the lines in flight; to continue ${later}.`
}

/** The lines to look at, the reason next to the number of the line. */
const lineRows = ({ lines = [] }: FileRun, state: State, columns: number): ReadonlyArray<Row> =>
  lines.length === 0
    ? []
    : [
        row([], columns),
        rule(columns, state.settings.glyphs.line, "LINES TO LOOK AT"),
        ...lines.flatMap(({ line, message, outcome }) => fact(`line ${line}`, `${outcome}: ${message}`, columns))
      ]

/** How many lines have which outcome, and how fast. */
const progressRows = (progress: FileRunProgress, isMoving: boolean, now: number, width: number): ReadonlyArray<Row> => {
  const { counts, perSecond, timeLeftMs, total, waiting } = progress
  const done = Object.values(counts).reduce((sum, count) => sum + count, 0)
  const left = timeLeftMs === undefined ? "" : `, ${duration(timeLeftMs)} left`
  const speed = isMoving ? `, ${Math.round(perSecond)} a second${left}` : ""
  return [
    ...fact("lines", `${done} of ${total ?? "?"}${speed}`, width),
    ...outcomes.flatMap(([name, tone, meaning]) => {
      const count = counts[name]
      const text = meaning === "" || count === 0 ? String(count) : `${count}, ${meaning}`
      return fact(name, text, width, { tone: count === 0 ? "dim" : tone })
    }),
    ...(waiting === undefined
      ? []
      : fact("waiting", `${duration(Math.max(0, waiting.until - now))} for ${waiting.reason}`, width))
  ]
}

const runRows = (state: State, columns: number): ReadonlyArray<Row> => {
  const { fileRun, now } = state
  if (fileRun === undefined) return [row([span(" no file was run", "dim")], columns)]
  const { progress, problem } = fileRun
  const width = columns - 2
  const outcome = isRefused(fileRun) ? "not started: nothing was sent" : fileRun.state
  const rows = [
    ...fact("file", fileRun.file, width),
    ...fact("connection", fileRun.connection, width),
    ...fact("state", outcome, width, { tone: fileRun.state === "failed" ? "failed" : "strong" }),
    ...(progress === undefined ? [] : progressRows(progress, isUnderWay(fileRun), now, width)),
    row([], width),
    ...(problem === undefined ? [] : paragraph(problem, width, "failed")),
    ...paragraph(nextStep(fileRun, keyFor(state, "pause the run")), width),
    ...lineRows(fileRun, state, width)
  ]
  return rows.map(inset(1))
}

const runView = (state: State, _: RunScreen, area: Area): ReadonlyArray<Row> =>
  clipped(runRows(state, area.columns), area, keyFor(state, "show all of it"))

/** The run of a file. */
export const runKind: ScreenKind<RunScreen> = {
  title: () => "Run",
  actions,
  view: runView,
  whole: (state, _, columns) => ["run", runRows(state, columns)],
  list: { length: () => 0, height: (_, { height }) => height }
}
