/**
 * The fake as a `fetch` function.
 */
import type { FakeClock } from "../clock/FakeClock.ts"
import type { Delivery } from "../request/Delivery.ts"
import type { FakeRequest } from "../request/FakeRequest.ts"
import type { Exchange, Step } from "../request/Step.ts"

/** A request that was let in, with the clock of its environment. */
export interface Admitted {
  readonly exchange: Exchange
  readonly clock: FakeClock
}

const next = (step: Exclude<Step, { readonly _tag: "Deliver" }>, clock: FakeClock): Promise<Step> =>
  new Promise((resolve) => {
    if (step._tag === "Sleep") {
      clock.schedule(step.millis, () => resolve(step.next()))
      return
    }
    const stop = step.subscribe(() => {
      stop()
      resolve(step.next())
    })
  })

const run = async ({ clock, exchange }: Admitted): Promise<Delivery> => {
  let step = exchange.first
  while (step._tag !== "Deliver") step = await next(step, clock)
  return step.delivery
}

const fakeRequest = (request: Request, body: string): FakeRequest => {
  const { pathname, search } = new URL(request.url)
  return {
    surface: "fetch",
    method: request.method,
    path: pathname,
    query: search.slice(1),
    header: (name) => request.headers.get(name) ?? undefined,
    headers: () => request.headers.entries(),
    body
  }
}

/** Makes a `fetch` whose requests are let in by the given function. */
export const makeFetch =
  (admit: (request: FakeRequest) => Admitted): typeof globalThis.fetch =>
  async (input, init) => {
    const request = new Request(input, init)
    request.signal.throwIfAborted()
    const admitted = admit(fakeRequest(request, await request.text()))
    const delivery = await run(admitted)
    admitted.exchange.answered()
    if (delivery._tag === "Nothing") throw new TypeError("fetch failed")
    const { body, headers, status } = delivery.answer
    return new Response(body ?? null, { status, headers })
  }
