import { graphemes as graphemesOf } from "@signalbox/operator/text/Graphemes"
import type { Key } from "./Key.ts"

/** A one-line text under edit: its graphemes and the cursor, an index between 0 and their number. */
export interface TextField {
  readonly graphemes: ReadonlyArray<string>
  readonly cursor: number
}

/** A field that holds `text`, the cursor at its end. */
export const make = (text = ""): TextField => {
  const graphemes = graphemesOf(text)
  return { graphemes, cursor: graphemes.length }
}

/** The content of the field. */
export const text = (field: TextField): string => field.graphemes.join("")

/** Inserts at the cursor. The text around is split again, since a combining mark joins what stands before it. */
export const insert = (field: TextField, inserted: string): TextField => {
  const before = field.graphemes.slice(0, field.cursor).join("") + inserted
  const after = field.graphemes.slice(field.cursor).join("")
  return { graphemes: graphemesOf(before + after), cursor: graphemesOf(before).length }
}

const isSpace = (grapheme: string | undefined) => grapheme !== undefined && /^\s/u.test(grapheme)

const wordStart = ({ graphemes, cursor }: TextField): number => {
  let at = cursor
  while (at > 0 && isSpace(graphemes[at - 1])) at -= 1
  while (at > 0 && !isSpace(graphemes[at - 1])) at -= 1
  return at
}

const cut = (field: TextField, from: number, to: number): TextField => ({
  graphemes: [...field.graphemes.slice(0, from), ...field.graphemes.slice(to)],
  cursor: from
})

const at = (field: TextField, cursor: number): TextField => ({
  graphemes: field.graphemes,
  cursor: Math.max(0, Math.min(field.graphemes.length, cursor))
})

const edits: Readonly<Record<string, (field: TextField) => TextField>> = {
  left: (field) => at(field, field.cursor - 1),
  right: (field) => at(field, field.cursor + 1),
  home: (field) => at(field, 0),
  end: (field) => at(field, field.graphemes.length),
  "ctrl-a": (field) => at(field, 0),
  "ctrl-e": (field) => at(field, field.graphemes.length),
  "ctrl-b": (field) => at(field, field.cursor - 1),
  "ctrl-f": (field) => at(field, field.cursor + 1),
  backspace: (field) => (field.cursor === 0 ? field : cut(field, field.cursor - 1, field.cursor)),
  delete: (field) => cut(field, field.cursor, field.cursor + 1),
  "ctrl-k": (field) => cut(field, field.cursor, field.graphemes.length),
  "ctrl-u": (field) => cut(field, 0, field.cursor),
  "ctrl-w": (field) => cut(field, wordStart(field), field.cursor)
}

/** Whether a key types into a field or edits it. */
export const typesOrEdits = (name: string): boolean => name in edits || name === "space" || name.length === 1

/** The field after the key, or `undefined` when the key is not one for editing. */
export const edit = (field: TextField, key: Key): TextField | undefined => {
  const change = edits[key.name]
  if (change !== undefined) return change(field)
  return key.text === undefined ? undefined : insert(field, key.text)
}
