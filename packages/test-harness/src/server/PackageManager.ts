/**
 * The package manager that started this process. A signal to `npx` does not always reach the program that it runs, which
 * then would keep running without a parent.
 */
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"

interface ProcessInfo {
  readonly parent: number
  readonly words: ReadonlyArray<string>
}

const fromProc = (pid: number): ProcessInfo | undefined => {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
  // The name of the program stands in parentheses and can contain anything.
  const [state, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
  if (state === "Z") return undefined
  return { parent: Number(parent), words: readFileSync(`/proc/${pid}/cmdline`, "utf8").split(/[\0 ]/u) }
}

const fromPs = (pid: number): ProcessInfo | undefined => {
  const line = execFileSync("ps", ["-o", "ppid=,args=", "-p", String(pid)], { encoding: "utf8", stdio: "pipe" })
  const [parent, ...words] = line.trim().split(/\s+/u)
  return { parent: Number(parent), words }
}

/** A running process; `undefined` if the process does not run, or where the platform cannot tell. */
const processInfo = (pid: number): ProcessInfo | undefined => {
  try {
    return process.platform === "linux" ? fromProc(pid) : fromPs(pid)
  } catch {
    return undefined
  }
}

const manager = /(?:^|[/\\])(?:npm|npx|pnpm|pnpx|yarn|bun|bunx)(?:-cli)?(?:\.[cm]?js)?$/u

const maxDepth = 20

const managerAbove = (): number | undefined => {
  let pid = process.ppid
  for (let depth = 0; depth < maxDepth && pid > 1; depth += 1) {
    const info = processInfo(pid)
    if (info === undefined) return undefined
    if (info.words.slice(0, 2).some((word) => manager.test(word))) return pid
    pid = info.parent
  }
  return undefined
}

const pollMs = 250

const isRunning = (pid: number): boolean => {
  if (process.platform === "linux") return processInfo(pid) !== undefined
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/**
 * Calls back when the package manager that started this process exits: `npx`, `npm`, `pnpm`, `yarn` or `bun`. Never
 * calls back in a process that was started without one. Does not keep the process running.
 */
export const whenPackageManagerEnds = (ended: () => void): void => {
  if (process.env["npm_config_user_agent"] === undefined && process.env["npm_execpath"] === undefined) return
  const pid = managerAbove()
  if (pid === undefined) return
  const timer = setInterval(() => {
    if (isRunning(pid)) return
    clearInterval(timer)
    ended()
  }, pollMs)
  timer.unref()
}
