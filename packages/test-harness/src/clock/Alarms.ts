/**
 * Callbacks scheduled for points in time, in order.
 */
import * as Agenda from "./Agenda.ts"

interface Alarm extends Agenda.Due {
  /** `undefined` once it was cancelled: the alarm stays in the queue until its time. */
  callback: (() => void) | undefined
}

export interface Alarms {
  /** Sets an alarm; returns a function that cancels it. Alarms for the same time run in the order in which they were set. */
  readonly set: (at: number, callback: () => void) => () => void
  /** Removes and returns the first alarm that is due by a time. */
  readonly take: (until: number) => { readonly at: number; readonly callback: () => void } | undefined
}

export const makeAlarms = (): Alarms => {
  let agenda: Agenda.Agenda<Alarm>
  let sequence = 0
  return {
    set: (at, callback) => {
      sequence += 1
      const alarm: Alarm = { at, sequence, callback }
      agenda = Agenda.add(agenda, alarm)
      return () => {
        alarm.callback = undefined
      }
    },
    take: (until) => {
      while (agenda !== undefined && agenda.first.at <= until) {
        const { at, callback } = agenda.first
        agenda = Agenda.rest(agenda)
        if (callback !== undefined) return { at, callback }
      }
      return undefined
    }
  }
}
