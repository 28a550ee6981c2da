import type { ActivityNotification, ChannelSettings } from "@signalbox/core/Records"
import type { SubscriberFacts, Provenance } from "../../state/Facts.ts"
import { listOf } from "../../state/ScreenStack.ts"
import type { State } from "../../state/State.ts"
import { keyFor } from "../../actions/Action.ts"
import { safe } from "@signalbox/operator/text/Safe"
import { age } from "@signalbox/operator/text/Moment"
import type { Area } from "../../view/Area.ts"
import { asItem, clipped, column, row, type Row, rule, span, unredactedSpan } from "../../view/Row.ts"
import { width, wrap } from "@signalbox/operator/text/Width"
import { isSecret, masked } from "../credentials/Secrets.ts"
import { listRows, subscriberHeight } from "../Layout.ts"
import { previewBelow } from "../events/EventPreview.ts"
import { relatedRows } from "../events/RelatedEvents.ts"
import { workflowName } from "../events/LoadedEvents.ts"
import { eventsOf, explainedEvent } from "./SubscriberEvents.ts"
import { channelsOf, type SubscriberScreen } from "./SubscriberScreen.ts"
import { counted } from "@signalbox/operator/text/Counted"
import { secondsLeft } from "../../state/Revealing.ts"
import { stampOf } from "../../view/Times.ts"
import { listRowsOf } from "../../view/ListRows.ts"

const provenance = (from: Provenance | undefined, state: State): string =>
  from === undefined
    ? "not known yet: no response has contained it"
    : `from ${from.source}, ${stampOf(state, from.at)} (${age(from.at, state.now)})`

/** Whether one response contained the profile and the credentials. */
const hasOneSource = (known: SubscriberFacts | undefined): boolean =>
  known?.channelsFrom !== undefined && known.channelsFrom === known.profileFrom

const profileRows = (
  known: SubscriberFacts | undefined,
  subscriberId: string,
  state: State,
  columns: number
): ReadonlyArray<Row> => {
  const profile = known?.profile ?? {}
  const name = [profile.firstName, profile.lastName].filter((part) => part !== undefined).join(" ")
  const online = profile.isOnline === undefined ? "" : `online ${profile.isOnline ? "yes" : "no"}`
  const facts = [
    name,
    profile.email,
    profile.phone,
    profile.locale === undefined ? undefined : `locale ${profile.locale}`,
    profile.timezone === undefined ? undefined : `tz ${profile.timezone}`,
    online
  ].flatMap((fact) => (fact === undefined || fact === "" ? [] : [fact]))
  const lines = [subscriberId]
  for (const fact of facts) {
    const longer = `${lines.at(-1)}   ${fact}`
    if (width(longer) < columns - 1) lines[lines.length - 1] = longer
    else lines.push(fact)
  }
  const [first = "", ...others] = lines
  return [
    row([span(` ${subscriberId}`, "strong"), span(first.slice(subscriberId.length))], columns),
    ...others.map((line) => row([span(` ${line}`)], columns)),
    row([span(` ${hasOneSource(known) ? "" : "profile "}${provenance(known?.profileFrom, state)}`, "dim")], columns)
  ]
}

/** The values of a credential in one line, its secrets masked. */
const valueText = ({ credentials }: ChannelSettings): string => {
  const { deviceTokens, webhookUrl, ...rest } = credentials
  const parts = [
    ...(webhookUrl === undefined ? [] : [`webhook ${masked(webhookUrl)}`]),
    ...(deviceTokens === undefined
      ? []
      : [`${counted(deviceTokens.length, "token")} ${deviceTokens.map(masked).join(", ")}`]),
    ...Object.entries(rest).map(([field, value]) => `${field} ${isSecret(field, value) ? masked(value) : value}`)
  ]
  return parts.length === 0 ? "no values" : parts.join("  ")
}

/** Shows the values of a credential verbatim. Each starts a new line and wraps as needed. */
const revealedRows = ({ credentials }: ChannelSettings, columns: number): ReadonlyArray<Row> =>
  Object.entries(credentials).flatMap(([field, value]) =>
    (Array.isArray(value) ? value : [value]).flatMap((one, index) =>
      wrap(safe(String(one)), columns - 18).map((line, part) =>
        row([span("   "), column(index + part === 0 ? field : "", 15, "dim"), unredactedSpan(line)], columns)
      )
    )
  )

const credentialRows = (
  state: State,
  screen: SubscriberScreen,
  columns: number,
  height: number
): ReadonlyArray<Row> => {
  const known = state.facts.subscribers.get(screen.subscriberId)
  if (known?.channels === undefined) {
    const key = keyFor(state, "add credentials")
    return [
      row([span("   not known yet: the API has no read for credentials.", "plain")], columns),
      row([span(`   The response to a change has them: ${key} opens the form.`, "dim")], columns)
    ]
  }
  const channels = channelsOf(state.facts, screen.subscriberId)
  if (channels.length === 0) return [row([span("   none, says the service", "plain")], columns)]
  const { at } = screen.cursor
  const top = Math.max(0, Math.min(at, channels.length - 1) - height + 1)
  const seen = { cursor: { at, top }, height, columns, sign: state.settings.glyphs.cursor, listed: false }
  return listRowsOf(channels, seen, (channel) => ({
    cells: [
      span("  "),
      column(channel.providerId, 18, "strong"),
      column(channel.integrationIdentifier ?? "-", 20, "dim"),
      span(valueText(channel))
    ],
    words: `${channel.providerId}: ${valueText(channel)}`
  }))
}

/** The rows that `v` shows for a while, instead of the events; `undefined` while they are hidden. */
const valueRows = (state: State, screen: SubscriberScreen, columns: number): ReadonlyArray<Row> | undefined => {
  const left = secondsLeft(screen, state.now)
  const channel = channelsOf(state.facts, screen.subscriberId)[screen.cursor.at]
  if (left === undefined || channel === undefined) return undefined
  const key = keyFor(state, "reveal credentials")
  const title = `VALUES OF ${channel.providerId} (shown for ${left} s more, ${key} hides them)`
  return [rule(columns, state.settings.glyphs.line, title), ...revealedRows(channel, columns)]
}

/** The events that fit; the one under the cursor, which is `at`, is among them. */
const eventRows = (
  state: State,
  events: ReadonlyArray<ActivityNotification>,
  at: number,
  before: number,
  { columns, height }: Area
): ReadonlyArray<Row> => {
  if (events.length === 0) {
    const key = keyFor(state, "all their events")
    return [row([span(`   none among the loaded events; ${key} asks the service`, "dim")], columns)]
  }
  const top = Math.max(0, at - height + 1)
  const shown = events.slice(top, top + height)
  return relatedRows(shown, state, columns, { name: workflowName, cursor: at - top }).map((line, index) =>
    asItem(line, before + top + index)
  )
}

/** The facts about a subscriber, each with its source and age. */
export const subscriberView = (
  state: State,
  screen: SubscriberScreen,
  { columns, height }: Area
): ReadonlyArray<Row> => {
  const known = state.facts.subscribers.get(screen.subscriberId)
  const { line } = state.settings.glyphs
  const count = known?.channels === undefined ? "" : ` ${known.channels.length}`
  const revealed = valueRows(state, screen, columns)
  const hidden =
    revealed !== undefined || (known?.channels ?? []).length === 0
      ? ""
      : ` (hidden, ${keyFor(state, "reveal credentials")} shows those under the cursor)`
  const credentials = credentialRows(state, screen, columns, subscriberHeight(height))
  const head = [
    ...profileRows(known, screen.subscriberId, state, columns),
    rule(columns, line, `CREDENTIALS${count}${hidden}`),
    ...(known?.channelsFrom === undefined || hasOneSource(known)
      ? []
      : [row([span(`   ${provenance(known.channelsFrom, state)}`, "dim")], columns)]),
    ...credentials
  ]
  if (revealed !== undefined)
    return [...head, ...clipped(revealed, { columns, height: height - head.length }, undefined)]
  const rest = height - head.length - 1
  const events = eventsOf(state.screens, screen.subscriberId)
  const list = listOf(state)
  const here = explainedEvent(state, screen)
  const room = list === undefined || here === undefined ? rest : listRows(rest, events.length)
  const channels = channelsOf(state.facts, screen.subscriberId).length
  return [
    ...head,
    rule(columns, line, `EVENTS OF THIS SUBSCRIBER, ${events.length} loaded`),
    ...eventRows(state, events, screen.cursor.at - channels, channels, { columns, height: room }),
    ...(list === undefined || here === undefined
      ? []
      : previewBelow({ event: here, screen: list, state }, { columns, height: rest - room }))
  ]
}
