/**
 * The work of a run that takes real time: turns of the event loop, work that the platform does in threads, and timers and
 * sockets that are not virtual. Only Node reports it; elsewhere a run has none.
 */
import type * as AsyncHooks from "node:async_hooks"

/** A run waits on a timer or a socket whose time is real. */
export class WaitsOnRealTime extends Error {
  override readonly name = "WaitsOnRealTime"
}

export interface RealWork {
  /** Runs a function whose work is recorded. */
  readonly record: <Value>(run: () => Value) => Value
  /** Whether callbacks wait for the next turn of the event loop. */
  readonly hasTurns: () => boolean
  /** Whether threads of the platform work for the run: on a digest, a file, a name. Virtual time waits for them. */
  readonly hasThreads: () => boolean
  /** A timer, socket or process that the run waits on, and the line that started it. */
  readonly waitsOn: () => WaitsOnRealTime | undefined
  /** The timer of a run that waits on nothing else: one that keeps no process running, as that of `AbortSignal.timeout`. */
  readonly lastWaitsOn: () => WaitsOnRealTime | undefined
  readonly stop: () => void
}

const kindOf = (type: string): "turn" | "thread" | "timer" | "socket" | undefined => {
  if (type === "Immediate") return "turn"
  if (type === "Timeout") return "timer"
  if (/^(?:(?:TCP|PIPE)(?:SERVER)?WRAP|UDPWRAP|PROCESSWRAP|WORKER)$/u.test(type)) return "socket"
  return /^(?:FS|FILEHANDLECLOSE|GETADDRINFO|GETNAMEINFO)REQ|^QUERYWRAP$|^(?!HTTP).*REQUEST$/u.test(type)
    ? "thread"
    : undefined
}

const names: Readonly<Record<string, string>> = { PROCESSWRAP: "process", WORKER: "worker", UDPWRAP: "UDP socket" }

interface Resource {
  readonly type: string
  readonly kind: ReturnType<typeof kindOf>
  readonly object: {
    readonly hasRef?: () => boolean
    readonly fd?: number
    readonly _idleTimeout?: number
    readonly ondone?: unknown
  }
  readonly stack: string
}

/** Whether no hook reports the end of something: of a job of `node:crypto` without a callback, which was done at once. */
const hasNoEnd = ({ object, type }: Resource): boolean => type.endsWith("REQUEST") && object.ondone === undefined

/** Whether a run does not end before it: the pipes of the standard streams open with the first line that is printed. */
const isWaitedOn = ({ kind, object }: Resource): boolean =>
  (kind === "timer" || kind === "socket") && object.hasRef?.() !== false && (object.fd ?? 3) > 2

/** The line that started something: the first after the hook that is not of the platform; nothing after a look-up. */
const lineOf = ({ stack }: Resource): string => {
  const own = stack.split("\n").find((line, at) => at > 1 && !/\b(?:node|ext):/u.test(line))
  return own === undefined ? "" : `, started at ${own.replace(/^\s+at /u, "")}`
}

const messageOf = (resource: Resource): string => {
  const { object, type } = resource
  const what = type === "Timeout" ? `timer of ${object._idleTimeout} ms` : (names[type] ?? "socket")
  const advice =
    type === "Timeout"
      ? "; a function that was saved before time became virtual stays real: call the global one, such as `setTimeout`"
      : "; use the `fetch` of the fake"
  return `the code under test waits on a real ${what}${lineOf(resource)}${advice}`
}

const none: RealWork = {
  record: (run) => run(),
  hasTurns: () => false,
  hasThreads: () => false,
  waitsOn: () => undefined,
  lastWaitsOn: () => undefined,
  stop: () => {}
}

export const recordRealWork = (hooks: typeof AsyncHooks | undefined): RealWork => {
  if (hooks === undefined) return none
  const resources = new Map<number, Resource>()
  const inRun: AsyncHooks.AsyncLocalStorage<true> = new hooks.AsyncLocalStorage()
  const remove = (id: number): void => void resources.delete(id)
  const hook = hooks.createHook({
    // Without this, each promise would call the hook.
    trackPromises: false,
    init: (id, type, _trigger, object) => {
      const kind = kindOf(type)
      if (kind === undefined || inRun.getStore() === undefined) return
      const stack = kind === "timer" || kind === "socket" ? (new Error().stack ?? "") : ""
      resources.set(id, { type, kind, object, stack })
    },
    after: (id) => {
      const kind = resources.get(id)?.kind
      if (kind === "thread" || kind === "turn") remove(id)
    },
    destroy: remove
  })
  hook.enable()
  const has = (wanted: Resource["kind"]): boolean => {
    for (const [id, resource] of resources) {
      if (hasNoEnd(resource)) remove(id)
      else if (resource.kind === wanted) return true
    }
    return false
  }
  const found = (isWanted: (resource: Resource) => boolean): WaitsOnRealTime | undefined => {
    const resource = [...resources.values()].find(isWanted)
    return resource && new WaitsOnRealTime(messageOf(resource))
  }
  return {
    record: (run) => inRun.run(true, run),
    hasTurns: () => has("turn"),
    hasThreads: () => has("thread"),
    waitsOn: () => found(isWaitedOn),
    lastWaitsOn: () => found((resource) => resource.kind === "timer" && lineOf(resource) !== ""),
    stop: () => {
      hook.disable()
      // Until Node 24, each asynchronous resource takes every storage that is still enabled: one for each run would add up.
      inRun.disable()
    }
  }
}
