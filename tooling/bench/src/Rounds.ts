import { fork } from "node:child_process"
import type { Contestant, Sample } from "./Measure.ts"
import { lastResult, oneRound, prepare } from "./Measure.ts"

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

/** The same rounds with a word before each name, so that processes with equal contestants can be told apart. */
export const prefixed =
  (prefix: string, round: () => Promise<Readonly<Record<string, Sample>>>) =>
  async (): Promise<Readonly<Record<string, Sample>>> =>
    Object.fromEntries(Object.entries(await round()).map(([name, sample]) => [`${prefix} ${name}`, sample]))

/** The other side of {@link openRounds}: warms the contestants, then measures one round for each message. */
export const serveRounds = async (contestants: ReadonlyArray<Contestant>): Promise<void> => {
  const prepared = await prepare(contestants)
  process.on("disconnect", () => process.exit(lastResult() === process ? 1 : 0))
  process.on("message", () => {
    void oneRound(prepared).then((samples) => process.send?.({ samples } satisfies Answer))
  })
  process.send?.({ ready: true } satisfies Answer)
}
