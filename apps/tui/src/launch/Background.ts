/**
 * Whether the terminal is light or dark: it is asked for its background (OSC 11), else `COLORFGBG` decides, else it counts as
 * dark.
 */
import type { ThemeName } from "@signalbox/operator/connections/NamedConnection"
import { type Outgoing, outlet } from "@signalbox/operator/outlet/Outlet"
import type { Clock } from "../runtime/Clock.ts"

type Ground = Extract<ThemeName, "dark" | "light">

const query = "\u001B]11;?\u0007"

const response =
  // oxlint-disable-next-line no-control-regex -- the start and the end of a response
  /\u001B\]11;rgba?:([\da-f]{1,4})\/([\da-f]{1,4})\/([\da-f]{1,4})(?:\/[\da-f]{1,4})?(?:\u0007|\u001B\\)/iu

/** A terminal that answers does so within a few milliseconds; over a slow line, the first frame must not wait. */
const timeoutMs = 100

/** How people see the colours: a lightness above this is a light background. */
const middle = 0.5

const part = (hex = "0"): number => Number.parseInt(hex, 16) / (16 ** hex.length - 1)

/** The theme for a terminal's response; absent if the text has no response. */
export const groundIn = (text: string): Ground | undefined => {
  const [whole, red, green, blue] = response.exec(text) ?? []
  if (whole === undefined) return undefined
  return 0.299 * part(red) + 0.587 * part(green) + 0.114 * part(blue) > middle ? "light" : "dark"
}

/** The keys typed around a terminal's response. */
export const typedIn = (text: string): string => text.replace(response, "")

/** The theme for `COLORFGBG`, such as `0;15`: the last number is the background, one of the 16 colours. */
export const groundFrom = ({ COLORFGBG = "" }: Readonly<Record<string, string | undefined>>): Ground | undefined => {
  const colour = /;(\d{1,2})$/u.exec(COLORFGBG)?.[1]
  if (colour === undefined) return undefined
  return Number(colour) === 7 || Number(colour) > 8 ? "light" : "dark"
}

/** The keyboard of the terminal. */
export type Keyboard = Pick<NodeJS.ReadStream, "off" | "on" | "pause" | "setRawMode" | "unshift">

/**
 * Asks the terminal for its background, and returns how to wait for the response; absent if none comes in time. Keys that are
 * typed meanwhile stay in the input.
 */
export const askGround = (
  keyboard: Keyboard,
  write: (text: Outgoing) => void,
  after: Clock["after"]
): (() => Promise<Ground | undefined>) => {
  // Otherwise the terminal would echo its response.
  keyboard.setRawMode(true)
  write(outlet("own").text(query))
  return () =>
    new Promise((resolve) => {
      let received = ""
      const read = (chunk: Buffer | string) => {
        received += chunk.toString()
        if (groundIn(received) !== undefined) finish()
      }
      const finish = () => {
        cancel()
        keyboard.off("data", read)
        keyboard.pause()
        const typed = typedIn(received)
        if (typed !== "") keyboard.unshift(typed)
        resolve(groundIn(received))
      }
      const cancel = after(timeoutMs, finish)
      keyboard.on("data", read)
    })
}
