import { outlet } from "@signalbox/operator/outlet/Outlet"

/** A turn of the wheel, or a click on a cell; both counted from 0. */
export interface MouseInput {
  readonly button: "up" | "down" | "click"
  readonly row: number
  readonly column: number
}

/** Turns the reports of the mouse on: presses and the wheel, with positions of any size. */
export const mouseOn = outlet("own").text("\u001B[?1000h\u001B[?1006h")

/** Turns them off. */
export const mouseOff = outlet("own").text("\u001B[?1006l\u001B[?1000l")

// oxlint-disable-next-line no-control-regex -- a report: button, column and row; M where the button is pressed
const report = /\u001B\[<(\d{1,4});(\d{1,4});(\d{1,4})([Mm])/gu

// oxlint-disable-next-line no-control-regex -- the start of a report whose rest has not arrived
const start = /\u001B(?:\[(?:<[\d;]{0,14})?)?$/u

/** The buttons that do something, by their number in a report. */
const buttons: ReadonlyMap<string, MouseInput["button"]> = new Map([
  ["0", "click"],
  ["64", "up"],
  ["65", "down"]
])

/** Finds the reports of the mouse in the input of the terminal, which may arrive in pieces; Ink ignores them. */
export const makeMouseReader = (point: (input: MouseInput) => void): ((input: string) => void) => {
  let begun = ""
  return (input) => {
    const text = begun + input
    for (const [, number = "", column, row, end] of text.matchAll(report)) {
      const button = end === "M" ? buttons.get(number) : undefined
      if (button !== undefined) point({ button, row: Number(row) - 1, column: Number(column) - 1 })
    }
    begun = start.exec(text)?.[0] ?? ""
  }
}
