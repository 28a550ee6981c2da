import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { CallServices } from "../call/Call.ts"
import { Warnings } from "../policies/Policies.ts"

/** A service whose methods make calls. */
export interface CallServiceClass<Self, Id extends string, Shape> extends Context.ServiceClass<Self, Id, Shape> {
  /** The service over a transport. */
  readonly layer: Layer.Layer<Self, never, CallServices>
}

/** Builds a service whose warnings are logged, unless the program provides another function. */
const loggingWarnings = <A, E, R>(service: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.contextWith((context: Context.Context<never>) =>
    Context.getOrUndefined(context, Warnings) === undefined
      ? Effect.provideService(service, Warnings, (line) => Effect.logWarning(line))
      : service
  )

/** Makes the class of a service whose methods make calls. */
export const CallService =
  <Self, Shape>() =>
  <const Id extends string>(
    id: Id,
    methods: Effect.Effect<Shape, never, CallServices>
  ): CallServiceClass<Self, Id, Shape> => {
    const Service = Context.Service<Self, Shape>()(id)
    return Object.assign(Service, { layer: Layer.effect(Service, loggingWarnings(methods)) })
  }
