import type { CallInfo, CallObserver as Observer } from "@signalbox/core/CallInfo"
import { CallObserver } from "@signalbox/core/CallInfo"
import * as CoreClient from "@signalbox/core/Client"
import { Connection, ConnectionError } from "@signalbox/core/Connection"
import * as FetchTransport from "@signalbox/core/FetchTransport"
import type { OperationName } from "@signalbox/core/Operation"
import { RateLimit } from "@signalbox/core/RateLimit"
import { redact } from "@signalbox/core/Redaction"
import { isSignalboxError } from "@signalbox/core/SignalboxError"
import type { AnswerHeaders } from "@signalbox/core/Transport"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Stream from "effect/Stream"
import * as Tracer from "effect/Tracer"
import { CallAborted } from "../CallAborted.ts"
import type { CallResult, FailedCall } from "../CallResult.ts"
import { ClientClosed } from "../ClientClosed.ts"
import { ClientOptionError } from "../ClientOptionError.ts"
import type { CallOptions, ClientOptions } from "../ClientOptions.ts"
import { iterate } from "./Iteration.ts"
import { checkCallOptions, checkClientOptions, connectionOf, policiesOf, told } from "./Settings.ts"
import { tracerOf } from "./TracerAdapter.ts"

type Services = CoreClient.Client

const layerOf = (options: ClientOptions, write: ((line: string) => void) | undefined) => {
  const policies = policiesOf(options)
  const { tracer } = options
  const loggers =
    write === undefined
      ? []
      : [Logger.make(({ logLevel, message }) => write(`${logLevel.toLowerCase()} ${[message].flat().join(" ")}`))]
  return Layer.fresh(CoreClient.layerNoDeps).pipe(
    Layer.provide(FetchTransport.layer(options.fetch)),
    Layer.provide(Connection.layer(connectionOf(options))),
    Layer.merge(
      Layer.succeedContext(tracer === undefined ? policies : Context.add(policies, Tracer.Tracer, tracerOf(tracer)))
    ),
    // A library writes nothing to the console of a program.
    Layer.merge(Logger.layer(loggers))
  )
}

/** A line about what happened, as `debug` gets it. */
const lineOf = (operation: OperationName, parts: ReadonlyArray<string | undefined>): string =>
  `${operation} ${parts.filter((part) => part !== undefined).join(" ")}`

/** Runs effects of core as promises: the one place where the two meet. */
export const makeRunner = (options: ClientOptions) => {
  checkClientOptions(options)
  const { debug } = options
  const write = debug === undefined ? undefined : (line: string) => told(debug, String(redact(line)))
  const made = ManagedRuntime.make(layerOf(options, write))
  const built = Effect.runSyncExit(made.contextEffect)
  if (Exit.isFailure(built)) {
    const error = Cause.squash(built.cause)
    throw error instanceof ConnectionError ? new ClientOptionError(error.setting, error.rule) : error
  }
  const services: Context.Context<Services> = built.value
  // The layer is built: what could fail in it has not.
  const runtime = made as ManagedRuntime.ManagedRuntime<Services, never>
  let isClosed = false
  const endings = new Set<{ readonly fail: (reason: unknown) => void }>()

  const rateLimit = () => Effect.runSync(Context.get(services, RateLimit).snapshot)

  const observerOf = (
    operation: OperationName,
    callOptions: CallOptions,
    onCall: ((call: CallInfo) => void) | undefined
  ): Observer | undefined => {
    const onAttempt = callOptions.onAttempt ?? options.onAttempt
    if (onAttempt === undefined && write === undefined && onCall === undefined) return undefined
    return {
      onAttempt: (attempt) => {
        if (onAttempt !== undefined) told(onAttempt, { ...attempt, operation })
        const { delayMs, durationMs, number, outcome, requestId, status } = attempt
        write?.(
          lineOf(operation, [
            `attempt ${number}: ${status ?? "no answer"} ${outcome} in ${durationMs} ms`,
            delayMs > 0 ? `after a delay of ${delayMs} ms` : undefined,
            requestId === undefined ? undefined : `(request ${requestId})`
          ])
        )
      },
      onCall: (call) => {
        onCall?.(call)
        const { attempts, drift, durationMs, replayed } = call
        write?.(
          lineOf(operation, [
            `succeeded in ${durationMs} ms, attempts: ${attempts.length}`,
            drift.length > 0 ? `drift: ${drift.length}` : undefined,
            replayed ? "(a stored answer)" : undefined
          ])
        )
      }
    }
  }

  const contextOf = (
    operation: OperationName,
    callOptions: CallOptions,
    onCall?: (call: CallInfo) => void
  ): Context.Context<never> => {
    const policies = policiesOf(callOptions, options)
    const observer = observerOf(operation, callOptions, onCall)
    return observer === undefined ? policies : Context.add(policies, CallObserver, observer)
  }

  /** Resolves to the exit of the effect, or rejects at once with `ClientClosed` or the reason of the signal. */
  const start = <A, E>(effect: Effect.Effect<A, E>, signal: AbortSignal | undefined): Promise<Exit.Exit<A, E>> =>
    new Promise((resolve, reject) => {
      if (isClosed) return reject(new ClientClosed())
      if (signal?.aborted) return reject(signal.reason)
      const fiber = runtime.runFork(effect)
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

  const noteFailure = (error: unknown): void => {
    if (write !== undefined && error instanceof Error) write(error.message)
  }

  /** One call: its value, or a rejection with its error. */
  const call = async <A, E>(
    operation: OperationName,
    effect: (services: Context.Context<Services>) => Effect.Effect<A, E>,
    callOptions: CallOptions = {}
  ): Promise<A> => {
    checkCallOptions(callOptions)
    const context = contextOf(operation, callOptions)
    const exit = await start(Effect.provideContext(effect(services), context), callOptions.signal)
    if (Exit.isSuccess(exit)) return exit.value
    const error = Cause.squash(exit.cause)
    noteFailure(error)
    throw error
  }

  /** One call as a value. */
  const result = async <A, E>(
    operation: OperationName,
    effect: (services: Context.Context<Services>) => Effect.Effect<A, E>,
    callOptions: CallOptions = {}
  ): Promise<CallResult<A, E>> => {
    checkCallOptions(callOptions)
    let info: CallInfo | undefined
    const context = contextOf(operation, callOptions, (ended) => {
      info = ended
    })
    const attempts: Array<CallInfo["attempts"][number]> = []
    let headers: AnswerHeaders | undefined
    const failed = (error: unknown): FailedCall => {
      const limit = rateLimit()
      const facts = isSignalboxError(error) ? error : undefined
      return {
        operation,
        attempts: facts?.attempts ?? attempts,
        ...(facts?.idempotencyKey === undefined ? {} : { idempotencyKey: facts.idempotencyKey }),
        ...(facts?.requestId === undefined ? {} : { requestId: facts.requestId }),
        ...(facts?.status === undefined ? {} : { status: facts.status }),
        ...(headers === undefined ? {} : { headers }),
        ...(limit === undefined ? {} : { rateLimit: limit })
      }
    }
    const seen = Context.get(context, CallObserver)
    const observed = Context.add(context, CallObserver, {
      ...seen,
      onAttempt: (attempt, answered) => {
        attempts.push(attempt)
        headers = answered
        seen?.onAttempt?.(attempt, answered)
      }
    })
    try {
      const exit = await start(Effect.provideContext(effect(services), observed), callOptions.signal)
      // Every successful call tells its observer before it ends.
      if (Exit.isSuccess(exit)) return { ok: true, value: exit.value, call: info as unknown as CallInfo }
      const failure = exit.cause.reasons.find(Cause.isFailReason)
      if (failure === undefined) throw Cause.squash(exit.cause)
      noteFailure(failure.error)
      return { ok: false, error: failure.error, call: failed(failure.error) }
    } catch (error) {
      if (error instanceof ClientClosed) return { ok: false, error, call: failed(error) }
      if (callOptions.signal?.aborted) {
        const aborted = new CallAborted(callOptions.signal.reason)
        return { ok: false, error: aborted, call: failed(aborted) }
      }
      throw error
    }
  }

  /** An iteration over a stream of core. */
  const iteration = <A, E>(
    operation: OperationName,
    stream: (services: Context.Context<Services>) => Stream.Stream<A, E>,
    callOptions: CallOptions = {}
  ): AsyncIterable<A> => {
    checkCallOptions(callOptions)
    return iterate(
      () => {
        if (isClosed) throw new ClientClosed()
        const context = Context.merge(services, contextOf(operation, callOptions))
        return Stream.toAsyncIterableWith(stream(services), context)
      },
      callOptions.signal,
      (ending) => {
        endings.add(ending)
        return () => endings.delete(ending)
      }
    )
  }

  const close = async (): Promise<void> => {
    isClosed = true
    for (const ending of endings) ending.fail(new ClientClosed())
    await runtime.dispose()
  }

  return { call, result, iteration, start, contextOf, noteFailure, services, rateLimit, close }
}
