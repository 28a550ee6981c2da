import { type MessageFacts, type Facts, messagesOf } from "../../state/Facts.ts"
import type { Problem } from "@signalbox/operator/report/ProblemReport"
import { start } from "../Cursor.ts"
import type { Selection } from "../Selection.ts"
import type { MarkAs } from "../../state/Mark.ts"

/** The part of a mark that the service has applied: undo reverses it. */
export interface Mark {
  readonly number: number
  readonly ids: ReadonlyArray<string>
  readonly markAs: MarkAs
  /** The flags before the mark, where they were known. */
  readonly before: ReadonlyMap<string, { readonly read: boolean; readonly seen: boolean }>
}

/** The work list of messages of one subscriber. */
export interface MessagesScreen extends Selection {
  readonly _tag: "Messages"
  readonly id: number
  readonly subscriberId: string
  /** The last mark, until it is undone. */
  readonly last: Mark | undefined
  /** Ids on their way to the service. */
  readonly sending: ReadonlySet<string>
  readonly problem: Problem | undefined
  /** Messages that an undo did not restore, by id, and why. */
  readonly differs: ReadonlyMap<string, string>
}

/** An empty selection over what is known. */
export const make = (id: number, subscriberId: string): MessagesScreen => ({
  _tag: "Messages",
  id,
  subscriberId,
  cursor: start,
  selection: new Set(),
  anchor: undefined,
  last: undefined,
  sending: new Set(),
  problem: undefined,
  differs: new Map()
})

/** The messages that a mark applies to: the selected ones, else the one under the cursor. */
export const selected = (screen: MessagesScreen, facts: Facts): ReadonlyArray<MessageFacts> => {
  const all = messagesOf(facts, screen.subscriberId)
  const chosen = all.filter(({ id }) => screen.selection.has(id))
  return chosen.length > 0 ? chosen : all.slice(screen.cursor.at, screen.cursor.at + 1)
}

/** The value that takes a mark back. */
export const inverse: Readonly<Record<MarkAs, MarkAs>> = {
  read: "unread",
  unread: "read",
  seen: "unseen",
  unseen: "seen"
}

/** Ids in typed or pasted text, separated by anything that no id contains. */
export const idsIn = (text: string): ReadonlyArray<string> =>
  Array.from(new Set(text.split(/[\s,;"'[\]]+/u).filter((id) => id !== "")))

/** Whether the id looks like the database-style ids of the document: a hint, never a refusal. */
export const looksLikeId = (id: string): boolean => /^[0-9a-f]{24}$/iu.test(id)
