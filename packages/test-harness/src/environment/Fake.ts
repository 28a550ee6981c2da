import { realClock } from "../clock/FakeClock.ts"
import { makeKeys } from "./ApiKey.ts"
import { addRoute, type Environment, type MadeEnvironment, makeEnvironment } from "./Environment.ts"
import type { EnvironmentOptions } from "./EnvironmentOptions.ts"
import { makeUnmatchedRequests } from "../journal/UnmatchedRequests.ts"
import type { DeclaredRoute } from "../request/DeclaredRoute.ts"
import type { FakeRequest } from "../wire/FakeRequest.ts"
import { receive } from "../request/Pipeline.ts"
import { bodyLimit } from "../request/RequestBody.ts"
import { deliver } from "../request/Step.ts"
import { apiKeyOf, rejectUnmatched } from "../request/UnmatchedKey.ts"
import { type EntryPoint, registerEntryPoint, type Serves } from "../surfaces/EntryPoint.ts"
import { makeFetch } from "../surfaces/FetchSurface.ts"
import type { Admit, Admitted } from "../surfaces/Follow.ts"

/** The options of a fake: those of its first environment, and its key. */
export interface FakeOptions extends EnvironmentOptions {
  /**
   * The key of the first environment, for a fake that other machines reach: environments that are created later then have
   * random keys. Default: keys that are the same in every run, such as `fake-key-1-1`.
   */
  readonly apiKey?: string
}

/** A stateful in-memory fake of the notification service; it is its own first environment. */
export interface Fake extends Environment {
  /** A base URL for clients that use {@link Fake.fetch} or the layer of `./effect`; no server listens there. */
  readonly baseUrl: string
  /** A `fetch` function that sends requests to this fake. */
  readonly fetch: typeof globalThis.fetch
  /** Creates another environment, with its own key and state. */
  readonly environment: (options?: EnvironmentOptions) => Environment
  /**
   * Deletes an environment that {@link Fake.environment} created: its key is unknown from then on. Its requests in flight
   * end without a response.
   *
   * @throws RangeError for a key that belongs to none of them.
   */
  readonly deleteEnvironment: (apiKey: string) => void
  /** The environments, in order of creation; the first is the fake itself. */
  readonly environments: () => ReadonlyArray<Environment>
}

/**
 * Makes a fake.
 *
 * **When to use**: in tests of code that calls the service, and for demos. It needs no network and no cleanup.
 *
 * @throws RangeError for an unknown option or an invalid value.
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
export const createFake = ({ apiKey: givenKey, ...options }: FakeOptions = {}): Fake => {
  const keyOf = makeKeys(givenKey)
  const environments = new Map<string, MadeEnvironment>()
  /** The environments again; the last one was created last, or had a switch of keys set last. */
  const deciding = new Set<MadeEnvironment>()
  let created = 0
  /** How many environments were created with each seed. */
  const createdWith = new Map<number, number>()
  const unmatchedRequests = makeUnmatchedRequests()
  const sharedRoutes = new Map<string, DeclaredRoute>()
  const servers = new Set<string>()

  const make = (environmentOptions: EnvironmentOptions): MadeEnvironment => {
    created += 1
    const made: MadeEnvironment = makeEnvironment(environmentOptions, {
      number: created,
      keyOf,
      neighbours: function* () {
        for (const other of environments.values()) if (other !== made) yield other.neighbour
      },
      switchesOfKeysSet: () => {
        // A deleted environment decides nothing.
        if (deciding.delete(made)) deciding.add(made)
      },
      namesakes: (seed) => createdWith.get(seed) ?? 0,
      unmatchedRequests,
      sharedRoutes,
      servers
    })
    createdWith.set(made.seed, (createdWith.get(made.seed) ?? 0) + 1)
    environments.set(made.shown.apiKey, made)
    deciding.add(made)
    return made
  }

  const first = make(options)
  const find = (authorization: string | undefined) => environments.get(apiKeyOf(authorization) ?? "")

  /** The environment of an entry point whose switches decide about a key that belongs to none. */
  const decisive = (serves: Serves): MadeEnvironment =>
    [...deciding].findLast(({ shown }) => serves(shown.apiKey)) ?? first

  const admitUnmatched = (request: FakeRequest, serves: Serves): Admitted => {
    const { response, unmatched } = rejectUnmatched(decisive(serves).core, request)
    unmatchedRequests.add(unmatched)
    return {
      clock: realClock,
      exchange: { first: deliver({ _tag: "Whole", response }), answered: () => {}, abandoned: () => {} }
    }
  }

  const admitFor =
    (serves: Serves): Admit =>
    (request, callersClock) => {
      const found = find(request.header("authorization"))
      if (found === undefined) return admitUnmatched(request, serves)
      if (callersClock !== undefined) found.adopt(callersClock)
      return { clock: found.clock(), exchange: receive(found.core, request) }
    }
  const entryPoint = (serves: Serves): EntryPoint => ({
    admit: admitFor(serves),
    bodyLimit: (authorization) => bodyLimit((find(authorization) ?? decisive(serves)).core.switches),
    servers,
    of: entryPoint
  })
  const whole = entryPoint(() => true)

  const fake: Fake = {
    ...first.shown,
    route: addRoute(sharedRoutes),
    baseUrl: "http://signalbox.test",
    fetch: makeFetch(whole.admit),
    environment: (environmentOptions = {}) => make(environmentOptions).shown,
    deleteEnvironment: (apiKey) => {
      const made = environments.get(apiKey)
      if (made === undefined || made === first) {
        throw new RangeError(
          "deleteEnvironment: the key must be of an environment that was created, not of the first one"
        )
      }
      environments.delete(apiKey)
      deciding.delete(made)
      made.core.resets.notify()
    },
    environments: () => [...environments.values()].map((made) => (made === first ? fake : made.shown))
  }
  registerEntryPoint(fake, whole)
  return fake
}
