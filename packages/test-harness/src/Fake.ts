import * as FetchHttpClient from "effect/http/FetchHttpClient"
import type * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import { makeDemoState } from "./demo/DemoData.ts"
import { type Environment as InternalEnvironment, makeEnvironment } from "./internal/Environment.ts"
import { refusalAnswer } from "./operations/Operations.ts"
import * as EnvironmentState from "./state/EnvironmentState.ts"
import * as Switches from "./switches/Switches.ts"
import { trigger, type TriggerInput } from "./trigger/Trigger.ts"

/** How an environment of a fake is made. */
export interface EnvironmentOptions {
  /** Same seed, same data. Default 1. */
  readonly seed?: number
  /** How the questions are answered that the API document leaves open. Default `"document"`, the most cautious reading. */
  readonly preset?: Switches.Preset
  /** What it holds at the start: a shop's notifications, or nothing. Default `"demo"`. */
  readonly data?: "demo" | "empty"
  /** Number of demo events. Default 80. */
  readonly events?: number
}

/** What one API key stands for: its own subscribers, messages and events. */
export interface Environment {
  /** The key that requests must carry. */
  readonly apiKey: string
  /** What the environment holds now. */
  readonly state: () => EnvironmentState.EnvironmentState
  /** Triggers a workflow; its jobs go on as time goes on. Gives the transaction of the new event. */
  readonly trigger: (input: TriggerInput) => { readonly id: string; readonly transactionId: string }
}

/** A stateful fake of the notification service, in memory; it is its own first environment. */
export interface Fake extends Environment {
  /** A base URL for clients that are given {@link Fake.fetch} or {@link Fake.layer}; nothing listens there. */
  readonly baseUrl: string
  /** Answers requests like the global `fetch`, from this fake. */
  readonly fetch: typeof globalThis.fetch
  /** Effect's HTTP client over this fake. */
  readonly layer: Layer.Layer<HttpClient.HttpClient>
  /** Makes another environment with a key and a state of its own. */
  readonly environment: (options?: EnvironmentOptions) => Environment
}

const initialState = ({ data = "demo", events = 80, seed = 1 }: EnvironmentOptions, now: number) => {
  if (data !== "demo" && data !== "empty") throw new RangeError(`data: must be demo or empty, not ${String(data)}`)
  return data === "demo" ? makeDemoState({ seed, now, events }) : EnvironmentState.empty(seed)
}

const switchesOf = (preset: string): Switches.Switches => {
  const switches = Switches.preset(preset)
  if (switches === undefined) throw new RangeError(`preset: must be one of ${Switches.presetNames}, not ${preset}`)
  return switches
}

const keyOf = (authorization: string | null): string | undefined => /^ApiKey (.+)$/u.exec(authorization ?? "")?.[1]

/**
 * Makes a fake.
 *
 * **When to use**: in tests of code that calls the service, and for demos. It needs no network and no clean-up.
 *
 * @example
 * ```ts
 * import { createFake } from "@signalbox/test-harness"
 *
 * const fake = createFake({ seed: 7 })
 * const response = await fake.fetch(`${fake.baseUrl}/v1/notifications?limit=1`, {
 *   headers: { authorization: `ApiKey ${fake.apiKey}` }
 * })
 * response.status // => 200
 * ```
 */
export const createFake = (options: EnvironmentOptions = {}): Fake => {
  const now = () => Date.now()
  const environments = new Map<string, InternalEnvironment>()

  const environment = (environmentOptions: EnvironmentOptions = {}): Environment => {
    const { preset = "document", seed = 1 } = environmentOptions
    const apiKey = `fake-key-${environments.size + 1}-${seed}`
    const made = makeEnvironment(initialState(environmentOptions, now()), switchesOf(preset), now)
    environments.set(apiKey, made)
    return {
      apiKey,
      state: made.state,
      trigger: (input) => {
        const { event } = made.modify((state) => trigger(state, now(), input))
        return { id: event.id, transactionId: event.transactionId }
      }
    }
  }

  const first = environment(options)
  const strangers = switchesOf(options.preset ?? "document")

  const answer = (request: Request, body: string) => {
    const authorization = request.headers.get("authorization")
    const found = environments.get(keyOf(authorization) ?? "")
    if (found !== undefined) {
      return found.handle({ method: request.method, url: new URL(request.url), headers: request.headers, body })
    }
    const isMissing = authorization === null
    return refusalAnswer(
      { switches: strangers, now: now(), path: new URL(request.url).pathname },
      {
        status: Number(strangers[isMissing ? "auth.missingKey" : "auth.wrongKey"]),
        message: isMissing ? "Missing authorization header" : "API Key not found"
      }
    )
  }

  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init)
    request.signal.throwIfAborted()
    const { body, headers, status } = answer(request, await request.text())
    if (body === undefined) return new Response(null, { status, headers: { ...headers } })
    return Response.json(body, { status, headers: { ...headers } })
  }

  return {
    ...first,
    baseUrl: "http://signalbox.test",
    fetch,
    layer: FetchHttpClient.layer.pipe(Layer.provide(Layer.succeed(FetchHttpClient.Fetch, fetch))),
    environment
  }
}
