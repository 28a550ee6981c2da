import type { ActivityNotification } from "@signalbox/core/Records"
import { type Cursor, start } from "../Cursor.ts"
import { type Compared, compare } from "./Comparison.ts"

/** Two events side by side. */
export interface CompareScreen {
  readonly _tag: "Compare"
  readonly id: number
  readonly left: ActivityNotification
  readonly right: ActivityNotification
  readonly lines: ReadonlyArray<Compared>
  /** Whether facts that are equal are left out. */
  readonly differencesOnly: boolean
  readonly cursor: Cursor
}

/** The screen of two events, with the cursor on the first difference. */
export const make = (
  id: number,
  left: ActivityNotification,
  right: ActivityNotification,
  differencesOnly = false
): CompareScreen => {
  const all = compare(left, right)
  const lines = differencesOnly ? all.filter(({ differs }) => differs) : all
  const first = lines.findIndex(({ differs }) => differs)
  return {
    _tag: "Compare",
    id,
    left,
    right,
    lines,
    differencesOnly,
    cursor: first === -1 ? start : { at: first, top: 0 }
  }
}

/** The next difference after (or before) the cursor, wrapping around; `undefined` without differences. */
export const nextDifference = ({ cursor, lines }: CompareScreen, step: 1 | -1): number | undefined => {
  for (let distance = 1; distance <= lines.length; distance += 1) {
    const at = (cursor.at + step * distance + lines.length * distance) % lines.length
    if (lines[at]?.differs === true) return at
  }
  return undefined
}
