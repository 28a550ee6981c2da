import { listHead, listRows } from "../Layout.ts"
import type { ScreenKind } from "../ScreenKind.ts"
import { details, requestsView } from "./RequestsView.ts"
import { placed } from "../../actions/Action.ts"
import { actingOn } from "../../actions/OnScreen.ts"
import { topScreen } from "../../state/ScreenStack.ts"
import { type State, withCommands } from "../../state/State.ts"
import { type RequestsScreen, requestsOf } from "./RequestsScreen.ts"

const requestHere = (state: State) => {
  const screen = topScreen(state)
  return (screen._tag === "Requests" ? requestsOf(state)[screen.cursor.at] : undefined) ?? "no request has been made"
}

const identifiedHere = (state: State) => {
  const request = requestHere(state)
  return typeof request === "string" || request.requestId === undefined
    ? "the response had no request id"
    : { id: request.requestId }
}

/** The actions of the request log. */
const actions = placed("Requests", [
  {
    id: "copy logged request",
    keys: ["y c"],
    name: "copy cURL",
    description: "Copy the request as a cURL command; the key and secrets are variables in it.",
    hint: 10,
    ...actingOn(requestHere, (state, request) =>
      withCommands(state, { _tag: "Copy", text: request.curl, what: "cURL command" })
    )
  },
  {
    id: "copy request id",
    keys: ["y i"],
    name: "copy id",
    description: "Copy the id that the service gave the request, for its support.",
    hint: 20,
    ...actingOn(identifiedHere, (state, { id }) => withCommands(state, { _tag: "Copy", text: id, what: "request id" }))
  }
])

/** The log of requests. */
export const requestsKind: ScreenKind<RequestsScreen> = {
  title: () => "Requests",
  actions,
  view: requestsView,
  list: {
    length: ({ requests }) => requests.length,
    height: (_, { height }) => listRows(height - listHead)
  },
  whole: (state, screen, columns) => {
    const request = requestsOf(state)[screen.cursor.at]
    return request && ["request", details(request, columns)]
  }
}
