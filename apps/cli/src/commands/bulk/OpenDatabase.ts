/**
 * The runs of a database.
 */
import { databaseLayer, DatabaseRuns, readLayer } from "@signalbox/bulk/cluster"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { chooseDatabase } from "../../connection/Database.ts"
import { runFailure } from "./RunFailure.ts"

/** Connects to a database until the scope closes. */
export const openDatabase = Effect.fnUntraced(function* (name: string, isReadOnly: boolean) {
  const { publicKey, url: source } = yield* chooseDatabase(name)
  const url = Redacted.make(yield* source)
  const layer = isReadOnly ? readLayer(url) : databaseLayer(url, { publicKey })
  return Context.get(yield* Effect.mapError(Layer.build(layer), runFailure), DatabaseRuns)
})
