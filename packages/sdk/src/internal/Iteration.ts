import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import type { DisposableIterable } from "../EventList.ts"

/** A pull of core: several elements at a time; `undefined` at the end. */
export type Pull<A, E, R> = Effect.Effect<ReadonlyArray<A> | undefined, E, R>

/** The source of an iteration. */
interface Iterated<A, E, R, Ended> {
  /** Starts a walk, which may prefetch while its scope is open. */
  readonly begin: Effect.Effect<Pull<A, E, R>, E, Scope.Scope | R>
  /** The parent scope of walks. */
  readonly scope: Scope.Scope
  /** Runs a pull, which its scope can interrupt. */
  readonly run: (pull: Pull<A, E, R>, scope: Scope.Scope) => Promise<Ended>
  /** Returns what was pulled or throws its error. */
  readonly valueOf: (ended: Ended) => ReadonlyArray<A> | undefined
  /** Throws when the iteration must stop. */
  readonly check: () => void
  /** Aborts the iteration, also between two pulls, while the next page is fetched. */
  readonly signal: AbortSignal | undefined
}

/** Closes a scope; `Effect.runPromise` would add code for failures and signals, which this has not. */
export const closeScope = (scope: Scope.Closeable): Promise<void> =>
  new Promise((resolve) => {
    Effect.runForkWith(Context.empty())(Scope.close(scope, Exit.void)).addObserver(() => resolve())
  })

/** An iteration over what is pulled. The end, every failure and breaking out of the loop interrupt what is in progress. */
export const iterate = <A, E, R, Ended>({
  begin,
  check,
  run,
  scope,
  signal,
  valueOf
}: Iterated<A, E, R, Ended>): DisposableIterable<A> => ({
  [Symbol.asyncIterator]() {
    let own: Scope.Closeable | undefined
    let isLeft = false
    const release = async () => {
      if (own !== undefined) await closeScope(own)
    }
    async function* elements() {
      own = Scope.forkUnsafe(scope)
      let stopListening: (() => void) | undefined
      let pull: Pull<A, E, R> = Effect.flatMap(
        Effect.provideService(begin, Scope.Scope, own),
        (started) => (pull = started)
      )
      try {
        while (true) {
          const ended = await run(pull, own)
          if (isLeft) return
          const pulled = valueOf(ended)
          if (pulled === undefined) return
          // Only now: the first pull checks the options, the signal among them.
          signal?.addEventListener("abort", release)
          stopListening = () => signal?.removeEventListener("abort", release)
          for (const element of pulled) {
            check()
            yield element
          }
        }
      } finally {
        stopListening?.()
        await release()
      }
    }
    const iterator = elements()
    const leave = async () => {
      isLeft = true
      await release()
      return iterator.return()
    }
    return {
      next: () => iterator.next(),
      return: leave,
      [Symbol.asyncIterator]() {
        return this
      },
      [Symbol.asyncDispose]: async () => {
        await leave()
      }
    }
  }
})
