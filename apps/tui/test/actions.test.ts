import { describe, it } from "@effect/vitest"
import { expect } from "vitest"
import { type Action, placeOf } from "../src/actions/Action.ts"
import { actions, actionsAt, groupOf } from "../src/app/Actions.ts"
import { render } from "../src/app/View.ts"
import * as Layout from "../src/screens/Layout.ts"
import type { Command } from "../src/state/Command.ts"
import type { Msg } from "../src/state/Msg.ts"
import { topScreen } from "../src/state/ScreenStack.ts"
import type { State } from "../src/state/State.ts"
import { plain } from "../src/view/Row.ts"
import { goldenScreens } from "./GoldenScreens.ts"
import { call, event, now, play, pressed } from "./Sample.ts"

const size = { columns: 80, rows: 24 }

/** The golden screens that differ in what a key can do there: each kind of screen, empty and full, and each overlay. */
const names = [
  "causes",
  "compare",
  "confirm",
  "connections",
  "credentials",
  "empty",
  "events",
  "failed",
  "filter",
  "form",
  "group",
  "help",
  "leaving",
  "live",
  "mark-failed",
  "marked",
  "messages",
  "messages-known",
  "palette",
  "payload",
  "profile",
  "queue",
  "read-only",
  "refused-form",
  "requests",
  "run",
  "steps",
  "subscriber",
  "unusual",
  "unusual-event",
  "unusual-steps",
  "views",
  "waterfall"
]

/** Keys of a field or of the list below it, which no table has. */
const fieldKeys = ["up", "ctrl-n", "pageup", "pagedown", "tab", "enter", "escape", "backspace", "left", "y", "n", "?"]

/** Rows that are written; where more change, another screen opens, which golden screens show. */
const rowLimit = 6

/** The first values of an argument: there are hundreds of time zones. That of the machine differs. */
const valuesOf = (state: State, choices: Action["choices"]): ReadonlyArray<string> =>
  (choices?.(state) ?? []).slice(0, 12).flatMap(({ value }) => (value === "local" ? [] : [value]))

type InputOf = readonly [label: string, messages: ReadonlyArray<Msg>]

/** Every way to run an action: its keys, and its word with each value, with another one and with none. */
const inputsOf = (state: State, { choices, keys, word }: Action): ReadonlyArray<InputOf> => [
  ...keys.map((key) => [key, [pressed(...key.split(" "))]] as const),
  ...(word === undefined
    ? []
    : ["", " 24h", ...valuesOf(state, choices).map((value) => ` ${value}`)].map((argument) => {
        const text = `${word}${argument}`
        return [`:${text}`, [pressed(":"), { _tag: "Paste", text }, pressed("enter")]] as const
      }))
]

/** Keys that edit, once and after another one. */
const typedInto = (state: State): ReadonlyArray<InputOf> =>
  state.overlay === undefined && topScreen(state)._tag !== "Credentials"
    ? []
    : ["", "down", "backspace"].flatMap((first) =>
        fieldKeys.map((key) => {
          const keys = [first, key].filter((one) => one !== "")
          return [keys.join(" "), [pressed(...keys)]] as const
        })
      )

const drawn = new WeakMap<State, ReadonlyArray<string>>()

/** The rows of a state, drawn once: most states are compared with several others. */
const rowsOf = (state: State): ReadonlyArray<string> => {
  const rows = drawn.get(state) ?? render(state).map((row) => plain(row).trimEnd())
  drawn.set(state, rows)
  return rows
}

/** Events by their ids. */
const short = (_key: string, value: unknown): unknown =>
  typeof value === "object" && value !== null && "transactionId" in value && "_id" in value ? value._id : value

/** The commands of a message, the first rows that it changes, and its notice. */
const outcomeOf = (from: State, { commands, state }: ReturnType<typeof play>): ReadonlyArray<string> => {
  const before = rowsOf(from)
  const changed = rowsOf(state).flatMap((row, at) => (row === before[at] ? [] : [`${at} ${row}`]))
  return [
    ...commands.map((command) => JSON.stringify(command, short)),
    ...changed.slice(0, rowLimit),
    ...(state.notice === undefined || state.notice === from.notice
      ? []
      : [`notice: ${state.notice.tone}, ${state.notice.text}`])
  ]
}

const problem = {
  summary: "The call failed: 422 Unprocessable Entity.",
  advice: "Correct the fields.",
  requestId: "req-4711",
  fields: [{ path: "credentials.webhookUrl", message: "must be a https URL" }],
  at: now
}

/** The messages that can answer a command. */
const repliesTo = (command: Command, { connection }: State): ReadonlyArray<Msg> => {
  switch (command._tag) {
    case "LoadEvents": {
      const { mode, screenId } = command
      const data = [event(900), event(901, { fails: true })]
      return [
        ...[true, false].map(
          (hasMore) =>
            ({ _tag: "EventsLoaded", screenId, mode, page: { data, hasMore, page: 0, pageSize: 50 }, call }) as const
        ),
        { _tag: "EventsFailed", screenId, mode, problem }
      ]
    }
    case "LoadWindow":
    case "SampleWindow":
      return [{ _tag: "EventsFailed", screenId: command.screenId, mode: "window", problem }]
    case "LoadEvent": {
      const { event: read, screenId } = command
      return [
        { _tag: "EventLoaded", screenId, event: { ...read, jobs: [] } },
        { _tag: "EventLoaded", screenId, event: undefined },
        { _tag: "EventFailed", screenId, problem }
      ]
    }
    case "UpsertCredentials": {
      const { input, screenId, subscriberId } = command
      const subscriber = {
        subscriberId,
        _organizationId: "organization",
        _environmentId: "environment",
        deleted: false,
        createdAt: new Date(now).toISOString(),
        updatedAt: new Date(now).toISOString(),
        channels: [{ providerId: input.providerId, _integrationId: "1", credentials: input.credentials }]
      }
      return [
        { _tag: "CredentialsSaved", screenId, subscriber, call },
        { _tag: "CredentialsSaved", screenId, subscriber: { ...subscriber, channels: [] }, call },
        { _tag: "CredentialsRefused", screenId, problem }
      ]
    }
    case "MarkMessages": {
      const { mark, screenId } = command
      const failed = new Map(mark.ids.map((id, at) => [id, { result: at === 0 ? "unsure" : "refused" }] as const))
      return [
        { _tag: "MessagesMarked", screenId, mark, messages: [], notReturned: [], call },
        { _tag: "MessagesMarked", screenId, mark, messages: [], notReturned: mark.ids, call },
        { _tag: "MarkFailed", screenId, mark, problem, report: { done: [], messages: [], failed, notTried: [] } },
        {
          _tag: "MarkFailed",
          screenId,
          mark,
          problem,
          report: { done: [], messages: [], failed: new Map(), notTried: mark.ids }
        } as const
      ]
    }
    case "TriggerAgain":
      return [{ _tag: "Triggered", transactionId: "txn_9000" }]
    case "FindEvent":
      return [event(902), undefined].map((found) => ({
        _tag: "EventFound",
        transactionId: command.transactionId,
        event: found
      }))
    case "Copy":
      return [{ _tag: "Copied", text: command.text, what: command.what }]
    case "Connect":
      return [{ _tag: "Connected", connection: { ...connection, name: command.name, kind: "live" }, theme: "light" }]
    case "StartRecording":
      return [{ _tag: "RecordingStarted", path: command.name, startedAt: now }]
    case "RunFile":
    case "PauseRun":
      return [
        { _tag: "RunEnded", outcome: "paused" },
        { _tag: "RunEnded", outcome: "failed", problem: "the key is refused" },
        {
          _tag: "RunEnded",
          outcome: "finished",
          total: 400,
          counts: { succeeded: 398, failed: 1, unknown: 1, invalid: 0 }
        } as const
      ]
    case "StopReading":
      return [{ _tag: "ReadingStopped" }]
    default:
      return []
  }
}

const indented = (lines: ReadonlyArray<string>): string => lines.map((line) => `  ${line}`).join("\n")

describe("every action", () => {
  it.each(names)("on %s, and every reply to its commands", async (name) => {
    const state = goldenScreens[name]?.(size)
    if (state === undefined) throw new Error(`${name} is not a golden screen`)
    const outcomes = new Map<string, Array<string>>()
    const note = (outcome: string, label: string) => outcomes.set(outcome, [...(outcomes.get(outcome) ?? []), label])
    // The list of events stands for every screen.
    const here = actionsAt(placeOf(state)).filter((one) => name === "events" || groupOf(one) !== "EVERYWHERE")
    for (const [label, input] of [...here.flatMap((action) => inputsOf(state, action)), ...typedInto(state)]) {
      const acted = play(state, ...input)
      note(indented(outcomeOf(state, acted)), label)
      const before = { ...acted.state, notice: undefined }
      for (const reply of acted.commands.flatMap((command) => repliesTo(command, acted.state))) {
        note(indented(outcomeOf(before, play(before, reply))), `${label}, then ${reply._tag}`)
      }
    }
    const text = Array.from(outcomes, ([outcome, labels]) => `${labels.slice(0, 8).join(", ")}\n${outcome}\n`).join(
      "\n"
    )
    await expect(text).toMatchFileSnapshot(`golden/actions/${name}.txt`)
  })
})

it("the table of actions", async () => {
  const lines = actions.map((action) => JSON.stringify(action))
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("golden/actions.txt")
})

it("the layout of every size of terminal", async () => {
  const lines = [59, 60, 99, 100, 109, 110, 169, 170, 175, 220].flatMap((columns) =>
    [1, 10, 11, 12, 17, 18, 23, 24, 27, 28, 45, 46].map((height) => {
      const { incident, list, pane, rows } = Layout.eventsLayout({ columns, height })
      return [
        `${columns}x${height}: incident ${incident}, list ${list}, pane ${pane}, rows ${rows}`,
        `split ${JSON.stringify(Layout.split(columns))}, wide ${Layout.isWideEvent({ columns, height })}`,
        `steps ${[3, 30].map((count) => Layout.stepRoom({ columns, height }, count)).join()}`,
        `list rows ${[Layout.listRows(height), Layout.listRows(height, 3)].join()}, feet ${Layout.causesFoot(height)}`,
        `subscriber ${Layout.subscriberHeight(height)}, body ${Layout.bodyHeight({ columns, rows: height })}`
      ].join("; ")
    })
  )
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("golden/layout.txt")
})
