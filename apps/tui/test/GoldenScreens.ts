/** The states of the screens that golden files and images show, for a size of the terminal. */
import { event, initial, loaded, now, page, play, pressed, toLine } from "./Sample.ts"
import type { ActivityJob, ActivityNotification, Message } from "@signalbox/core/Records"
import type { Problem } from "@signalbox/operator/report/ProblemReport"
import type { ConnectionInfo } from "../src/state/Connection.ts"
import type { RequestRecord } from "../src/state/Requests.ts"
import type { Msg } from "../src/state/Msg.ts"
import type { Size } from "../src/state/Settings.ts"
import type { State } from "../src/state/State.ts"

/** The sizes of the terminal that screens are drawn for. */
export const goldenSizes: ReadonlyArray<Size> = [
  { columns: 60, rows: 15 },
  { columns: 80, rows: 24 },
  { columns: 120, rows: 40 },
  { columns: 200, rows: 60 }
]

const url = { _tag: "Paste", text: "https://hooks.example.test/services/T0/B0/secretpart" } as const
const ids = { _tag: "Paste", text: "65f0a1b2c3d4e5f6a7b8c9d0 65f0a1b2c3d4e5f6a7b8c9d1" } as const

const arrived: ReadonlyArray<Msg> = [
  { _tag: "RefreshDue" },
  {
    _tag: "EventsLoaded",
    screenId: 0,
    mode: "tail",
    page: {
      data: [event(-1), { ...event(-1), _id: "65f0a1b2c3d4e5f6a7b8d000" }],
      hasMore: false,
      page: 0,
      pageSize: 50
    },
    call: { status: 200, durationMs: 12, attempts: 1, unreadable: [] }
  }
]

const request = (secondsAgo: number, more: Partial<RequestRecord> = {}): Msg => ({
  _tag: "RequestMade",
  request: {
    startedAt: now - secondsAgo * 1000,
    method: "GET",
    target: "/v1/notifications?limit=50&page=0",
    number: 1,
    status: 200,
    durationMs: 143,
    delayMs: 0,
    outcome: "success",
    requestId: `req-${4700 + secondsAgo}`,
    curl: "curl --request GET 'https://api.example.test/v1/notifications'",
    ...more
  }
})

const requests = [
  request(9),
  request(8, { status: 503, outcome: "ServerFailure", target: "/v1/notifications?limit=50&page=1" }),
  request(7, { number: 2, delayMs: 312, target: "/v1/notifications?limit=50&page=1" })
]

const exporting: ReadonlyArray<Msg> = [
  { _tag: "TaskStarted", task: { id: 1, label: "saving 60 events", startedAt: now - 3000, writes: false } },
  { _tag: "TaskProgressed", id: 1, progress: "40 of 60" }
]

/** A failure of another cause. */
const phoneMissing = (index: number): ActivityNotification => {
  const base = event(index, { name: "order-confirmed", subscriber: index % 9 })
  const failure = {
    _id: `phone-${index}`,
    status: "Failed",
    detail: "Subscriber does not have a phone number",
    isRetry: false,
    isTest: false,
    source: "Payload",
    createdAt: new Date(now - 25_000 - index * 17_000).toISOString()
  } as const
  const [first] = base.jobs ?? []
  return first === undefined
    ? base
    : {
        ...base,
        jobs: [
          first,
          { ...first, _id: "sms", type: "sms", status: "failed", providerId: "twilio", executionDetails: [failure] }
        ]
      }
}

/** Three causes, a few days old events, and an event that waited for ten minutes. */
const incident = (size: Size): State => {
  const recent = Array.from({ length: 56 }, (_, index) => {
    const fails = index % 5 === 2
    // A later success would say that the credentials are no longer missing.
    return index % 4 === 1 ? phoneMissing(index) : event(index, { fails, subscriber: (fails ? 0 : 9) + (index % 9) })
  })
  const old = [20_000, 20_010, 25_000, 30_000].map((index) => event(index, { fails: true, subscriber: 2 }))
  return play(
    initial(size),
    page(
      [...recent, ...old].map((one, index) =>
        index === 4 ? Object.assign({}, one, { jobs: waited(one.jobs ?? []) }) : one
      ),
      true
    )
  ).state
}

/** The jobs with the first one ten minutes before the others. */
const waited = (jobs: ReadonlyArray<ActivityJob>): ReadonlyArray<ActivityJob> =>
  jobs.map((job, index) =>
    index > 0
      ? job
      : {
          ...job,
          type: "digest",
          executionDetails: job.executionDetails.map((detail) => ({
            ...detail,
            createdAt: new Date(now - 720_000).toISOString()
          }))
        }
  )

/** A queue of which some subscribers are done. */
const worked = (state: State): State => {
  const [, sent = "", failed = "", skipped = ""] = state.fix?.subscribers ?? []
  const outcomes = new Map([
    [sent, "sent"],
    [failed, "failed"],
    [skipped, "skipped"]
  ] as const)
  return state.fix === undefined ? state : { ...state, fix: { ...state.fix, outcomes } }
}

/** Screens of an incident with several causes. */
const incidentScreens: Readonly<Record<string, (state: State) => State>> = {
  incident: (state) => play(state, pressed("j", "j")).state,
  group: (state) => play(state, pressed("1", "j")).state,
  causes: (state) => play(state, pressed("C", "j")).state,
  queue: (state) => worked(play(state, pressed("2", "c"), url).state),
  failed: (state) => play(state, pressed("j", "j", "enter")).state,
  waterfall: (state) => play(state, toLine(4), pressed("enter")).state,
  filter: (state) => play(state, pressed("/", ..."status:failed cau")).state,
  requests: (state) => play(state, ...requests, pressed("L")).state,
  exporting: (state) => play(state, ...exporting, pressed("j")).state,
  leaving: (state) => play(state, pressed("2", "c"), url, pressed("ctrl-c")).state
}

const screens: Readonly<Record<string, (state: State) => State>> = {
  events: (state) => play(state, pressed("j", "j", "space")).state,
  event: (state) => play(state, pressed("j", "j", "enter")).state,
  subscriber: (state) => play(state, pressed("j", "j", "s")).state,
  messages: (state) => play(state, pressed("m"), ids, pressed("space")).state,
  credentials: (state) => play(state, pressed("j", "j", "c"), url).state,
  compare: (state) => play(state, pressed("j", "j", "space", "space", "=")).state,
  masked: (state) => play(state, pressed("j", "j", ":", ..."mask on", "enter")).state,
  live: (state) => play(state, pressed("t", "j", "j"), ...arrived).state,
  payload: (state) => play(state, pressed("p")).state,
  help: (state) => play(state, pressed("?")).state,
  palette: (state) => play(state, pressed(":", ..."fa")).state
}

const problem = (summary: string, advice: string, more: Partial<Problem> = {}): Problem => ({
  summary,
  advice,
  fields: [],
  at: now - 4000,
  ...more
})

const unreachable = problem(
  "Reading events failed: the connection to api.example.test was refused; the request was not sent (3 attempts).",
  "Check the base URL and that the service is running."
)

const wrongKey = problem(
  "Reading events failed: 401 Unauthorized: the API key is missing or revoked.",
  "Check the API key and that it belongs to this base URL.",
  { requestId: "req-4711" }
)

const refusedFields = problem(
  "Changing credentials failed: 422 Unprocessable Entity.",
  "Correct the fields that the service names.",
  { requestId: "req-4712", fields: [{ path: "credentials.webhookUrl", message: "must be a https URL" }] }
)

const lost = (mode: "first" | "refresh", why: Problem): Msg => ({
  _tag: "EventsFailed",
  screenId: 0,
  mode,
  problem: why
})

/** A call that waits before its next attempt. */
const waiting: ReadonlyArray<Msg> = [
  { _tag: "TaskStarted", task: { id: 1, label: "reading events", startedAt: now - 3000, writes: false } },
  { _tag: "TaskNoted", id: 1, note: "attempt 2, 503 Service Unavailable" },
  { _tag: "TaskWaits", id: 1, until: now + 5200 }
]

const on = (state: State, connection: Partial<ConnectionInfo>): State => ({
  ...state,
  connection: { ...state.connection, ...connection }
})

const production = { name: "acme-prod", kind: "live", baseUrl: "https://api.acme.example.test" } as const

const views = [
  { name: "failed today", filter: "status:failed after:24h" },
  { name: "slack of the big customers", filter: "cause:webhook-url-missing/chat/slack subscriber:u_10002,u_10007" }
]

/** The state of the credentials form once the service has stored them. */
const saved = (state: State): Msg => {
  const screen = state.screens.at(-1)
  return {
    _tag: "CredentialsSaved",
    screenId: screen?.id ?? -1,
    subscriber: {
      _id: "internal-2",
      _organizationId: "organization",
      _environmentId: "environment",
      subscriberId: screen?._tag === "Credentials" ? screen.subscriberId : "",
      deleted: false,
      createdAt: new Date(now).toISOString(),
      updatedAt: new Date(now).toISOString(),
      channels: []
    },
    call: { status: 200, durationMs: 96, attempts: 1, unreadable: [] }
  }
}

const markOfTwo = {
  number: 1,
  subscriberId: "u_10000",
  ids: ["65f0a1b2c3d4e5f6a7b8c9d0", "65f0a1b2c3d4e5f6a7b8c9d1"],
  markAs: "read",
  undoes: undefined
} as const

/** A mark of two messages of which the service returned one. */
const marked = (state: State): ReadonlyArray<Msg> => [
  {
    _tag: "MessagesMarked",
    screenId: state.screens.at(-1)?.id ?? -1,
    mark: markOfTwo,
    messages: [],
    notReturned: ["65f0a1b2c3d4e5f6a7b8c9d1"],
    call: { status: 200, durationMs: 88, attempts: 1, unreadable: [] }
  }
]

/** A mark of which nothing is known, and one message that the service refused. */
const markFailed = (state: State): Msg => ({
  _tag: "MarkFailed",
  screenId: state.screens.at(-1)?.id ?? -1,
  mark: markOfTwo,
  report: {
    done: [],
    messages: [],
    failed: new Map([
      ["65f0a1b2c3d4e5f6a7b8c9d0", { result: "unsure", why: "no response within 10 s" }],
      ["65f0a1b2c3d4e5f6a7b8c9d1", { result: "refused", why: "404 Not Found" }]
    ] as const),
    notTried: []
  },
  problem: problem(
    "No message is known to be marked; 1 may be. Marking messages failed: no response within 10 s (3 attempts).",
    "It is unknown whether the change was applied. Check before retrying."
  )
})

/** An event that failed once after a retry, with many steps. */
const manySteps = (size: Size): State => {
  const one = event(2, { fails: true })
  const [inApp, chat] = one.jobs ?? []
  if (inApp === undefined || chat === undefined) return loaded(1, size)
  const jobs = Array.from({ length: 16 }, (_, index): ActivityJob =>
    index % 5 === 3
      ? { ...chat, _id: `chat-${index}` }
      : {
          ...inApp,
          _id: `step-${index}`,
          type: index % 2 === 0 ? "email" : "push",
          providerId: index % 2 === 0 ? "sendgrid" : "fcm"
        }
  )
  return play(initial(size), page([{ ...one, jobs }], false)).state
}

/** An event with facts that few have: a digest, conditions, a schedule, retries, a test, and no times. */
const unusual = (index: number): ActivityNotification => {
  const one = event(index, { fails: true })
  const [inApp, chat] = one.jobs ?? []
  if (inApp === undefined || chat === undefined) return one
  const [queued, failed] = chat.executionDetails
  if (queued === undefined || failed === undefined) return one
  const { createdAt: _, ...timeless } = queued
  return {
    ...one,
    payload: { apiKey: "secret", nested: { list: [1, 2] }, empty: null },
    subscriber: {
      subscriberId: "u_1",
      _id: "internal",
      email: "ana@example.test",
      phone: "+44 7700 900123"
    },
    jobs: [
      {
        ...inApp,
        _id: "digest",
        type: "digest",
        status: "delayed",
        digest: { type: "regular", amount: 5, unit: "minutes", digestKey: "order", events: [{}, {}] },
        scheduleExtensionsCount: 2,
        overrides: { delay: 5 },
        executionDetails: [{ ...queued, status: "Pending", detail: "Digest triggered" }]
      },
      {
        ...inApp,
        _id: "email",
        type: "email",
        status: "skipped",
        step: {
          ...inApp.step,
          filters: [
            {
              isNegated: false,
              type: "GROUP",
              value: "AND",
              children: [
                { on: "subscriber", field: "locale", operator: "EQUAL", value: "es" },
                { on: "payload", field: "total", operator: "LARGER", value: "5" }
              ]
            }
          ]
        },
        executionDetails: [timeless]
      },
      {
        ...chat,
        executionDetails: [
          queued,
          { ...failed, isRetry: true, isTest: true },
          { ...failed, _id: "warned", status: "Warning" }
        ]
      },
      { ...inApp, _id: "none", type: "push", status: "merged", executionDetails: [] }
    ]
  }
}

/** Events of which a part was deleted or is not known, among usual ones. */
const unusualEvents = (size: Size): State => {
  const { subscriber: _, template: __, ...deleted } = event(1, { fails: true })
  const { createdAt: ___, jobs: ____, ...bare } = event(2)
  const running = event(3)
  return play(
    initial(size),
    page([
      unusual(0),
      deleted,
      { ...bare, payload: {} },
      {
        ...running,
        jobs: (running.jobs ?? []).map((one) => Object.assign({}, one, { status: "RUNNING", executionDetails: [] }))
      },
      { ...event(4, { subscriber: 1 }), severity: "low", createdAt: new Date(now - 200_000_000).toISOString() },
      { ...event(5), severity: "medium", createdAt: new Date(now - 8_000_000_000).toISOString() }
    ])
  ).state
}

/** A subscriber of whom the service returned everything, with credentials of several providers. */
const profile = (size: Size): State => {
  const { state } = play(loaded(60, size), pressed("c"))
  const answer = saved(state)
  if (answer._tag !== "CredentialsSaved") return state
  return play(
    state,
    {
      ...answer,
      subscriber: {
        ...answer.subscriber,
        firstName: "Ana",
        email: "ana@example.test",
        phone: "+44 7700 900123",
        locale: "es",
        timezone: "Europe/Madrid",
        isOnline: true,
        channels: [
          {
            providerId: "slack",
            _integrationId: "1",
            integrationIdentifier: "slack-2",
            credentials: { webhookUrl: url.text }
          },
          {
            providerId: "fcm",
            _integrationId: "2",
            credentials: { deviceTokens: ["token-one-1111", "token-two-2222"] }
          },
          { providerId: "mattermost", _integrationId: "3", credentials: { channel: "alerts" } },
          { providerId: "discord", _integrationId: "4", credentials: {} }
        ]
      }
    },
    pressed("escape", "s")
  ).state
}

const message = (more: Partial<Message>): Message => ({
  _environmentId: "environment",
  _organizationId: "organization",
  _notificationId: "event",
  _subscriberId: "internal",
  createdAt: new Date(now - 90_000_000).toISOString(),
  transactionId: "txn_0001",
  channel: "in_app",
  read: true,
  seen: false,
  status: "sent",
  cta: {},
  ...more
})

/** Messages that a mark and its undo returned: one with a subject, one with blocks, one that failed. */
const knownMessages = (size: Size): State => {
  const [first = "", second = ""] = markOfTwo.ids
  const third = "65f0a1b2c3d4e5f6a7b8c9d2"
  const mark = { ...markOfTwo, ids: [first, second, third] }
  const answer = (read: boolean, number: number, undoes?: number): Msg => ({
    _tag: "MessagesMarked",
    screenId: 1,
    mark: { ...mark, number, undoes },
    messages: [
      message({
        _id: first,
        read,
        subject: "Your order",
        content: "It was sent.",
        lastReadDate: new Date(now - 5000).toISOString()
      }),
      message({
        _id: second,
        read,
        seen: read,
        content: [
          { type: "text", content: "One" },
          { type: "text", content: "Two" }
        ]
      }),
      message({
        _id: third,
        read: false,
        status: "error",
        errorText: "mailbox full",
        content: null,
        lastSeenDate: new Date(now - 7000).toISOString()
      })
    ],
    notReturned: [],
    call: { status: 200, durationMs: 88, attempts: 1, unreadable: [] }
  })
  return play(loaded(60, size), pressed("m"), ids, typed(third), answer(true, 1), answer(true, 2), answer(false, 3, 2))
    .state
}

const typed = (text: string): Msg => ({ _tag: "Paste", text })

/** The form of a provider with these values, field by field, and the cursor on the first field. */
const form = (size: Size, ...values: ReadonlyArray<string>): State => {
  const opened = play(loaded(60, size), pressed("s", "a")).state
  return play(opened, ...values.flatMap((value) => [typed(value), pressed("down")])).state
}

/** The provider's own words, as long as they come. */
const longRaw = (size: Size): State => {
  const one = event(2, { fails: true })
  const raw = JSON.stringify({
    statusCode: 401,
    headers: { "x-request-id": "f3c9a1", "retry-after": "30" },
    errors: [
      {
        message: "The provided authorization grant is invalid, expired, or revoked",
        field: null,
        help: "https://docs.provider.example.test/errors/unauthorized"
      }
    ]
  })
  const jobs = (one.jobs ?? []).map((job) =>
    Object.assign({}, job, {
      executionDetails: job.executionDetails.map((detail) =>
        detail.status === "Failed" ? Object.assign({}, detail, { raw }) : detail
      )
    })
  )
  return play(
    initial(size),
    page([{ ...one, jobs }, ...Array.from({ length: 20 }, (_, index) => event(index + 3))], false)
  ).state
}

const runReported: Msg = {
  _tag: "RunReported",
  changed: [],
  report: {
    progress: {
      total: 400,
      counts: { succeeded: 213, failed: 2, unknown: 1, invalid: 4 },
      perSecond: 48.6,
      timeLeftMs: 3700,
      waiting: { reason: "the rate limit", until: now + 1200 }
    }
  }
}

/** Screens of each state that a session can be in. */
const otherScreens: Readonly<Record<string, (size: Size) => State>> = {
  reading: (size) => play(initial(size)).state,
  empty: (size) => play(initial(size), page([])).state,
  "nothing-matches": (size) => play(loaded(60, size, true), pressed("/", ..."zzz", "enter")).state,
  unreachable: (size) => play(initial(size), lost("first", unreachable)).state,
  "refused-read": (size) => play(on(loaded(60, size), production), lost("refresh", wrongKey)).state,
  retrying: (size) => play(loaded(60, size), ...waiting).state,
  "refused-form": (size) => {
    const { state } = play(loaded(60, size), pressed("j", "j", "c"), url)
    const screenId = state.screens.at(-1)?.id ?? -1
    return play(state, { _tag: "CredentialsRefused", screenId, problem: refusedFields }).state
  },
  saved: (size) => {
    const { state } = play(loaded(60, size), pressed("j", "j", "c"), url)
    return play(state, saved(state)).state
  },
  marked: (size) => {
    const { state } = play(loaded(60, size), pressed("m"), ids)
    return play(state, ...marked(state)).state
  },
  "mark-failed": (size) => {
    const { state } = play(loaded(60, size), pressed("m"), ids)
    return play(state, markFailed(state)).state
  },
  "not-recorded": (size) =>
    play(
      on(loaded(60, size), { name: "incident.ndjson", kind: "replay", readOnly: true }),
      lost("refresh", problem("not in the recording: GET /v1/notifications?limit=50&page=1", ""))
    ).state,
  confirm: (size) => play(on(loaded(60, size), production), pressed("j", "j", "c"), url, pressed("ctrl-s")).state,
  "read-only": (size) => play(on(loaded(60, size), { ...production, readOnly: true }), pressed("j", "j", "c")).state,
  replay: (size) => on(loaded(60, size), { name: "incident.ndjson", kind: "replay", readOnly: true }),
  recording: (size) => ({ ...loaded(60, size), recording: { path: "incident.ndjson", exchanges: 12 } }),
  connections: (size) => play(on(loaded(60, size), production), pressed(":", ..."connect ")).state,
  views: (size) => play(on(loaded(60, size), { views }), pressed(":", ..."view ")).state,
  history: (size) => {
    const { state } = play(loaded(60, size), pressed("j", "j", "c"), url)
    return play(state, saved(state), pressed("escape", "H")).state
  },
  steps: (size) => play(manySteps(size), pressed("enter", "j", "j", "j", "l")).state,
  form: (size) => form(size),
  "form-alert": (size) =>
    form(size, "grafana-on-call", "operations", "http://hooks.example.test/1", "uid", "Disk full", "no URL", "ok"),
  "form-push": (size) => form(size, "fcm", "https://hooks.example.test/2", "token-1 token-2 token-1"),
  "form-unknown": (size) => form(size, "sla"),
  profile,
  "profile-revealed": (size) => play(profile(size), pressed("j", "v")).state,
  "messages-known": knownMessages,
  "messages-seen": (size) => play(knownMessages(size), pressed("G", "space", "k", "space", "s")).state,
  unusual: unusualEvents,
  "unusual-event": (size) => play(unusualEvents(size), pressed("enter", "g", "g")).state,
  "unusual-steps": (size) => play(unusualEvents(size), pressed("enter", "g", "g", "j", "l", "j")).state,
  deleted: (size) => play(unusualEvents(size), pressed("j", "enter")).state,
  bare: (size) => play(unusualEvents(size), pressed("j", "j", "enter")).state,
  raw: (size) => play(longRaw(size), pressed("enter")).state,
  run: (size) => {
    const { settings, ...state } = loaded(60, size)
    return play(
      { ...state, settings: { ...settings, runsFiles: true } },
      pressed(":", ..."run", "space", ..."fixes.csv", "enter"),
      runReported
    ).state
  },
  succeeded: (size) => play(loaded(60, size), pressed("enter")).state
}

/** Every golden screen by its name. */
export const goldenScreens: Readonly<Record<string, (size: Size) => State>> = {
  ...Object.fromEntries(Object.entries(screens).map(([name, go]) => [name, (size: Size) => go(loaded(60, size))])),
  ...Object.fromEntries(
    Object.entries(incidentScreens).map(([name, go]) => [name, (size: Size) => go(incident(size))])
  ),
  ...otherScreens
}
