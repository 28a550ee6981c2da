import { requestsFoot } from "../Layout.ts"
import type { ScreenKind } from "../ScreenKind.ts"
import { requestsView } from "./RequestsView.ts"
import type { Action } from "../../actions/Action.ts"
import { onScreen } from "../../actions/OnScreen.ts"
import { topScreen } from "../../state/ScreenStack.ts"
import { stay, type State, withCommands } from "../../state/State.ts"
import { type RequestsScreen, requestsOf } from "./RequestsScreen.ts"

const on = onScreen("Requests")

const requestHere = (state: State) => {
  const screen = topScreen(state)
  return screen._tag === "Requests" ? requestsOf(state)[screen.cursor.at] : undefined
}

/** The actions of the request log. */
const actions: ReadonlyArray<Action> = [
  {
    id: "copy logged request",
    keys: ["y c"],
    name: "copy cURL",
    description: "Copy the request as a cURL command; the key and secrets are variables in it.",
    places: ["Requests"],
    hint: 10,
    unavailable: (state) => (requestHere(state) === undefined ? "no request has been made" : undefined),
    run: on((state) => {
      const request = requestHere(state)
      return request === undefined
        ? stay(state)
        : withCommands(state, { _tag: "Copy", text: request.curl, what: "cURL command" })
    })
  },
  {
    id: "copy request id",
    keys: ["y i"],
    name: "copy id",
    description: "Copy the id that the service gave the request, for its support.",
    places: ["Requests"],
    hint: 20,
    unavailable: (state) =>
      requestHere(state)?.requestId === undefined ? "the response had no request id" : undefined,
    run: on((state) => {
      const id = requestHere(state)?.requestId
      return id === undefined ? stay(state) : withCommands(state, { _tag: "Copy", text: id, what: "request id" })
    })
  }
]

/** The log of requests. */
export const requestsKind: ScreenKind<RequestsScreen> = {
  title: () => "Requests",
  actions,
  view: requestsView,
  list: {
    length: ({ requests }) => requests.length,
    height: (_, { height }) => Math.max(1, height - 2 - requestsFoot(height))
  }
}
