import { isHttpUrl } from "@signalbox/core/Connection"
import * as Effect from "effect/Effect"
import { Unsuccessful, usage } from "../../failure/CommandError.ts"
import { exitCodes } from "../../failure/ExitCode.ts"

const pollMs = 100

const probe = async (url: string, signal: AbortSignal): Promise<void> => {
  const response = await fetch(url, { signal, redirect: "manual" })
  await response.body?.cancel()
}

/** Waits until a server responds at the URL, with whatever status. */
export const wait = Effect.fnUntraced(function* ({ timeout, url }: { readonly url: string; readonly timeout: number }) {
  if (!isHttpUrl(url)) {
    return yield* usage(`<url> is "${url}"; expected an http or https URL`)
  }
  yield* Effect.tryPromise((signal) => probe(url, signal)).pipe(
    Effect.tapError(() => Effect.sleep(pollMs)),
    Effect.eventually,
    Effect.timeoutOrElse({
      duration: timeout,
      orElse: () =>
        new Unsuccessful({
          exitCode: exitCodes.unavailable,
          message: `${url} did not respond within ${timeout / 1000} s`
        })
    })
  )
})
