import type { State } from "../../state/State.ts"
import { keyFor } from "../../actions/Action.ts"
import { cleanLine } from "@signalbox/operator/outlet/Outlet"
import { safe } from "@signalbox/operator/text/Safe"
import { truncate, wrap } from "@signalbox/operator/text/Width"
import type { Area } from "../../view/Area.ts"
import { problemRows } from "../../view/Fact.ts"
import { fieldSpans } from "../../view/Field.ts"
import {
  sideBySide,
  cell,
  clipped,
  ends,
  row,
  type Row,
  rule,
  span,
  unredactedSpan,
  spansWidth,
  type Tone
} from "../../view/Row.ts"
import { workflowName } from "../events/LoadedEvents.ts"
import { relatedRows } from "../events/RelatedEvents.ts"
import { split } from "../Layout.ts"
import { eventsOf } from "../subscriber/SubscriberEvents.ts"
import { changes, check, type Check } from "./CredentialsForm.ts"
import { bodyLines, pathOf } from "./CredentialsRequest.ts"
import { type CredentialsScreen, type FormField, shownFields, valueOf } from "./CredentialsScreen.ts"
import { isMisplaced, isSecret } from "./Secrets.ts"
import { type FixOutcome, isOpen, nextOf, progressOf } from "../../state/FixQueue.ts"
import { fieldLabel, fieldsOf } from "./ProviderFields.ts"
import { counted } from "@signalbox/operator/text/Counted"
import { secondsLeft } from "../../state/Revealing.ts"

const tones: Readonly<Record<Check["kind"], Tone>> = { error: "failed", hint: "warning", ok: "dim" }

/** The cells of a label and of the gap after it: the longest one is `Device tokens *`. */
const labelCells = 16

const labelOf = (screen: CredentialsScreen, field: FormField): string => {
  if (field === "providerId") return "Provider *"
  if (field === "integrationIdentifier") return "Integration"
  const star = fieldsOf(valueOf(screen, "providerId")).required.includes(field) ? " *" : ""
  return fieldLabel[field] + star
}

const fieldRows = (screen: CredentialsScreen, field: FormField, state: State, columns: number): ReadonlyArray<Row> => {
  const focused = screen.focus === field
  const verdict = check(screen, field)
  const value = valueOf(screen, field)
  // A secret in its own field is seen while it is typed; one in the wrong field is there by mistake.
  const hidden = isMisplaced(field, value) || (isSecret(field, value) && (!focused || screen.saved !== undefined))
  const secret = (hidden && screen.revealedUntil === undefined) || (state.settings.masked && isSecret(field, value))
  const width = Math.max(10, Math.min(72, columns - labelCells - 3))
  const line = row(
    [
      span(focused ? `${state.settings.glyphs.cursor} ` : "  ", "accent"),
      cell(labelOf(screen, field), labelCells, focused ? "strong" : "plain"),
      ...fieldSpans(screen.values[field], width, { focused, secret })
    ],
    columns,
    {
      spoken: `${focused ? "editing, " : ""}${labelOf(screen, field)}: ${secret ? "hidden" : value}. ${verdict?.text ?? ""}`
    }
  )
  if (verdict === undefined) return [line]
  const sign =
    verdict.kind === "error"
      ? state.settings.glyphs.failed
      : verdict.kind === "ok"
        ? state.settings.glyphs.ok
        : state.settings.glyphs.warning
  const indent = " ".repeat(labelCells + 2)
  return [
    line,
    ...wrap(cleanLine(`${sign} ${verdict.text}`), columns - indent.length).map((text) =>
      row([span(indent), span(text, tones[verdict.kind])], columns, { spoken: "" })
    )
  ]
}

/** How far the queue is that the form belongs to. */
const queueRows = (state: State, screen: CredentialsScreen, columns: number): ReadonlyArray<Row> => {
  const { fix, settings } = state
  if (fix === undefined) return []
  const key = keyFor(state, "next subscriber")
  const next = nextOf(fix, screen.subscriberId)
  const outcome = fix.outcomes.get(screen.subscriberId)
  const here = outcome === undefined ? "" : `, this one ${outcome}`
  const progress = progressOf(fix, screen.subscriberId)
  const wordings = (
    next === undefined
      ? [[`${progress}${here}`, isOpen(fix, screen.subscriberId) ? "the last one" : `${settings.glyphs.ok} all done`]]
      : [
          [`${progress}${here}`, `${key} next: ${next}`],
          [`${progress}${here}`, `${key} next`],
          [progress, `${key} next`]
        ]
  ).map(([how = "", then = ""]) => [
    span(` ${fix.title}: `, "title"),
    span(how, "strong"),
    span(`  ${then}`, next !== undefined ? "key" : isOpen(fix, screen.subscriberId) ? "notice" : "ok")
  ])
  const fitting = wordings.find((spans) => spansWidth(spans) < columns)
  return [row(fitting ?? wordings.at(-1) ?? [], columns)]
}

const outcomeLooks: Readonly<
  Record<FixOutcome, { readonly sign: "failed" | "ok" | "skipped" | "unknown"; readonly tone: Tone }>
> = {
  sent: { sign: "ok", tone: "ok" },
  failed: { sign: "failed", tone: "failed" },
  unsure: { sign: "unknown", tone: "warning" },
  skipped: { sign: "skipped", tone: "dim" }
}

/** The subscribers of the queue with their outcomes, the one of the form among them, in at most `height` rows. */
const queueList = (
  { fix, settings }: State,
  screen: CredentialsScreen,
  { columns, height }: Area
): ReadonlyArray<Row> => {
  if (fix === undefined || height < 3) return []
  const { glyphs } = settings
  const room = height - 1
  const at = fix.subscribers.indexOf(screen.subscriberId)
  const from = Math.max(0, Math.min(at - Math.floor(room / 2), fix.subscribers.length - room))
  return [
    rule(columns, glyphs.line, `QUEUE, ${counted(fix.subscribers.length, "subscriber")}`),
    ...fix.subscribers.slice(from, from + room).map((subscriberId) => {
      const outcome = fix.outcomes.get(subscriberId)
      const { sign, tone } = outcome === undefined ? ({ sign: "queued", tone: "dim" } as const) : outcomeLooks[outcome]
      const isHere = subscriberId === screen.subscriberId
      return row(
        [
          span(isHere ? glyphs.cursor : " ", "accent"),
          span(`${glyphs[sign]} `, tone),
          span(subscriberId, isHere ? "strong" : "plain"),
          span(outcome === undefined ? "" : `  ${outcome}`, tone)
        ],
        columns
      )
    })
  ]
}

/** Three lines at most: on a small terminal, the fields need the room. */
const reasonRows = ({ reason = "" }: CredentialsScreen, columns: number): ReadonlyArray<Row> => {
  const [first, second, ...rest] = wrap(cleanLine(reason), columns - 2)
  const lines = [first, second, truncate(rest.join(" "), columns - 2)]
  return lines.flatMap((line = "") => (line === "" ? [] : [row([span(` ${line}`, "notice")], columns)]))
}

const form = (state: State, screen: CredentialsScreen, columns: number): ReadonlyArray<Row> => [
  ...queueRows(state, screen, columns),
  ...reasonRows(screen, columns),
  ...shownFields(screen).flatMap((field) => fieldRows(screen, field, state, columns)),
  ...(screen.showAll
    ? []
    : [
        row(
          [span(`  ${keyFor(state, "show all fields")} shows the fields that this provider does not use`, "dim")],
          columns
        )
      ]),
  ...(screen.problem === undefined ? [] : problemRows(screen.problem, keyFor(state, "copy form's problem"), columns)),
  ...(screen.sending ? [row([span(" sending", "waiting")], columns)] : []),
  ...(screen.saved === undefined
    ? []
    : [
        row(
          [
            span(` ${state.settings.glyphs.ok} saved`, "ok"),
            span(`  status ${screen.saved.status}, ${counted(screen.saved.attempts, "attempt")}`, "dim")
          ],
          columns
        ),
        ...(screen.saved.idempotencyKey === undefined
          ? []
          : [row([span(`   idempotency key ${screen.saved.idempotencyKey}`, "dim")], columns)]),
        row([span(`   ${keyFor(state, "to the subscriber")} shows the stored credentials`, "dim")], columns)
      ])
]

/** The effect of the form: its changes, and the request. */
export const requestRows = (state: State, screen: CredentialsScreen, columns: number): ReadonlyArray<Row> => {
  const { line } = state.settings.glyphs
  return [
    rule(columns, line, "WHAT CHANGES"),
    ...(changes(screen, state.facts).length === 0 ? [row([span(" nothing yet", "dim")], columns)] : []),
    ...changes(screen, state.facts).flatMap((change) =>
      wrap(safe(change), columns - 2).map((text) => row([unredactedSpan(` ${text}`)], columns))
    ),
    rule(columns, line, "REQUEST PREVIEW"),
    row([span(` PATCH ${pathOf(screen)}`)], columns),
    ...bodyLines(screen).flatMap((text) =>
      wrap(safe(text), columns - 2).map((line) => row([unredactedSpan(` ${line}`, "dim")], columns))
    )
  ]
}

/** The form, and what it will do. */
export const credentialsView = (
  state: State,
  screen: CredentialsScreen,
  { columns, height }: Area
): ReadonlyArray<Row> => {
  const left = secondsLeft(screen, state.now)
  const head = ends(
    [span(" credentials of ", "dim"), span(screen.subscriberId, "strong")],
    [
      left === undefined
        ? span("adds or changes, never removes ", "dim")
        : span(`secrets shown for ${left} s more `, "notice")
    ],
    columns
  )
  const { list, pane } = split(columns)
  if (pane > 0) {
    const events = eventsOf(state.screens, screen.subscriberId)
    const fields = [
      ...form(state, screen, list),
      ...(events.length === 0
        ? []
        : [rule(list, state.settings.glyphs.line, `EVENTS OF THIS SUBSCRIBER, ${events.length} loaded`)]),
      ...relatedRows(events.slice(0, height), state, list, { name: workflowName })
    ].slice(0, height - 1)
    const request = requestRows(state, screen, pane)
    const queue = queueList(state, screen, { columns: pane, height: height - 1 - request.length })
    return [
      head,
      ...sideBySide(
        fields,
        list,
        span(state.settings.glyphs.bar, "dim"),
        clipped([...request, ...queue], { columns: pane, height: height - 1 }, keyFor(state, "show the request")),
        pane
      )
    ]
  }
  const rows = form(state, screen, columns)
  const room = height - 1
  // On a small terminal the field in focus must stay in view: the rows before it are dropped.
  const focusAt = rows.findIndex(({ spans }) => spans[0]?.text.trim() === state.settings.glyphs.cursor)
  const skip = rows.length <= room ? 0 : Math.max(0, Math.min(rows.length - room, focusAt - 2))
  return clipped(
    [head, ...rows.slice(skip), ...requestRows(state, screen, columns)],
    { columns, height },
    keyFor(state, "show the request")
  )
}
