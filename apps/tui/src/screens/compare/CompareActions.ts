import { withCursorAt } from "../Cursor.ts"
import { masked } from "../../state/Masking.ts"
import type { ScreenKind } from "../ScreenKind.ts"
import { compareFoot, compareView } from "./CompareView.ts"
import type { ActivityNotification } from "@signalbox/core/Records"
import { placed } from "../../actions/Action.ts"
import { actingOn, onScreen } from "../../actions/OnScreen.ts"
import { listOf, pushScreen, putScreen, topScreen } from "../../state/ScreenStack.ts"
import { type State, stay, withNotice } from "../../state/State.ts"
import { eventHere } from "../event/EventActions.ts"
import { lastSuccess } from "../events/RelatedEvents.ts"
import { selected } from "../events/EventsUpdate.ts"
import { type CompareScreen, make, nextDifference } from "./CompareScreen.ts"

const on = onScreen("Compare")

/** The two selected events; else the event here and the last success of its workflow and subscriber. */
const pairOf = (state: State): readonly [ActivityNotification, ActivityNotification] | string => {
  const screen = topScreen(state)
  if (screen._tag === "Events" && screen.selection.size > 0) {
    const [first, second, ...others] = selected(screen)
    return first === undefined || second === undefined || others.length > 0
      ? "select exactly two events to compare them"
      : [first, second]
  }
  const event = eventHere(state)
  if (event === undefined) return "there is no event here"
  const list = listOf(state)
  const other = list === undefined ? undefined : lastSuccess(event, list.events)
  return other === undefined
    ? "no other success of this workflow and subscriber is loaded; select two events with space to compare them"
    : [event, other]
}

const toDifference = (step: 1 | -1) =>
  on((state, screen) => {
    const at = nextDifference(screen, step)
    return stay(
      at === undefined
        ? withNotice(state, "the events do not differ", "ok")
        : putScreen(state, withCursorAt(screen, at))
    )
  })

/** Comparing two events. */
const actions = placed("Compare", [
  {
    id: "compare",
    keys: ["="],
    description:
      "Compare the event with the last success of its workflow and subscriber, or the two selected events: steps, details and payload side by side.",
    places: ["Events", "Event"],
    hint: 45,
    ...actingOn(pairOf, (state, [left, right]) => stay(pushScreen(state, (id) => make(id, left, right))))
  },
  {
    id: "next difference",
    keys: ["n"],
    description: "To the next fact that differs.",
    hint: 10,
    run: toDifference(1)
  },
  {
    id: "differences only",
    keys: ["d"],
    name: "differences",
    description: "Leave out the facts that are equal, or show them again.",
    hint: 20,
    run: on((state, { differencesOnly, id, left, right }) =>
      stay(putScreen(state, make(id, left, right, !differencesOnly)))
    )
  },
  {
    id: "previous difference",
    keys: ["N"],
    description: "To the previous fact that differs.",
    run: toDifference(-1)
  }
])

/** Two events side by side. */
export const compareKind: ScreenKind<CompareScreen> = {
  title: () => "Compare",
  actions,
  view: compareView,
  list: {
    length: (_, { lines }) => lines.length,
    // How many facts differ, and which events they are of.
    height: ({ lines }, area) => Math.max(1, area.height - 2 - compareFoot(lines, area))
  },
  masked: (screen) => ({
    ...make(screen.id, masked(screen.left), masked(screen.right), screen.differencesOnly),
    cursor: screen.cursor
  })
}
