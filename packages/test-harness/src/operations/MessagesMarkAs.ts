import { messageMarks, messagesMarkAsPayload } from "@signalbox/core/Operations"
import { type EnvironmentState, messageOf, putMessage, subscriberOf } from "../state/EnvironmentState.ts"
import * as Random from "../random/Random.ts"
import type { MessageRecord } from "../state/Records.ts"
import type { Switches } from "../switches/Switches.ts"
import { settle } from "../trigger/Settle.ts"
import {
  isObjectId,
  missing,
  type Operate,
  type OperationContext,
  type OperationResult,
  type Problem,
  problemOf,
  refuse,
  rejectProblems,
  type Rejection,
  unknownFields
} from "./OperationResponse.ts"
import { messageWire } from "./MessageWire.ts"
import { isJsonObject } from "@signalbox/core/internal/reading/JsonObject"

type Mark = (typeof messageMarks)[number]

const isMark = (value: unknown): value is Mark => messageMarks.some((mark) => mark === value)

const objectIdRule = "messageId must be a valid MongoDB ObjectId or an array of valid MongoDB ObjectIds"

type Effect = "set" | "kept" | "cleared"

const flag = (effect: Effect, current: boolean): boolean => (effect === "kept" ? current : effect === "set")

const date = (effect: Effect, current: number | undefined, now: number): number | undefined =>
  effect === "kept" ? current : effect === "set" ? now : undefined

const effects = (
  switches: Switches,
  mark: Mark
): { readonly read: Effect; readonly seen: Effect; readonly readDate: Effect; readonly seenDate: Effect } => {
  switch (mark) {
    case "read":
      return {
        read: "set",
        seen: switches["mark.read.seen"],
        readDate: switches["mark.read.lastReadDate"],
        seenDate: switches["mark.read.lastSeenDate"]
      }
    case "unread":
      return {
        read: "cleared",
        seen: switches["mark.unread.seen"],
        readDate: switches["mark.unread.lastReadDate"],
        seenDate: switches["mark.unread.lastSeenDate"]
      }
    case "seen":
      return { read: "kept", seen: "set", readDate: "kept", seenDate: switches["mark.seen.lastSeenDate"] }
    case "unseen":
      return {
        read: switches["mark.unseen.read"],
        seen: "cleared",
        readDate: "kept",
        seenDate: switches["mark.unseen.lastSeenDate"]
      }
  }
}

const marked = (switches: Switches, now: number, mark: Mark, message: MessageRecord): MessageRecord => {
  const effect = effects(switches, mark)
  const read = flag(effect.read, message.read)
  const seen = flag(effect.seen, message.seen)
  if (switches["mark.repeated"] === "dates-kept" && read === message.read && seen === message.seen) return message
  const { lastReadDate: oldRead, lastSeenDate: oldSeen, ...others } = message
  const lastReadDate = date(effect.readDate, oldRead, now)
  const lastSeenDate = date(effect.seenDate, oldSeen, now)
  return {
    ...others,
    read,
    seen,
    ...(lastReadDate === undefined ? {} : { lastReadDate }),
    ...(lastSeenDate === undefined ? {} : { lastSeenDate })
  }
}

const inOrder = (switches: Switches, messages: ReadonlyArray<MessageRecord>): ReadonlyArray<MessageRecord> => {
  switch (switches["mark.order"]) {
    case "request":
      return messages
    case "created":
      return messages.toSorted((one, other) => one.createdAt - other.createdAt || one.sequence - other.sequence)
    case "shuffled":
      return messages.toSorted((one, other) => Random.hash(one.id) - Random.hash(other.id))
  }
}

/** The ids and the mark of a valid request. */
interface Input {
  readonly ids: ReadonlyArray<string>
  readonly markAs: Mark
}

const idProblem = (switches: Switches, messageId: unknown, ids: ReadonlyArray<unknown>): Problem | undefined => {
  const bad = (status: string, ...messages: ReadonlyArray<string>) => problemOf(status, "messageId", ...messages)
  if (!ids.every((id) => typeof id === "string")) {
    return bad(switches["mark.badMarkAs"], ...missing("messageId", messageId), objectIdRule)
  }
  const { "mark.badMessageId": onBad, "mark.idLimit": limit, "mark.noMessageId": onNone } = switches
  if (ids.length === 0 && onNone !== "empty") return bad(onNone, objectIdRule)
  if (onBad !== "ignored" && !ids.every(isObjectId)) return bad(onBad, objectIdRule)
  if (limit === "100" && ids.length > 100) return bad("400", "messageId must have at most 100 elements")
  return undefined
}

const read = (switches: Switches, payload: unknown): Input | Rejection => {
  const body = isJsonObject(payload) ? payload : {}
  const { messageId, markAs } = body
  const ids: ReadonlyArray<unknown> = Array.isArray(messageId) ? messageId : [messageId]
  const wrongIds = idProblem(switches, messageId, ids)
  const problems = wrongIds === undefined ? [] : [wrongIds]
  if (!isMark(markAs)) {
    const rule = `markAs must be one of the following values: ${messageMarks.join(", ")}`
    problems.push(problemOf(switches["mark.badMarkAs"], "markAs", ...missing("markAs", markAs), rule))
  }
  problems.push(...unknownFields(switches, body, messagesMarkAsPayload))
  if (problems.length > 0 || !isMark(markAs)) return rejectProblems(switches, problems)
  // Other ids are a problem, found above.
  return { ids: ids as ReadonlyArray<string>, markAs }
}

/** `POST /v1/subscribers/{subscriberId}/messages/mark-as` */
export const markMessagesAs = (
  before: EnvironmentState,
  context: OperationContext,
  subscriberId: string,
  payload: unknown
): OperationResult => {
  const { switches, now } = context
  const state = settle(before, now)
  const input = read(switches, payload)
  if ("status" in input) return refuse(state, context, input)
  const { ids: several, markAs } = input
  const response = (changed: EnvironmentState, messages: ReadonlyArray<MessageRecord>): OperationResult => {
    const list = inOrder(switches, messages).map((message) => messageWire(changed, switches, message))
    return {
      state: changed,
      changesNothing: changed === state,
      response: { status: 201, body: switches.envelope === "data" ? { data: list } : list }
    }
  }
  if (subscriberOf(state, subscriberId) === undefined) {
    const unknown = switches["mark.unknownSubscriber"]
    return unknown === "empty"
      ? response(state, [])
      : refuse(state, context, { status: Number(unknown), message: `Subscriber ${subscriberId} not found` })
  }
  const ids = switches["mark.duplicates"] === "collapsed" && several.length > 1 ? [...new Set(several)] : several
  const found: Array<MessageRecord> = []
  for (const id of ids) {
    const message = messageOf(state, id)
    const known =
      message !== undefined &&
      message.subscriberId === subscriberId &&
      (switches["mark.channels"] === "any" || message.channel === "in_app")
    if (known) found.push(message)
    else if (switches["mark.unknownIds"] !== "ignored") {
      return refuse(state, context, { status: Number(switches["mark.unknownIds"]), message: `Message ${id} not found` })
    }
  }
  let changed = state
  const messages: Array<MessageRecord> = []
  for (const message of found) {
    const next = marked(switches, now, markAs, message)
    const same = next.read === message.read && next.seen === message.seen
    changed = putMessage(changed, next)
    if (!same || switches["mark.unchanged"] === "returned") messages.push(next)
  }
  return response(changed, messages)
}

export const operate: Operate = (state, context, { body, parameters }) =>
  markMessagesAs(state, context, parameters["subscriberId"] ?? "", body)
