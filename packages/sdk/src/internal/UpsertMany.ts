import {
  type CredentialsInput,
  makeStoredTokens,
  maxRepairs,
  maxTokens,
  partialRejections,
  storedTokensIn,
  withTokens
} from "@signalbox/core/Credentials"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import type { UpsertCredentials, UpsertInput, UpsertOutcome } from "../UpsertCredentials.ts"
import { ClientClosed } from "../ClientClosed.ts"
import type { CallOptions } from "../ClientOptions.ts"
import type { Taken } from "./Outcomes.ts"
import { isObject } from "@signalbox/core/internal/policies/Rules"

/** The request of an input, copied when the input was read. */
export interface Row {
  readonly subscriberId: string
  readonly own: CredentialsInput
  /** The tokens that it appends; empty if it does anything else. */
  readonly tokens: ReadonlyArray<string>
  /** The same for all rows of one subscriber and provider. */
  readonly entry: string
  /** Everything but the tokens; rows with the same rest can share one request. */
  readonly rest: string | undefined
}

/** Everything but the tokens, as a string; `undefined` where that is not JSON. */
const restOf = (row: Row): string | undefined => {
  try {
    // The symbol of `anyProvider` changes how the input is checked.
    return JSON.stringify([withTokens(row.own, []), Object.getOwnPropertySymbols(row.own).length])
  } catch {
    return undefined
  }
}

/** Copies an input when it is taken: it may wait for others, and a source may use one object for all of its inputs. */
export const rowOf = (input: UpsertInput, index: number): Row => {
  // Callers without types can pass nothing at all; the check of the request reports it.
  const { subscriberId, ...given } = input ?? {}
  // `Omit` by rest does not keep the union of providers, and keeps the symbol of `anyProvider`.
  let own = given as CredentialsInput
  let tokens: ReadonlyArray<string> = []
  if (isObject(own.credentials)) {
    own = { ...own, credentials: { ...own.credentials } } as CredentialsInput
    const { deviceTokens = [] } = own.credentials as { readonly deviceTokens?: unknown }
    const list = [deviceTokens].flat()
    if (list.every((token) => typeof token === "string")) tokens = list
  }
  const isEntry = [subscriberId, own.providerId].every((part) => typeof part === "string")
  const entry = isEntry ? `${own.providerId}\n${subscriberId}` : String(index)
  const row = { subscriberId, own, tokens, entry, rest: undefined }
  return isEntry && tokens.length > 0 ? { ...row, rest: restOf(row) } : row
}

/** Whether a row can share the request of others of its entry. */
export const joins = (rows: ReadonlyArray<Row>, next: Row): boolean =>
  next.rest !== undefined &&
  rows.every(({ rest }) => rest === next.rest) &&
  [...rows, next].flatMap(({ tokens }) => tokens).length <= maxTokens

/** Calls back when the client is closed; returns a function that forgets the callback. */
export const onClose = (client: Scope.Closeable, closed: (error: ClientClosed) => void): (() => void) => {
  const own = Scope.forkUnsafe(client)
  const progress = { sent: false, mayHaveBeenApplied: false, attempts: [] }
  const notify = () => {
    if (client.state._tag === "Closed") closed(new ClientClosed("credentials.upsert", progress))
  }
  Effect.runFork(Scope.addFinalizer(own, Effect.sync(notify)))
  return () => void Effect.runFork(Scope.close(own, Exit.void))
}

/** Makes the calls of one `upsertMany`, and appends tokens again that a later response lacks. */
export const makeUpsertRows = (send: UpsertCredentials["result"], callOptions: CallOptions) => {
  const memory = makeStoredTokens()

  const upsertRows = async (
    group: readonly [Taken<UpsertInput, Row>, ...ReadonlyArray<Taken<UpsertInput, Row>>],
    signal: AbortSignal
  ): Promise<ReadonlyArray<UpsertOutcome>> => {
    const [{ row }, ...others] = group
    const { entry, own, subscriberId } = row
    const options = { ...callOptions, signal }
    const append = (tokens: ReadonlyArray<string>) => send(subscriberId, withTokens(own, tokens), options)
    let tokens = others.length === 0 ? row.tokens : [...new Set(group.flatMap((taken) => taken.row.tokens))]
    const result = tokens.length > 0 ? await append(tokens) : await send(subscriberId, own, options)
    if (!result.ok && others.length > 0 && partialRejections.has(result.error.reason._tag)) {
      const outcomes: Array<UpsertOutcome> = []
      for (const one of group) outcomes.push(...(await upsertRows([one], signal)))
      return outcomes
    }
    let last = result
    let missing: ReadonlyArray<string> = []
    for (let repairs = 0; last.ok && tokens.length > 0; repairs++) {
      missing = memory.missingAfter(entry, storedTokensIn(last.value, own.providerId), tokens)
      if (missing.length === 0 || repairs === maxRepairs || signal.aborted) break
      tokens = missing
      last = await append(tokens)
    }
    // A row that appends nothing may have removed the tokens.
    if (tokens.length === 0) memory.forget(entry)
    const lost = missing.length > 0 && { missingTokens: missing }
    return group.map(({ index, input }) => ({ ...result, ...lost, index, input }))
  }
  return upsertRows
}
