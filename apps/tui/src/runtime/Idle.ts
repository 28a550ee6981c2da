import { type Outgoing, outlet } from "@signalbox/operator/outlet/Outlet"

/** Reports to a test that nothing is going on: no task, no frame to draw, no key on its way. */
export interface IdleReport {
  /** Something happened; the report waits until nothing has for a moment. */
  readonly stir: () => void
  /** Bytes of input arrived. */
  readonly received: (bytes: number) => void
}

/**
 * How often a timer must find that nothing happened since the one before it. On a busy machine a single timer can expire
 * before a frame that is due; but each timer here is started after the one before it, so that the timers of frames and of
 * the Escape key, which were started earlier, expire first.
 */
const quietTurns = 3

/** As long as a frame of Ink; together, longer than the 20 ms that Ink waits after an Escape for the rest of a sequence. */
const turnMs = 17

/** The number of the OSC sequence that carries the report; terminals ignore numbers they do not know. */
const sequence = 7747

/**
 * Writes `OSC 7747 ; idle ; BYTES ; SIZE ST` to the terminal when idle, BYTES being the input read so far and SIZE the
 * columns and rows that are drawn. A test that has written as many bytes knows that all of them have had their effect,
 * and one that has resized the terminal that its new size is drawn, without sleeping.
 */
export const makeIdleReport = (write: (text: Outgoing) => void, isBusy: () => boolean): IdleReport => {
  let bytes = 0
  let timer: NodeJS.Timeout | undefined
  const wait = (turns: number) => {
    timer = setTimeout(() => {
      if (isBusy()) wait(quietTurns)
      else if (turns > 1) wait(turns - 1)
      else
        write(
          outlet("own").text(
            `\u001B]${sequence};idle;${bytes};${process.stdout.columns}x${process.stdout.rows}\u001B\\`
          )
        )
    }, turnMs)
  }
  const stir = () => {
    clearTimeout(timer)
    wait(quietTurns)
  }
  return {
    stir,
    received: (count) => {
      bytes += count
      stir()
    }
  }
}
