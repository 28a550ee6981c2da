import { type CallInfo, CallObserver } from "@signalbox/core/CallInfo"
import * as CallState from "@signalbox/core/CallState"
import * as Connection from "@signalbox/core/Connection"
import * as FetchTransport from "@signalbox/core/FetchTransport"
import type { OperationName } from "@signalbox/core/Operation"
import { redactTextOf } from "@signalbox/core/Redaction"
import { isSignalboxError } from "@signalbox/core/SignalboxError"
import { type AnswerHeaders, Transport } from "@signalbox/core/Transport"
import { Warnings } from "@signalbox/core/Warnings"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import * as Tracer from "effect/Tracer"
import { CallAborted } from "../CallAborted.ts"
import type { CallResult, FailedCall } from "../CallResult.ts"
import { ClientClosed } from "../ClientClosed.ts"
import { ClientOptionError } from "../ClientOptionError.ts"
import type { CallOptions, ClientOptions } from "../ClientOptions.ts"
import { type CallSite, callSite, locate } from "./CallSite.ts"
import { iterate } from "./Iteration.ts"
import { linesOf } from "./Lines.ts"
import { checkCallOptions, checkClientOptions } from "./OptionRules.ts"
import { connectionOf, defined, optionsOf, policiesOf, told } from "./Settings.ts"
import { tracerOf } from "./TracerAdapter.ts"

/** What services are made of. */
type Requirements = Transport | Connection.Connection | CallState.CallState

/** A pull of core: elements, several at a time, until there are none. */
type Pull<A, E> = Effect.Effect<ReadonlyArray<A> | undefined, E>

const connect = (options: ClientOptions): Connection.ConnectionShape => {
  const made = Effect.runSyncExit(Connection.make(connectionOf(options)))
  if (Exit.isSuccess(made)) return made.value
  const error = Cause.squash(made.cause)
  throw error instanceof Connection.ConnectionError ? new ClientOptionError(error.setting, error.rule) : error
}

export type Runner = ReturnType<typeof makeRunner>

/** Runs effects of core as promises: the one place where the two meet. */
export const makeRunner = (options: ClientOptions) => {
  checkClientOptions(options)
  const { debug, tracer } = options
  const write = debug === undefined ? undefined : (line: string) => told(debug, redactTextOf(line, []))
  const lines = write && linesOf(write)
  const state = CallState.make()
  const scope = Scope.makeUnsafe()
  const surroundings: Context.Context<Requirements> = Context.mergeAll(
    policiesOf(options),
    // A library writes nothing to the console of a program.
    Context.make(Warnings, (line: string) => Effect.sync(() => lines?.warning(line))),
    tracer === undefined ? Context.empty() : Context.make(Tracer.Tracer, tracerOf(tracer)),
    Context.make(Transport, FetchTransport.make(options.fetch)).pipe(
      Context.add(Connection.Connection, connect(options)),
      Context.add(CallState.CallState, state)
    )
  )
  const endings = new Set<{ readonly fail: (reason: unknown) => void }>()
  let isClosed = false

  const build = <Service>(make: Effect.Effect<Service, never, Requirements>): Service =>
    Effect.runSyncWith(surroundings)(make)

  /** The surroundings of one call; `own` is told about it first. */
  const contextOf = (
    operation: OperationName,
    callOptions: CallOptions | undefined,
    own?: Required<CallObserver>
  ): Context.Context<Requirements> => {
    const effective = callOptions === undefined ? options : optionsOf(options, callOptions)
    const context = callOptions === undefined ? surroundings : Context.merge(surroundings, policiesOf(effective))
    const { onAttempt } = effective
    // A call that nobody observes does not put together what there is to see.
    if (own === undefined && onAttempt === undefined && lines === undefined) return context
    return Context.add(context, CallObserver, {
      onAttempt: (attempt, headers) => {
        own?.onAttempt(attempt, headers)
        if (onAttempt !== undefined) told(onAttempt, { ...attempt, operation })
        lines?.attempt(operation, attempt)
      },
      onCall: (call) => {
        own?.onCall(call)
        lines?.success(call)
      }
    })
  }

  /** Resolves to the exit of the effect, or rejects at once with `ClientClosed` or the reason of the signal. */
  const start = <A, E>(
    effect: Effect.Effect<A, E>,
    context: Context.Context<Requirements>,
    signal: AbortSignal | undefined
  ): Promise<Exit.Exit<A, E>> =>
    new Promise((resolve, reject) => {
      if (isClosed) return reject(new ClientClosed())
      if (signal?.aborted) return reject(signal.reason)
      const fiber = Fiber.runIn(Effect.runForkWith(context)(effect), scope)
      const onAbort = () => {
        // The fiber ends by itself; the caller does not wait for what it still has to release.
        reject(signal?.reason)
        fiber.interruptUnsafe()
      }
      // The transport has already begun, and may have aborted the signal itself.
      if (signal?.aborted) onAbort()
      else signal?.addEventListener("abort", onAbort)
      fiber.addObserver((exit) => {
        signal?.removeEventListener("abort", onAbort)
        if (Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause)) reject(new ClientClosed())
        else resolve(exit)
      })
    })

  /** The value of an exit, or its error thrown. */
  const valueOf = <A, E>(exit: Exit.Exit<A, E>, site: CallSite): A => {
    if (Exit.isSuccess(exit)) return exit.value
    const error = Cause.squash(exit.cause)
    locate(error, site)
    lines?.failure(error)
    throw error
  }

  /** One call: its value, or a rejection with its error. */
  const call = async <A, E>(
    operation: OperationName,
    effect: Effect.Effect<A, E>,
    callOptions?: CallOptions,
    site = callSite()
  ): Promise<A> => {
    checkCallOptions(callOptions)
    return valueOf(await start(effect, contextOf(operation, callOptions), callOptions?.signal), site)
  }

  /** What an effect came to: its value, or the error that it failed with, was aborted with or met a closed client with. */
  const outcomeOf = async <A, E>(
    effect: Effect.Effect<A, E>,
    context: Context.Context<Requirements>,
    signal: AbortSignal | undefined,
    site = callSite()
  ): Promise<
    { readonly ok: true; readonly value: A } | { readonly ok: false; readonly error: E | CallAborted | ClientClosed }
  > => {
    try {
      const exit = await start(effect, context, signal)
      const failure = Exit.isFailure(exit) ? exit.cause.reasons.find(Cause.isFailReason) : undefined
      if (failure === undefined) return { ok: true, value: valueOf(exit, site) }
      locate(failure.error, site)
      lines?.failure(failure.error)
      return { ok: false, error: failure.error }
    } catch (error) {
      if (error instanceof ClientClosed) return { ok: false, error }
      if (signal?.aborted) return { ok: false, error: new CallAborted(signal.reason) }
      throw error
    }
  }

  /** One call as a value. */
  const result = async <A, E>(
    operation: OperationName,
    effect: Effect.Effect<A, E>,
    callOptions?: CallOptions
  ): Promise<CallResult<A, E>> => {
    checkCallOptions(callOptions)
    let info: CallInfo | undefined
    let headers: AnswerHeaders | undefined
    const attempts: Array<CallInfo["attempts"][number]> = []
    const context = contextOf(operation, callOptions, {
      onAttempt: (attempt, answered) => {
        attempts.push(attempt)
        headers = answered
      },
      onCall: (ended) => {
        info = ended
      }
    })
    const outcome = await outcomeOf(effect, context, callOptions?.signal)
    if (outcome.ok && info !== undefined) return { ...outcome, call: info }
    if (outcome.ok) throw new Error("A successful call tells its observer before it ends")
    const { error } = outcome
    const { idempotencyKey, requestId, status } = isSignalboxError(error) ? error : ({} as Partial<FailedCall>)
    const facts = { idempotencyKey, requestId, status, headers, rateLimit: state.lastSnapshot }
    return { ok: false, error, call: { operation, attempts, ...defined(facts) } }
  }

  /** An iteration over what is pulled from core. */
  const iteration = <A, E>(
    operation: OperationName,
    begin: Effect.Effect<Pull<A, E>, E, Scope.Scope>,
    callOptions?: CallOptions
  ): AsyncIterable<A> => {
    checkCallOptions(callOptions)
    const signal = callOptions?.signal
    const site = callSite()
    return iterate<A>(
      () => {
        if (isClosed) throw new ClientClosed()
        const own = Scope.forkUnsafe(scope)
        const context = contextOf(operation, callOptions)
        let pull: Pull<A, E> | undefined
        let pulled = new Array<A>().values()
        const next = async (): Promise<IteratorResult<A>> => {
          pull ??= valueOf(await start(Effect.provideService(begin, Scope.Scope, own), context, signal), site)
          while (true) {
            const element = pulled.next()
            if (element.done !== true) return element
            const elements = valueOf(await start(pull, context, signal), site)
            if (elements === undefined) return { done: true, value: undefined }
            pulled = elements.values()
          }
        }
        return {
          next,
          return: async () => {
            await Effect.runPromise(Scope.close(own, Exit.void))
            return { done: true, value: undefined }
          }
        }
      },
      signal,
      (ending) => {
        endings.add(ending)
        return () => endings.delete(ending)
      }
    )
  }

  const close = async (): Promise<void> => {
    isClosed = true
    for (const ending of endings) ending.fail(new ClientClosed())
    await Effect.runPromise(Scope.close(scope, Exit.void))
  }

  return {
    build,
    call,
    result,
    outcomeOf,
    contextOf,
    iteration,
    /** The members of a client that every client has, beside its own. */
    clientWith: <Members extends object>(members: Members) => ({
      ...members,
      get rateLimit() {
        return state.lastSnapshot
      },
      close,
      [Symbol.asyncDispose]: close
    })
  }
}
