import { type Attempt, isSignalboxError } from "@signalbox/core/Errors"
import { type CallInfo, CallObserver } from "@signalbox/core/CallInfo"
import { CallMetrics } from "@signalbox/core/CallMetrics"
import * as CallState from "@signalbox/core/CallState"
import * as Connection from "@signalbox/core/Connection"
import { defined } from "@signalbox/core/internal/errors/Defined"
import { MaxConcurrency, Warnings } from "@signalbox/core/Policies"
import type { AnyOperationName } from "@signalbox/core/Operations"
import { redactTextOf } from "@signalbox/core/Redaction"
import { Spans } from "@signalbox/core/internal/call/CallSpan"
import { Transport, type TransportShape } from "@signalbox/core/Transport"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Result from "effect/Result"
import * as Scope from "effect/Scope"
import { CallAborted } from "../CallAborted.ts"
import type { ClientBase } from "../ClientBase.ts"
import type { CallResult, FailedCall } from "../CallResult.ts"
import { ClientClosed } from "../ClientClosed.ts"
import { ClientOptionError } from "../ClientOptionError.ts"
import type { CallOptions, ClientOptions } from "../ClientOptions.ts"
import type { DisposableIterable } from "../EventList.ts"
import { onAbort } from "./Aborts.ts"
import { type CallSite, locate } from "./CallSite.ts"
import { closeScope, iterate, type Pull } from "./Iteration.ts"
import { linesOf } from "./Lines.ts"
import { identity } from "./Identity.ts"
import { checkCallOptions, checkDefaults } from "./OptionRules.ts"
import { metricsOf } from "./MeterAdapter.ts"
import type { Progress } from "./Progress.ts"
import { connectionOf, notify, optionsOf, policiesOf, withHeaders } from "./Settings.ts"
import { spansOf } from "./TracerAdapter.ts"

/** The requirements of services. */
export type Requirements = Transport | Connection.Connection | CallState.CallState

/** Observes the calls of one piece of work. */
type OwnObserver = Required<Pick<CallObserver, "onAttempt" | "onCall">>

/** One call, or several that are made as one. */
interface Work<A, E> {
  readonly operation: AnyOperationName
  readonly effect: Effect.Effect<A, E, Requirements>
  readonly callOptions: CallOptions | undefined
  /** Notified before any other observer. */
  readonly own?: OwnObserver
  /** The scope that interrupts it; the client's when absent. */
  readonly within?: Scope.Scope
}

type Outcome<A, E> =
  | { readonly ok: true; readonly value: A }
  | { readonly ok: false; readonly error: E | CallAborted | ClientClosed }

const connect = (options: ClientOptions): Connection.ConnectionShape => {
  const checked = Connection.check(connectionOf(options))
  if (Result.isSuccess(checked)) return checked.success
  const { rule, setting } = checked.failure
  throw new ClientOptionError(setting, rule)
}

/** The receivers of spans and metrics, and whether requests name their span. */
const telemetryOf = ({ meter, traceHeaders, tracer }: ClientOptions): Context.Context<never> => {
  let context: Context.Context<never> = Context.empty()
  if (tracer !== undefined) context = Context.add(context, Spans, spansOf(tracer, traceHeaders === true))
  return meter === undefined ? context : Context.add(context, CallMetrics, metricsOf(meter))
}

/** Makes the calls of a client. */
export type Runner = ReturnType<typeof makeRunner>

/** Sends the requests of a client. */
export interface Carrier {
  readonly transport: TransportShape
  /** Releases what the client does not share with others. */
  readonly close?: () => Promise<void>
}

/** State that a client shares with the clients derived from it. */
interface Shared extends Carrier {
  readonly state: CallState.CallStateShape
  readonly scope: Scope.Closeable
}

/** Runs effects of core as promises: the only place where the two meet. The options are checked. */
const makeRunner = (options: ClientOptions, { scope, state, transport }: Shared) => {
  const { debug, maxConcurrency } = options
  const write = debug === undefined ? undefined : (line: string) => notify(debug, redactTextOf(line, []), () => {})
  const lines = write && linesOf(write)
  const warn = (line: string) => lines?.warning(line)
  const requirements: Context.Context<Requirements> = Context.make(Transport, transport).pipe(
    Context.add(Connection.Connection, connect(options)),
    Context.add(CallState.CallState, state)
  )
  let surroundings = Context.merge(requirements, policiesOf(options, warn)).pipe(
    // A library does not write to the console.
    Context.add(Warnings, (line: string) => Effect.sync(() => warn(line))),
    Context.merge(telemetryOf(options))
  )
  if (maxConcurrency !== undefined) surroundings = Context.add(surroundings, MaxConcurrency, maxConcurrency)
  /**
   * Builds a service when it is first used, so that a program starts sooner. Its policies are those of each call, which
   * then has no others to merge with.
   */
  const build = <Service>(make: Effect.Effect<Service, never, Requirements>): (() => Service) => {
    let made: Service | undefined
    return () => {
      if (made !== undefined) return made
      // `Effect.runSync` would add its scheduler; services are built at once, and building them cannot fail.
      made = (Effect.runForkWith(requirements)(make).pollUnsafe() as Exit.Success<Service>).value
      return made
    }
  }

  /** The context of one call with its observers, `own` first. */
  const contextOf = (
    operation: AnyOperationName,
    callOptions: CallOptions | undefined,
    own: CallObserver & Pick<OwnObserver, "onAttempt">
  ): Context.Context<Requirements> => {
    checkCallOptions(callOptions)
    const effective = callOptions === undefined ? options : optionsOf(options, callOptions)
    const context = callOptions === undefined ? surroundings : Context.merge(surroundings, policiesOf(effective, warn))
    const { onAttempt } = effective
    // Without other observers no more facts are collected.
    if (onAttempt === undefined && lines === undefined) return Context.add(context, CallObserver, own)
    const report = (attempt: Attempt, idempotencyKey?: string) => {
      if (onAttempt !== undefined)
        notify(onAttempt, { ...attempt, operation, ...defined({ idempotencyKey }) }, (failure) =>
          warn(`onAttempt ${failure}`)
        )
      lines?.attempt(operation, attempt)
    }
    return Context.add(context, CallObserver, {
      ...own,
      onAttempt: (attempt, headers, rateLimit, key) => {
        own.onAttempt(attempt, headers, rateLimit, key)
        report(attempt, key)
      },
      onInterrupted: report,
      onCall: (call) => {
        own.onCall?.(call)
        lines?.success(call)
      }
    })
  }

  /** Why a call must stop now; `undefined` when it need not. */
  const endingOf = (
    operation: AnyOperationName,
    progress: Progress,
    signal: AbortSignal | undefined
  ): ClientClosed | CallAborted | undefined => {
    if (scope.state._tag === "Closed") return new ClientClosed(operation, progress)
    return signal?.aborted ? new CallAborted(operation, progress, signal.reason) : undefined
  }

  /** Resolves to the exit of the effect, or to `ClientClosed` or `CallAborted` as soon as one of them applies. */
  const start = <A, E>({
    callOptions,
    effect,
    operation,
    own,
    within = scope
  }: Work<A, E>): Promise<Exit.Exit<A, E | CallAborted | ClientClosed>> =>
    new Promise((resolve) => {
      const signal = callOptions?.signal
      let sent = false
      let doubts = 0
      const attempts: Array<Attempt> = []
      const end = () => {
        const ending = endingOf(operation, { sent, attempts, mayHaveBeenApplied: doubts > 0 }, signal)
        if (ending !== undefined) resolve(Exit.fail(ending))
        return ending
      }
      if (end() !== undefined) return
      const context = contextOf(operation, callOptions, {
        ...own,
        onAttempt: (...facts) => {
          attempts.push(facts[0])
          own?.onAttempt(...facts)
        },
        onMayBeApplied: (isInDoubt) => {
          sent = true
          doubts += isInDoubt ? 1 : -1
        }
      })
      const fiber = Fiber.runIn(Effect.runForkWith(context)(effect), within)
      const stop = () => {
        // The caller does not wait for the fiber to release its resources.
        end()
        fiber.interruptUnsafe()
      }
      const stopListening = signal && onAbort(signal, stop)
      // The transport has already started and may have aborted the signal itself.
      if (signal?.aborted) stop()
      fiber.addObserver((exit) => {
        stopListening?.()
        if (Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause)) end()
        resolve(exit)
      })
    })

  /** Returns the value of an exit or throws its error. */
  const valueOf = <A, E>(exit: Exit.Exit<A, E>, site: CallSite): A => {
    if (Exit.isSuccess(exit)) return exit.value
    const error = Cause.squash(exit.cause)
    lines?.failure(error)
    if (error instanceof CallAborted) throw error.cause
    // An error thrown by the caller's own input stays unchanged.
    if (exit.cause.reasons.some(Cause.isFailReason)) locate(error, site)
    throw error
  }

  /** Makes one call; rejects with its error. */
  const call = async <A, E>(
    operation: AnyOperationName,
    effect: Effect.Effect<A, E, Requirements>,
    callOptions: CallOptions | undefined,
    site: CallSite
  ): Promise<A> => valueOf(await start({ operation, effect, callOptions }), site)

  /** The outcome of work: its value, its error, `CallAborted` or `ClientClosed`. */
  const outcomeOf = async <A, E>(work: Work<A, E>, site: CallSite): Promise<Outcome<A, E>> => {
    const exit = await start(work)
    const failure = Exit.isFailure(exit) ? exit.cause.reasons.find(Cause.isFailReason) : undefined
    if (failure === undefined) return { ok: true, value: valueOf(exit, site) }
    locate(failure.error, site)
    lines?.failure(failure.error)
    return { ok: false, error: failure.error }
  }

  /** Makes one call and returns its outcome as a value. */
  const result = async <A, E>(
    operation: AnyOperationName,
    effect: Effect.Effect<A, E, Requirements>,
    callOptions: CallOptions | undefined,
    site: CallSite
  ): Promise<CallResult<A, E>> => {
    let info: CallInfo | undefined
    let answered: Pick<FailedCall, "headers" | "rateLimit"> = {}
    const attempts: Array<Attempt> = []
    const own: OwnObserver = {
      onAttempt: (attempt, headers, rateLimit) => {
        attempts.push(attempt)
        answered = defined({ headers, rateLimit })
      },
      onCall: (ended) => {
        info = ended
      }
    }
    const outcome = await outcomeOf({ operation, effect, callOptions, own }, site)
    // The pipeline reports the info of every call that succeeds.
    if (outcome.ok) return { ...outcome, call: info as CallInfo }
    const { error } = outcome
    const { idempotencyKey, requestId, status } = isSignalboxError(error) ? error : ({} as Partial<FailedCall>)
    const facts = defined({ idempotencyKey, requestId, status })
    return { ok: false, error, call: { operation, attempts, ...answered, ...facts } }
  }

  /** An iteration over the elements that core pulls. */
  const iteration = <A, E>(
    operation: AnyOperationName,
    begin: Effect.Effect<Pull<A, E, Requirements>, E, Scope.Scope | Requirements>,
    callOptions: CallOptions | undefined,
    site: CallSite
  ): DisposableIterable<A> =>
    iterate({
      begin,
      scope,
      signal: callOptions?.signal,
      run: (effect, within) => start({ operation, effect, callOptions, within }),
      valueOf: (exit) => valueOf(exit, site),
      check: () => {
        const ending = endingOf(operation, { sent: true, mayHaveBeenApplied: false, attempts: [] }, callOptions?.signal)
        if (ending !== undefined) valueOf(Exit.fail(ending), site)
      }
    })

  return { build, call, result, outcomeOf, iteration, options, scope }
}

/** A client: its own members, and those of every client. */
const clientWith = <Members extends object>(
  membersOf: (runner: Runner) => Members,
  options: ClientOptions,
  shared: Shared
): Members & ClientBase => {
  const close = async (): Promise<void> => {
    await closeScope(shared.scope)
    await shared.close?.()
  }
  return {
    ...membersOf(makeRunner(options, shared)),
    with: (defaults) => {
      checkDefaults(defaults)
      return clientWith(membersOf, optionsOf(options, defaults), shared)
    },
    get rateLimit() {
      return shared.state.lastSnapshot
    },
    close,
    [Symbol.asyncDispose]: close
  }
}

/** Makes a client; its options are checked. */
export const makeClient = <Members extends object>(
  membersOf: (runner: Runner) => Members,
  { identify, ...options }: ClientOptions,
  carrier: Carrier
): Members & ClientBase => {
  const headers = identify === false ? options.headers : withHeaders(identity(), options.headers)
  const shared = { ...carrier, state: CallState.make(), scope: Scope.makeUnsafe() }
  return clientWith(membersOf, { ...options, headers }, shared)
}
