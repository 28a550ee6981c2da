import * as Effect from "effect/Effect"

type Handler = (input: never) => Effect.Effect<unknown, unknown, unknown>

/** The handler with this name in a module, which loads when the command runs. */
export const handledBy = <Name extends string, Module extends Readonly<Record<Name, Handler>>>(
  load: () => Promise<Module>,
  name: Name
): Module[Name] =>
  // It takes and returns what the handler does, which the compiler cannot see while `Module` is open.
  ((input: never) => Effect.flatMap(Effect.promise(load), (module) => module[name](input))) as Module[Name]
