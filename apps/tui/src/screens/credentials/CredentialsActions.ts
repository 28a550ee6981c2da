import { span } from "../../view/Row.ts"
import type { ScreenKind } from "../ScreenKind.ts"
import type { CredentialsScreen } from "./CredentialsScreen.ts"
import { credentialsView, requestRows } from "./CredentialsView.ts"
import { curlFor } from "./CredentialsRequest.ts"
import { closeTop } from "../Drafts.ts"
import { isOpen, nextOf } from "../../state/FixQueue.ts"
import { completeOrNext, focusBy, nextSubscriber, paste, send, type } from "./CredentialsUpdate.ts"
import { make as makeSubscriber } from "../subscriber/SubscriberScreen.ts"
import { pushScreen, putScreen, topScreen } from "../../state/ScreenStack.ts"
import { stay, withCommands } from "../../state/State.ts"
import { placed } from "../../actions/Action.ts"
import { onScreen, unlessScreen, whileMasked } from "../../actions/OnScreen.ts"
import { toggledReveal } from "../../state/Revealing.ts"

const on = onScreen("Credentials")
const unless = unlessScreen("Credentials")

/** Sent again, a form would add its device tokens a second time. */
const sending = unless((screen) =>
  screen.sending
    ? "the request is on its way"
    : screen.saved === undefined
      ? undefined
      : "this is saved; change a field to send it again"
)

/** The actions of the form; every other key types into the field in focus. */
const actions = placed("Credentials", [
  {
    id: "send credentials",
    keys: ["ctrl-s"],
    name: "send",
    description: "Send the form: adds or changes the credentials of this provider.",
    hint: 10,
    writes: true,
    retries: true,
    unavailable: sending,
    run: on(send)
  },
  {
    id: "next field",
    keys: ["enter", "down"],
    description: "To the next field.",
    run: on((state, screen) => stay(putScreen(state, focusBy(screen, 1))))
  },
  {
    id: "complete, or next",
    keys: ["tab"],
    name: "next",
    description: "Complete the provider, else to the next field.",
    hint: 20,
    run: on((state, screen) => stay(putScreen(state, completeOrNext(screen))))
  },
  {
    id: "previous field",
    keys: ["shift-tab", "up"],
    name: "previous",
    description: "To the previous field.",
    hint: 30,
    run: on((state, screen) => stay(putScreen(state, focusBy(screen, -1))))
  },
  {
    id: "show all fields",
    keys: ["ctrl-o"],
    name: "all fields",
    description: "Also show the fields that this provider does not use; the API accepts them.",
    hint: 40,
    run: on((state, screen) => stay(putScreen(state, { ...screen, showAll: !screen.showAll, focus: "providerId" })))
  },
  {
    id: "reveal typed values",
    keys: ["ctrl-v"],
    name: "reveal",
    description: "Show what was typed into the secret fields for ten seconds, or hide it.",
    hint: 50,
    unavailable: whileMasked,
    run: on((state, screen) => stay(putScreen(state, toggledReveal(screen, state.now))))
  },
  {
    id: "copy as cURL",
    keys: ["ctrl-r"],
    name: "copy cURL",
    description: "Copy the request as a cURL command; the API key and the secrets are variables.",
    hint: 60,
    run: on((state, screen) =>
      withCommands(state, { _tag: "Copy", text: curlFor(screen, state.connection), what: "cURL command" })
    )
  },
  {
    id: "next subscriber",
    keys: ["ctrl-n"],
    description: "Go to the next subscriber with the same cause; skips this one if it was not sent.",
    hint: 12,
    needsNoHint: ({ fix }) => fix === undefined,
    unavailable: (state) => {
      const screen = topScreen(state)
      if (state.fix === undefined || screen._tag !== "Credentials")
        return "the form was not opened for several subscribers"
      return nextOf(state.fix, screen.subscriberId) === undefined
        ? isOpen(state.fix, screen.subscriberId)
          ? "this is the last subscriber with this cause"
          : "every subscriber with this cause is done"
        : undefined
    },
    run: on(nextSubscriber)
  },
  {
    id: "to the subscriber",
    keys: ["ctrl-g"],
    name: "subscriber",
    description: "Close the form and show what is known about the subscriber.",
    hint: 70,
    run: on((state, screen) => stay(pushScreen(closeTop(state), (id) => makeSubscriber(id, screen.subscriberId))))
  }
])

/** The credentials form of one subscriber. */
export const credentialsKind: ScreenKind<CredentialsScreen> = {
  title: () => "Credentials",
  status: ({ saved }) => [span(saved === undefined ? "not saved " : "saved ", saved === undefined ? "warning" : "ok")],
  actions,
  view: credentialsView,
  // The whole request is never hidden after a delay, so its secrets always are.
  whole: (state, screen, columns) => ["request", requestRows(state, { ...screen, revealedUntil: undefined }, columns)],
  masked: (screen) => ({ ...screen, revealedUntil: undefined }),
  type,
  paste
}
