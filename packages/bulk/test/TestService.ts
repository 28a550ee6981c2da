/**
 * The fake as the service of a run, and a folder for its files.
 */
import * as CallState from "@signalbox/core/CallState"
import * as Client from "@signalbox/core/Client"
import * as Connection from "@signalbox/core/Connection"
import * as FetchTransport from "@signalbox/core/FetchTransport"
import * as RetryPolicy from "@signalbox/core/RetryPolicy"
import { createFake, type Environment, type EnvironmentOptions, type JournalEntry } from "@signalbox/test-harness"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const makeFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "bulk-test-"))
  // Each test has its own index of runs: tests import the same content again and again.
  const state = `${folder}-state`
  mkdirSync(state)
  chmodSync(state, 0o777)
  process.env["XDG_STATE_HOME"] = state
  return folder
}

/** A folder that is removed when the scope closes. */
export const tempFolder = Effect.acquireRelease(Effect.sync(makeFolder), (folder) =>
  Effect.sync(() => {
    for (const path of [folder, `${folder}-state`]) rmSync(path, { recursive: true, force: true })
  })
)

/** Subscribers and integrations need not exist before they are used. */
export const openSwitches = {
  "credentials.unknownSubscriber": "create",
  "credentials.missingIntegration": "store"
} as const

/** A service that honours idempotency keys, and says so. */
export const honoursKeys = { "idempotency.sameBody": "replay" } as const

/** A fake, and the services of a client of it that waits little before it retries. */
export const makeService = (options: EnvironmentOptions = {}) => {
  const fake = createFake()
  const { switches, ...others } = options
  const environment = fake.environment({ data: "empty", ...others, switches: { ...openSwitches, ...switches } })
  return { environment, fetch: fake.fetch, layer: clientLayer(environment.apiKey, fake.fetch) }
}

/** The services of a client that waits little before it retries. */
export const clientLayer = (apiKey: string, fetch?: typeof globalThis.fetch, baseUrl = "http://service.test") =>
  Layer.fresh(Client.layerNoDeps).pipe(
    Layer.provide(FetchTransport.layer(fetch)),
    Layer.provide(Layer.orDie(Connection.layer({ apiKey, baseUrl }))),
    Layer.provide(CallState.layer),
    Layer.provide(RetryPolicy.layer(RetryPolicy.make({ baseDelay: 1, maxDelay: 2 })))
  )

/** An import of `count` lines, each with its own device token for its own subscriber. */
export const tokenLines = (count: number): string =>
  Array.from(
    { length: count },
    (_, at) =>
      `${JSON.stringify({
        subscriberId: `user-${at + 1}`,
        providerId: "fcm",
        credentials: { deviceTokens: [`token-of-${at + 1}`] }
      })}\n`
  ).join("")

/** Writes a file and returns its path. */
export const write = (folder: string, name: string, content: string | Buffer): string => {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

/** The device tokens of every subscriber that has any. */
export const tokensBySubscriber = (environment: Environment): ReadonlyMap<string, ReadonlyArray<string>> =>
  new Map(
    environment
      .state()
      .subscribers.map(({ channels, subscriberId }) => [
        subscriberId,
        channels.flatMap(({ credentials }) => credentials.deviceTokens ?? [])
      ])
  )

/** The writes that the service received. A run that continues also reads, to verify its environment. */
export const writesTo = (environment: Environment): ReadonlyArray<JournalEntry> =>
  environment.journal.entries().filter(({ method }) => method !== "GET")

/** The lines of a file. */
export const linesOf = (path: string): ReadonlyArray<string> => readFileSync(path, "utf8").trimEnd().split("\n")

/** A promise that a test resolves. */
export const makeGate = (): { readonly open: () => void; readonly opened: Promise<void> } => {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open, opened }
}
