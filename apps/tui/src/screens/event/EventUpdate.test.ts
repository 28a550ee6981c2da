import { assert, describe, it } from "@effect/vitest"
import { loaded } from "../../../test/Sample.ts"
import { topScreen } from "../../state/ScreenStack.ts"
import { found } from "./EventUpdate.ts"

describe("an event that was looked for after its workflow was triggered again", () => {
  const state = loaded(3)
  const list = topScreen(state)
  assert(list._tag === "Events")
  const [event] = list.events

  it("is opened, and followed while it is sent", () => {
    const after = found(state, "txn-9", event)
    const top = topScreen(after.state)
    assert(top._tag === "Event")
    assert.isDefined(event)
    assert.strictEqual(top.event, event)
    assert.strictEqual(after.state.notice?.text, "triggered again as txn-9; this is the new event")
  })

  it("leaves the list where it is when the service does not list it", () => {
    const { commands, state: after } = found(state, "txn-9", undefined)
    assert.strictEqual(topScreen(after), list)
    assert.strictEqual(after.notice?.text, "the service lists no event with the transaction id txn-9")
    assert.isEmpty(commands)
  })
})
