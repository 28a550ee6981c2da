/**
 * The fakes of a program as one fake to the inspector: their changes as one stream, and their control API.
 */
import type { Fake } from "@signalbox/test-harness"
import { control } from "@signalbox/test-harness/internal/control/ControlApi"
import {
  type LiveBatch,
  type LiveEnvironment,
  type LiveView,
  liveView
} from "@signalbox/test-harness/internal/control/LiveView"
import type { ControlCall, InspectorMessage } from "./Protocol.ts"

/** Each fake numbers its environments from 1. */
const numbersPerFake = 1000

const intervalMs = 100

interface Followed {
  readonly view: LiveView
  environments: ReadonlyArray<LiveEnvironment>
  unmatched: LiveBatch["unmatched"]
}

const availability = {
  down: () => Promise.reject(new RangeError("no server listens in this page")),
  up: () => Promise.reject(new RangeError("no server listens in this page"))
}

const respond = async (fakes: ReadonlyArray<Fake>, { apiKey, body, id, method, path }: ControlCall) => {
  const fake = fakes.find((one) => one.environments().some((environment) => environment.apiKey === apiKey))
  if (fake === undefined) return { id, status: 404, body: { message: "The program has no such environment" } }
  const headers = new Headers({ authorization: `ApiKey ${apiKey}`, host: "localhost" })
  const [route = "", query = ""] = `/_fake/${path}`.split("?")
  const response = await control(
    { fake, availability },
    { host: "localhost", allowOrigin: undefined },
    {
      method,
      path: route,
      query,
      header: (name) => headers.get(name) ?? undefined,
      body: body === undefined ? "" : JSON.stringify(body)
    }
  )
  return { id, ...response }
}

const shifted = (environment: LiveEnvironment, by: number): LiveEnvironment => ({
  ...environment,
  number: environment.number + by
})

/** Sends the changes of the fakes to the inspector, and what the control API responds; returns a function that sends now. */
export const showIn = (inspector: MessagePort, fakes: ReadonlyArray<Fake>): (() => void) => {
  const followed = new Map<Fake, Followed>()
  const post = (message: InspectorMessage): void => inspector.postMessage(message, [])

  const send = (): void => {
    const entries: Array<LiveBatch["entries"][number]> = []
    let changed = false
    for (const [at, fake] of fakes.entries()) {
      const one = followed.get(fake) ?? { view: liveView(fake), environments: [], unmatched: undefined }
      followed.set(fake, one)
      const batch = one.view.next()
      if (batch === undefined) continue
      changed = true
      const shift = at * numbersPerFake
      entries.push(...batch.entries.map((entry) => ({ ...entry, environment: entry.environment + shift })))
      one.unmatched = batch.unmatched ?? one.unmatched
      one.environments = batch.environments?.map((environment) => shifted(environment, shift)) ?? one.environments
    }
    if (!changed) return
    const all = [...followed.values()]
    const unmatched = all.flatMap((one) => one.unmatched?.entries ?? [])
    post({
      _tag: "Batch",
      batch: {
        environments: all.flatMap((one) => one.environments),
        entries,
        unmatched: { count: unmatched.length, entries: unmatched }
      }
    })
  }

  const answer = async (call: ControlCall): Promise<void> => {
    post({ _tag: "Response", ...(await respond(fakes, call)) })
    send()
  }
  inspector.addEventListener("message", ({ data }: MessageEvent<ControlCall>) => void answer(data))
  inspector.start()
  setInterval(send, intervalMs)
  return send
}
