import { fork } from "node:child_process"
import type { Contestant, Rounds, Sample } from "./Measure.ts"
import { collect, lastResult, oneRound, prepare } from "./Measure.ts"

/** Rounds measured in a process of their own, for what must be set up before anything else (the JIT) or alone. */
export interface RoundProcess {
  readonly round: () => Promise<Readonly<Record<string, Sample>>>
  readonly close: () => void
}

type Answer = { readonly ready: true } | { readonly samples: Readonly<Record<string, Sample>> }

/** Starts a script of `processes/` that calls {@link serveRounds}; resolves when its contestants are warm. */
export const openRounds = async (script: URL, words: ReadonlyArray<string>): Promise<RoundProcess> => {
  const child = fork(script, [...words], {
    stdio: ["ignore", "inherit", "inherit", "ipc"]
  })
  const answer = () =>
    new Promise<Answer>((resolve, reject) => {
      const stopped = (code: number | null) =>
        reject(new Error(`${script.pathname} ${words.join(" ")} ended early with ${code}`))
      child.once("exit", stopped)
      child.once("message", (message) => {
        child.off("exit", stopped)
        // The channel carries only what `serveRounds` below sends.
        resolve(message as Answer)
      })
    })
  await answer()
  return {
    round: async () => {
      const received = answer()
      child.send("round")
      const message = await received
      return "samples" in message ? message.samples : {}
    },
    close: () => child.disconnect()
  }
}

const prefixed =
  (prefix: string, { round }: RoundProcess) =>
  async (): Promise<Readonly<Record<string, Sample>>> =>
    Object.fromEntries(Object.entries(await round()).map(([name, sample]) => [`${prefix} ${name}`, sample]))

/**
 * Rounds of a script in two processes that take turns, one without Effect's JIT and one with it; contestants are called
 * `plain …` and `jit …`.
 */
export const collectWithAndWithoutJit = async (
  count: number,
  script: URL,
  words: ReadonlyArray<string> = []
): Promise<Rounds> => {
  const plain = await openRounds(script, words)
  const jit = await openRounds(script, [...words, "--jit"])
  try {
    return await collect(count, [prefixed("plain", plain), prefixed("jit", jit)])
  } finally {
    plain.close()
    jit.close()
  }
}

/** A contestant that runs in a separate process; the words name it. */
interface ApartContestant {
  readonly prefix: string
  readonly words: ReadonlyArray<string>
}

/**
 * Rounds of a script in processes that have one contestant each and take turns. A contestant has the heap and the
 * compiled code that a program would have that uses nothing else.
 *
 * All processes are started several times: a process keeps the schedule of garbage collections that it found while it
 * became warm, and two processes of the same contestant can differ by a quarter.
 */
export const collectApart = async (
  { processes, rounds }: { readonly processes: number; readonly rounds: number },
  script: URL,
  contestants: ReadonlyArray<ApartContestant>
): Promise<Rounds> => {
  const all = new Map<string, ReadonlyArray<Sample>>()
  for (let started = 0; started < processes; started++) {
    for (const [name, samples] of await collectOnce(rounds, script, contestants)) {
      all.set(name, (all.get(name) ?? []).concat(samples))
    }
  }
  return all
}

const collectOnce = async (
  count: number,
  script: URL,
  contestants: ReadonlyArray<ApartContestant>
): Promise<Rounds> => {
  const open: Array<RoundProcess> = []
  try {
    const sources: Array<() => Promise<Readonly<Record<string, Sample>>>> = []
    for (const { prefix, words } of contestants) {
      const rounds = await openRounds(script, words)
      open.push(rounds)
      sources.push(prefixed(prefix, rounds))
    }
    return await collect(count, sources)
  } finally {
    for (const { close } of open) close()
  }
}

/** The other side of {@link openRounds}: warms the contestants, then measures one round for each message. */
export const serveRounds = async (
  contestants: ReadonlyArray<Contestant>,
  sizes?: Parameters<typeof prepare>[1]
): Promise<void> => {
  const prepared = await prepare(contestants, sizes)
  process.on("disconnect", () => process.exit(lastResult() === process ? 1 : 0))
  process.on("message", () => {
    void oneRound(prepared).then((samples) => process.send?.({ samples } satisfies Answer))
  })
  process.send?.({ ready: true } satisfies Answer)
}
