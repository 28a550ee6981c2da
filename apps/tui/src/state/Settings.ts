import type { ThemeName } from "@signalbox/operator/connections/NamedConnection"
import type { ListSettings } from "../screens/events/EventColumns.ts"
import type { Glyphs } from "../theme/Glyphs.ts"
import type { ColourDepth } from "../theme/Theme.ts"

/** Cells of the terminal. */
export interface Size {
  readonly columns: number
  readonly rows: number
}

/** The smallest terminal that the screens are made for. */
export const smallest: Size = { columns: 60, rows: 15 }

/** Whether the terminal is too small for the screens to be drawn. */
export const isTooSmall = ({ columns, rows }: Size): boolean => columns < smallest.columns || rows < smallest.rows

/** Up to this width, no screen shows blocks of text side by side: their lines can be read one after another. */
export const oneBlockColumns = 75

/** The first key of every action that has one, by the name of the action. */
export type Bindings = ReadonlyMap<string, string>

/** How the screens are drawn. */
export interface Settings {
  readonly theme: ThemeName
  readonly depth: ColourDepth
  readonly glyphs: Glyphs
  readonly screenReader: boolean
  /** The time zone of all times: `utc`, `local` or a name such as `Europe/Berlin`. */
  readonly timeZone: string
  readonly bindings: Bindings
  /** Whether the program that contains the terminal UI runs files. */
  readonly runsFiles?: boolean
  readonly list: ListSettings
  /** Whether personal data and secrets are masked, for a shared screen. */
  readonly masked: boolean
}
