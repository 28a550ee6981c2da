/**
 * Workers that share a run in a storage in memory, over connections that break, on machines that are suspended, killed
 * and whose clocks are set.
 */
import { makeInputKeys } from "@signalbox/bulk/cluster"
import { ChunkStore, type ChunkStoreShape } from "@signalbox/bulk/internal/cluster/ChunkStore"
import { ChunkWorker } from "@signalbox/bulk/internal/cluster/ChunkWorker"
import { ChunkSize, DatabaseRuns } from "@signalbox/bulk/internal/cluster/DatabaseRuns"
import { FleetLimit } from "@signalbox/bulk/internal/cluster/FleetLimit"
import { Disk, type Files } from "@signalbox/bulk/Disk"
import type { LineRunOptions, ReportLine, RunError, RunStatus } from "@signalbox/bulk"
import * as CallState from "@signalbox/core/CallState"
import * as Client from "@signalbox/core/Client"
import * as Connection from "@signalbox/core/Connection"
import * as FetchTransport from "@signalbox/core/FetchTransport"
import type { Fake } from "@signalbox/test-harness"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Redacted from "effect/Redacted"
import { ConnectionError, SqlError } from "effect/sql/SqlError"
import * as Stream from "effect/Stream"
import type { BulkScenario, Mistake, Trouble } from "./BulkScenario.ts"
import { memoryChunks } from "../../../../packages/bulk/test/cluster/MemoryChunks.ts"

/** How a process ended. */
export type End = "finished" | "killed" | RunError

/** The end of a process. */
export interface Life {
  readonly at: number
  readonly end: End
  readonly apiKey: string
}

/** A scenario with workers, and its service. */
export interface WorkersWorld {
  readonly scenario: BulkScenario
  readonly fake: Fake
  /** The key of another environment. */
  readonly other: string
  readonly disk: Files
  readonly writeInput: (isChanged: boolean) => Promise<void>
  readonly options: LineRunOptions
  readonly onRequest: (init: RequestInit | undefined) => void
  /** The storage, as the workers see it. */
  readonly storeOf: (store: ChunkStoreShape) => ChunkStoreShape
}

/** How a run with workers ended. */
export interface WorkersResult {
  readonly lives: ReadonlyArray<Life>
  readonly report: ReadonlyArray<ReportLine> | undefined
  readonly status: RunStatus | undefined
  /** Everything in the storage. */
  readonly stored: string
}

const lostConnection = new SqlError({ reason: new ConnectionError({ cause: new Error("connection lost") }) })

/** The machine of a worker: its clock, its connection to the storage, and whether it lives. */
class Machine {
  readonly #troubles: ReadonlyArray<Trouble>
  #operations = 0
  #offlineUntil = -Infinity
  #suspendedUntil = -Infinity
  #suspendedMs = 0
  #wallStepMs = 0
  isDead = false
  isSpared = false
  onDeath: () => void = () => {}

  constructor(troubles: ReadonlyArray<Trouble>) {
    this.#troubles = troubles
  }

  /** Notes an operation, and starts the trouble that is due with it. */
  start(): Trouble | undefined {
    this.#operations++
    const due = this.#troubles.find(({ after }) => after === this.#operations)
    const ms = (due?.seconds ?? 0) * 1000
    if (due?.what === "offline") this.#offlineUntil = Date.now() + ms
    if (due?.what === "clock") this.#wallStepMs += due.isAfter ? ms * 60 : -ms * 60
    if (due?.what === "suspended") {
      const until = Date.now() + ms
      this.#suspendedMs += Math.max(0, until - Math.max(Date.now(), this.#suspendedUntil))
      this.#suspendedUntil = Math.max(until, this.#suspendedUntil)
    }
    return due
  }

  /** Ends the process, unless the run is over. */
  die(): void {
    if (this.isDead || this.isSpared) return
    this.isDead = true
    this.onDeath()
  }

  get waitMs(): number {
    return this.#suspendedUntil - Date.now()
  }

  get isOffline(): boolean {
    return Date.now() < this.#offlineUntil
  }

  /** Waits until the machine runs; for ever on a dead one. */
  readonly awake: Effect.Effect<void> = Effect.suspend(() => {
    if (this.isDead) return Effect.never
    const { waitMs } = this
    return waitMs <= 0 ? Effect.void : Effect.delay(this.awake, waitMs)
  })

  clock(real: Clock.Clock): Clock.Clock {
    const currentTimeMillisUnsafe = () => real.currentTimeMillisUnsafe() + this.#wallStepMs
    // A suspended machine does not count the time.
    const monotonicTimeNanosUnsafe = () => {
      const left = Math.max(0, this.waitMs)
      return real.monotonicTimeNanosUnsafe() - BigInt(this.#suspendedMs - left) * 1_000_000n
    }
    return Object.assign(Object.create(real), {
      currentTimeMillisUnsafe,
      currentTimeMillis: Effect.sync(currentTimeMillisUnsafe),
      monotonicTimeNanosUnsafe,
      monotonicTimeNanos: Effect.sync(monotonicTimeNanosUnsafe)
    })
  }

  /** An operation of the storage over the connection of the machine. */
  use<A, E>(operation: Effect.Effect<A, E>): Effect.Effect<A, E | SqlError> {
    return Effect.suspend(() => {
      const due = this.start()
      const dies = due?.what === "killed"
      const fails = due?.what === "lost"
      const act = Effect.suspend((): Effect.Effect<A, E | SqlError> => {
        if (dies && !due.isAfter) this.die()
        if (this.isDead) return Effect.never
        if (this.isOffline || (fails && !due.isAfter)) return Effect.fail(lostConnection)
        return fails ? Effect.andThen(operation, Effect.fail(lostConnection)) : operation
      })
      return this.awake.pipe(
        Effect.andThen(act),
        Effect.tap(() => {
          if (dies) this.die()
          return this.awake
        })
      )
    })
  }

  /** The storage over the connection of the machine. */
  connect(store: ChunkStoreShape): ChunkStoreShape {
    return {
      ...store,
      claimEnvironment: (id) => this.use(store.claimEnvironment(id)),
      serviceLimit: this.use(store.serviceLimit),
      setServiceLimit: (limit) => this.use(store.setServiceLimit(limit)),
      takeTurn: (forMs) => this.use(store.takeTurn(forMs)),
      hold: (forMs) => this.use(store.hold(forMs)),
      take: (leaseMs) => this.use(store.take(leaseMs)),
      extend: (taken, leaseMs) => this.use(store.extend(taken, leaseMs)),
      claim: (...given) => this.use(store.claim(...given)),
      record: (taken, attempt) => this.use(store.record(taken, attempt))
    }
  }

  /** Requests of the machine. */
  fetch({ fake, onRequest }: WorkersWorld): typeof globalThis.fetch {
    const awake = () => Effect.runPromise(this.awake)
    return async (url, init) => {
      const due = this.start()
      await awake()
      if (due?.what === "killed" && !due.isAfter) this.die()
      await awake()
      onRequest(init)
      const response = fake.fetch(url, init)
      if (due?.what === "killed") this.die()
      const received = await response
      await awake()
      return received
    }
  }
}

/** Whether a process ended because the run belongs to another environment than its key. */
export const isOfOtherEnvironment = (end: End): boolean =>
  typeof end !== "string" && /leads to environment|another API key/u.test(end.message)

const unknownKey = "unknown"

/** The key of a process whose operator makes a mistake. */
export const keyWith = (mistake: Mistake, usual: string, other: string): string =>
  mistake === "environment" ? other : mistake === "key" ? unknownKey : usual

/** The client of a process. */
export const clientOver = (fetch: typeof globalThis.fetch, apiKey: string, baseUrl: string) =>
  Layer.fresh(Client.layerNoDeps).pipe(
    Layer.provide(FetchTransport.layer(fetch)),
    Layer.provide(Layer.orDie(Connection.layer({ apiKey, baseUrl }))),
    Layer.provide(CallState.layer)
  )

const workers = 2

/** Faults of the service end after this time. */
const faultsMs = 300_000

/** Longer than a run with any trouble takes. */
const longestMs = 5_400_000

/** Runs workers until the run has ended. */
export const runWorkers = async (world: WorkersWorld): Promise<WorkersResult> => {
  const { disk, fake, options, other, scenario } = world
  const store = memoryChunks()
  const lives: Array<Life> = []
  const runs = await DatabaseRuns.pipe(
    Effect.provide(
      DatabaseRuns.layer(makeInputKeys()).pipe(
        Layer.provide(Layer.succeed(ChunkStore, store)),
        Layer.provide(Layer.succeed(ChunkSize, 3))
      )
    ),
    Effect.runPromise
  )
  const inDisk = <A, E>(effect: Effect.Effect<A, E>) => Effect.runPromise(Effect.provideService(effect, Disk, disk))
  const living = new Map<Machine, { readonly apiKey: string; readonly fiber: Fiber.Fiber<unknown, unknown> }>()
  let isOver = false

  const startWorker = (troubles: ReadonlyArray<Trouble>, apiKey: string): void => {
    const machine = new Machine(troubles)
    const note = (end: End) => {
      living.delete(machine)
      lives.push({ at: Date.now(), end, apiKey })
      const isWrong = isOfOtherEnvironment(end) || apiKey === unknownKey
      const next = !isWrong ? apiKey : apiKey === fake.apiKey ? other : fake.apiKey
      setTimeout(() => isOver || startWorker([], next), 1000)
    }
    machine.onDeath = () => note("killed")
    const limit = Layer.effect(
      FleetLimit,
      Effect.map(FleetLimit, (gate) => ({
        ...gate,
        through: <A>(call: Effect.Effect<A>) => gate.through(Effect.andThen(machine.awake, call))
      }))
    ).pipe(Layer.provide(FleetLimit.layer))
    const worker = ChunkWorker.layer({ apiKey: Redacted.make(apiKey) }).pipe(
      Layer.provide(limit),
      Layer.provide(Layer.succeed(ChunkStore, world.storeOf(machine.connect(store)))),
      Layer.provide(clientOver(machine.fetch(world), apiKey, fake.baseUrl))
    )
    const program = Effect.flatMap(Clock.Clock, (clock) =>
      ChunkWorker.use(({ failed }) => failed).pipe(
        Effect.provide(worker),
        Effect.provideService(Clock.Clock, machine.clock(clock)),
        Effect.provideService(Disk, disk),
        Effect.provide(Logger.layer([]))
      )
    )
    const fiber = Effect.runFork(program)
    living.set(machine, { apiKey, fiber })
    fiber.addObserver((exit) => {
      if (machine.isDead || isOver || Exit.isSuccess(exit)) return
      const [reason] = exit.cause.reasons
      if (reason?._tag === "Fail") note(reason.error)
    })
  }

  for (let number = 0; number < workers; number++) {
    const { mistakes, troubles } = scenario
    startWorker(
      troubles.filter(({ worker }) => worker === number),
      keyWith(mistakes[number] ?? "none", fake.apiKey, other)
    )
  }
  const start = Date.now()
  const { id } = await inDisk(runs.start(scenario.work === "marks" ? "mark" : "import", options))
  if (scenario.mistakes.includes("input")) {
    await world.writeInput(true)
    setTimeout(() => world.writeInput(false), 60_000)
  }
  const ended = async (pass: number): Promise<RunStatus | undefined> => {
    while (Date.now() - start < longestMs) {
      if (Date.now() - start > faultsMs) fake.faults.clear()
      const status = await inDisk(runs.status(id))
      if (status.state === "finished" && status.pass === pass) return status
      await new Promise((resolve) => setTimeout(resolve, 5000))
    }
    return undefined
  }
  let status = await ended(1)
  if (status !== undefined && scenario.retriesFailed) {
    await inDisk(runs.retryFailed(id))
    status = await ended(2)
  }
  isOver = true
  for (const machine of living.keys()) machine.isSpared = true
  const last = [...living.values()]
  await Effect.runPromise(Fiber.interruptAll(last.map(({ fiber }) => fiber)))
  // Until each process that was killed waits for its storage.
  await new Promise((resolve) => setTimeout(resolve, 600_000))
  // A worker of another environment that was offline until the end has not learned of its mistake.
  const others = last.filter(({ apiKey }) => apiKey !== fake.apiKey)
  for (const { apiKey } of [fake, ...others]) lives.push({ at: Date.now(), end: "finished", apiKey })
  const report = status === undefined ? undefined : await inDisk(Stream.runCollect(runs.report(id)))
  return { lives, report, status, stored: JSON.stringify([await inDisk(runs.list), report]) }
}
