/**
 * The processes that the terminal treats as one job with this one.
 */
import { execFileSync } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"

type Row = readonly [pid: number, group: number]

const fromProc = (): ReadonlyArray<Row> =>
  readdirSync("/proc").flatMap((name): ReadonlyArray<Row> => {
    if (!/^\d+$/u.test(name)) return []
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "utf8")
      // The name of the program stands in parentheses and can contain anything.
      const [, , group] = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
      return [[Number(name), Number(group)]]
    } catch {
      // It ended in the meantime.
      return []
    }
  })

const fromPs = (): ReadonlyArray<Row> =>
  execFileSync("ps", ["-A", "-o", "pid=,pgid="], { encoding: "utf8", stdio: "pipe" })
    .trim()
    .split("\n")
    .map((line): Row => {
      const [pid, group] = line.trim().split(/\s+/u)
      return [Number(pid), Number(group)]
    })

/** The ids of all processes in the group of this one; none where the platform cannot tell. */
export const processGroup = (): ReadonlyArray<number> => {
  try {
    const rows = process.platform === "linux" ? fromProc() : fromPs()
    const own = rows.find(([pid]) => pid === process.pid)?.[1]
    return rows.flatMap(([pid, group]) => (group === own ? [pid] : []))
  } catch {
    return []
  }
}
