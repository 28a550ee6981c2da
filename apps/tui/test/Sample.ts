import type { ActivityJob, ActivityNotification, ExecutionDetail } from "@signalbox/core/Records"
import type { Key } from "../src/keyboard/Key.ts"
import { clear } from "@signalbox/operator/filter/Filter"
import { make as makeEvents } from "../src/screens/events/EventsScreen.ts"
import { makeInitialState } from "../src/app/InitialState.ts"
import type { Command } from "../src/state/Command.ts"
import type { Msg } from "../src/state/Msg.ts"
import type { State } from "../src/state/State.ts"
import { update } from "../src/app/Update.ts"
import { glyphs } from "../src/theme/Glyphs.ts"
import { plain } from "../src/view/Row.ts"
import { render } from "../src/app/View.ts"
import type { CallFacts } from "../src/state/Requests.ts"
import { newestFirst } from "../src/screens/events/EventColumns.ts"
import { usualBindings } from "../src/app/Actions.ts"
import type { Size } from "../src/state/Settings.ts"

/** 2026-11-21 12:41:07 UTC, the time of every test. */
export const now = Date.UTC(2026, 10, 21, 12, 41, 7)

const iso = (secondsAgo: number) => new Date(now - secondsAgo * 1000).toISOString()

/** One execution detail, seconds before now. */
const detail = (
  status: ExecutionDetail["status"],
  text: string,
  secondsAgo: number,
  more: Partial<ExecutionDetail> = {}
): ExecutionDetail => ({
  _id: `d${secondsAgo}${text.length}`,
  createdAt: iso(secondsAgo),
  status,
  detail: text,
  isRetry: false,
  isTest: false,
  source: "Internal",
  ...more
})

/** One job. */
const job = (
  type: ActivityJob["type"],
  status: string,
  executionDetails: ReadonlyArray<ExecutionDetail>,
  more: Partial<ActivityJob> = {}
): ActivityJob => ({
  _id: `job-${type}-${executionDetails.length}`,
  type,
  status,
  executionDetails,
  step: { _id: `step-${type}`, active: true, filters: [], _templateId: "template" },
  ...more
})

/** One event with two jobs, of which the chat job fails when asked for; by default, each event has its own subscriber. */
export const event = (
  index: number,
  options: { readonly fails?: boolean; readonly name?: string; readonly subscriber?: number } = {}
): ActivityNotification => {
  const at = 30 + index * 17
  const { fails = false, name = fails ? "comment-mention" : "order-shipped", subscriber = index } = options
  return {
    _id: `65f0a1b2c3d4e5f6a7b8c${String(index).padStart(3, "0")}`,
    _environmentId: "environment",
    _organizationId: "organization",
    _subscriberId: `internal-${subscriber}`,
    transactionId: `txn_${String(index).padStart(4, "0")}`,
    createdAt: iso(at),
    subscriber: {
      subscriberId: `u_${10_000 + subscriber}`,
      _id: `internal-${subscriber}`,
      firstName: "Ana",
      lastName: "Ruiz"
    },
    template: { name, triggers: [] },
    severity: fails ? "high" : "none",
    payload: { orderId: `A-${index}`, text: "Can you check the numbers?" },
    jobs: [
      job("in_app", "completed", [detail("Success", "Message sent", at - 1)], { providerId: "service" }),
      job(
        "chat",
        fails ? "failed" : "completed",
        [
          detail("Queued", "Step queued", at - 2),
          fails
            ? detail("Failed", "Webhook URL for the chat channel is missing", at - 3, {
                source: "Credentials",
                raw: JSON.stringify({ missing: "webhookUrl" })
              })
            : detail("Success", "Message sent", at - 3)
        ],
        { providerId: "slack" }
      )
    ]
  }
}

/** Facts of a call that went well. */
export const call: CallFacts = { status: 200, durationMs: 143, attempts: 1, unreadable: [] }

/** A state before anything was loaded. */
export const initial = (size: Size = { columns: 80, rows: 24 }): State =>
  makeInitialState({
    size,
    now,
    settings: {
      theme: "dark",
      depth: "none",
      glyphs: glyphs.unicode,
      screenReader: false,
      timeZone: "utc",
      bindings: usualBindings,
      list: { columns: undefined, sort: newestFirst },
      masked: false
    },
    connection: {
      name: "demo",
      kind: "demo",
      baseUrl: "http://signalbox.test",
      readOnly: false,
      choices: ["demo", "staging"]
    },
    screen: makeEvents(0, clear)
  })

/** Keys by name; a name of one character types it. */
export const pressed = (...names: ReadonlyArray<string>): Msg => ({
  _tag: "Keys",
  keys: names.map((name): Key =>
    name === "space" ? { name, text: " " } : name.length === 1 ? { name, text: name } : { name }
  )
})

/** Keys that move to the line with this index, from anywhere. */
export const toLine = (index: number): Msg => pressed("g", "g", ...Array.from({ length: index }, () => "j"))

/** Applies messages one after another; collects the commands. */
export const play = (
  state: State,
  ...messages: ReadonlyArray<Msg>
): { readonly state: State; readonly commands: ReadonlyArray<Command> } => {
  const commands: Array<Command> = []
  let current = state
  for (const message of messages) {
    const next = update(current, message, now)
    current = next.state
    commands.push(...next.commands)
  }
  return { state: current, commands }
}

/** The answer of the first page. */
export const page = (events: ReadonlyArray<ActivityNotification>, hasMore = false): Msg => ({
  _tag: "EventsLoaded",
  screenId: 0,
  mode: "first",
  page: { data: events, hasMore, page: 0, pageSize: 50 },
  call
})

/** A state with `count` events loaded; every fifth failed. */
export const loaded = (count: number, size?: Size, hasMore = false): State =>
  play(
    initial(size),
    page(
      Array.from({ length: count }, (_, index) => event(index, { fails: index % 5 === 2 })),
      hasMore
    )
  ).state

/** The screen as text, one line a row. */
export const screen = (state: State): ReadonlyArray<string> => render(state).map(plain)
