/**
 * Finds requests that name ids of another environment: a sign that two tests share data.
 */
import type { FakeRequest } from "../wire/FakeRequest.ts"
import type { Route } from "./Route.ts"
import { type EnvironmentState, messageOf, subscriberOf } from "../state/EnvironmentState.ts"
import type { Leak } from "../journal/JournalEntry.ts"

/** Another environment of the fake; its state is `undefined` until it is first used. @internal */
export interface Neighbour {
  readonly number: number
  readonly state: () => EnvironmentState | undefined
}

type Named = Pick<Leak, "kind" | "id">

const messageIds = (body: unknown): ReadonlyArray<string> => {
  if (typeof body !== "object" || body === null || !("messageId" in body)) return []
  const several: ReadonlyArray<unknown> = Array.isArray(body.messageId) ? body.messageId : [body.messageId]
  return several.filter((id) => typeof id === "string")
}

const named = (route: Route, request: FakeRequest, body: unknown): ReadonlyArray<Named> => {
  if (route.operation === "events.list") {
    if (!request.query.includes("subscriberIds")) return []
    return [...new URLSearchParams(request.query)]
      .filter(([name]) => name.startsWith("subscriberIds"))
      .map(([, id]) => ({ kind: "subscriber", id }))
  }
  return [
    { kind: "subscriber", id: route.parameters["subscriberId"] ?? "" },
    ...(route.operation === "messages.markAs" ? messageIds(body) : []).map((id): Named => ({ kind: "message", id }))
  ]
}

const has = (state: EnvironmentState, { id, kind }: Named): boolean =>
  kind === "subscriber" ? subscriberOf(state, id) !== undefined : messageOf(state, id) !== undefined

/** The ids in a request that its environment does not have and another environment has. @internal */
export const leaksOf = (
  own: { readonly state: EnvironmentState; readonly sharedIds: ReadonlySet<string> },
  neighbours: () => Iterable<Neighbour>,
  route: Route,
  request: FakeRequest,
  body: unknown
): ReadonlyArray<Leak> => {
  const isUnknown = (one: Named) => !own.sharedIds.has(one.id) && !has(own.state, one)
  let unknown: ReadonlyArray<Named> | undefined
  const leaks: Array<Leak> = []
  for (const { number, state } of neighbours()) {
    // Most fakes have one environment, and read no ids.
    unknown ??= named(route, request, body).filter(isUnknown)
    if (unknown.length === 0) break
    const theirs = state()
    if (theirs === undefined) continue
    for (const named of unknown) {
      if (has(theirs, named)) leaks.push({ ...named, environment: number })
    }
  }
  return leaks
}
