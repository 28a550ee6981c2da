/**
 * The console of a program: each call becomes a line of the output.
 */
import { formatted, inspect, table } from "./Inspect.ts"
import type { LineKind } from "./Protocol.ts"

/** Makes a console whose lines go to `write`. */
export const makeConsole = (write: (kind: LineKind, text: string) => void) => {
  const counts = new Map<string, number>()
  const timers = new Map<string, number>()
  let depth = 0
  const line =
    (kind: LineKind) =>
    (...values: ReadonlyArray<unknown>): void => {
      const indent = "  ".repeat(depth)
      write(kind, indent + formatted(values).replaceAll("\n", `\n${indent}`))
    }
  const log = line("log")
  const elapsed = (label: string): string => `${label}: ${Math.round(performance.now() - (timers.get(label) ?? 0))} ms`
  const group = (...values: ReadonlyArray<unknown>): void => {
    if (values.length > 0) log(...values)
    depth += 1
  }
  return {
    log,
    info: log,
    debug: log,
    dir: (value: unknown) => log(inspect(value)),
    warn: line("warn"),
    error: line("error"),
    trace: log,
    table: (rows: unknown) => log(table(rows)),
    assert: (holds: unknown, ...values: ReadonlyArray<unknown>) => {
      if (!holds) line("error")("Assertion failed", ...values)
    },
    count: (label = "default") => {
      counts.set(label, (counts.get(label) ?? 0) + 1)
      log(`${label}: ${counts.get(label)}`)
    },
    time: (label = "default") => void timers.set(label, performance.now()),
    timeLog: (label = "default") => log(elapsed(label)),
    timeEnd: (label = "default") => {
      log(elapsed(label))
      timers.delete(label)
    },
    group,
    groupCollapsed: group,
    groupEnd: () => {
      depth = Math.max(0, depth - 1)
    }
  }
}
