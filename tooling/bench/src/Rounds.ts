import { fork } from "node:child_process"
import type { Contestant, Rounds, Sample } from "./Measure.ts"
import { collect, lastResult, oneRound, prepare } from "./Measure.ts"

/** Rounds measured in a separate process. */
interface RoundProcess {
  readonly round: () => Promise<Readonly<Record<string, Sample>>>
  readonly close: () => void
}

type Answer = { readonly ready: true } | { readonly samples: Readonly<Record<string, Sample>> }

/** Starts a script of `processes/` that calls {@link serveRounds}; resolves when its contestants are warm. */
const openRounds = async (script: URL, words: ReadonlyArray<string>): Promise<RoundProcess> => {
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

/**
 * Rounds of a script in processes that have one contestant each, named by the words, and take turns. A contestant has the
 * heap and the compiled code that a program would have that uses nothing else.
 *
 * All processes are started several times: a process keeps the schedule of garbage collections that it found while it
 * became warm, and two processes of the same contestant can differ by a quarter.
 */
export const collectApart = async (
  { processes, rounds }: { readonly processes: number; readonly rounds: number },
  script: URL,
  contestants: ReadonlyArray<ReadonlyArray<string>>
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
  contestants: ReadonlyArray<ReadonlyArray<string>>
): Promise<Rounds> => {
  const open: Array<RoundProcess> = []
  try {
    const sources: Array<() => Promise<Readonly<Record<string, Sample>>>> = []
    for (const words of contestants) {
      const rounds = await openRounds(script, words)
      open.push(rounds)
      sources.push(rounds.round)
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
