import * as Struct from "effect/Struct"
import { assert, describe, it } from "@effect/vitest"
import { call, event, initial, loaded, now, page, play, pressed, screen } from "../../../test/Sample.ts"
import type { Msg } from "../../state/Msg.ts"
import { topScreen } from "../../state/ScreenStack.ts"
import type { State } from "../../state/State.ts"
import { plain, spokenText } from "../../view/Row.ts"
import { render } from "../../app/View.ts"
import { masked } from "./Secrets.ts"
import { curlFor } from "./CredentialsRequest.ts"
import { valueOf } from "./CredentialsScreen.ts"

const form = (state: State) => {
  const top = topScreen(state)
  assert(top._tag === "Credentials")
  return top
}

/** The form of a failed chat step: provider filled in, cursor in the webhook URL. */
const opened = (state = loaded(5)) => play(state, pressed("j", "j", "c")).state

const url = "https://hooks.example.test/services/T0/B0/secretpart"

const paste = (text: string): Msg => ({ _tag: "Paste", text })

/** The service stored the webhook URL. */
const savedAnswer: Msg = {
  _tag: "CredentialsSaved",
  screenId: 1,
  call,
  subscriber: {
    subscriberId: "u_10002",
    _organizationId: "o",
    _environmentId: "e",
    deleted: false,
    createdAt: "2026-01-01T00:00:00.000Z",
    updatedAt: "2026-11-21T12:41:07.000Z",
    channels: [{ providerId: "slack", _integrationId: "i", credentials: { webhookUrl: url } }]
  }
}

describe("the credentials form", () => {
  it("opens prefilled from the failed step, with the reason", () => {
    const state = opened()
    assert.strictEqual(form(state).focus, "webhookUrl")
    assert.isTrue(screen(state).some((line) => line.includes("Provider *      slack")))
    assert.isTrue(screen(state).some((line) => line.includes("The subscriber has no")))
  })
  it("is not sent while a field is wrong, and goes to that field", () => {
    const { state, commands } = play(opened(), pressed("ctrl-s"))
    assert.strictEqual(commands.length, 0)
    assert.include(state.notice?.text, "Webhook URL needs attention")
    const wrong = play(opened(), paste("nonsense"), pressed("ctrl-s"))
    assert.strictEqual(wrong.commands.length, 0)
    assert.isTrue(screen(wrong.state).some((line) => line.includes("not a URL")))
  })
  it("sends what was typed in the demo at once", () => {
    const { commands } = play(opened(), paste(url), pressed("ctrl-s"))
    assert.deepStrictEqual(commands, [
      {
        _tag: "UpsertCredentials",
        screenId: 1,
        subscriberId: "u_10002",
        input: { providerId: "slack", credentials: { webhookUrl: url } }
      }
    ])
  })
  it("hides secrets in the preview, and shows them on request", () => {
    const filled = play(opened(), paste(url), pressed("tab")).state
    assert.isFalse(screen(filled).some((line) => line.includes("secretpart")))
    assert.isTrue(screen(play(filled, pressed("ctrl-v")).state).some((line) => line.includes("secretpart")))
    assert.strictEqual(masked("short"), "****")
  })
  it("hides a webhook URL that was pasted into the wrong field at once, and sends it nowhere", () => {
    for (const steps of [["shift-tab"], ["shift-tab", "shift-tab", "ctrl-u"]]) {
      const wrong = play(opened(), pressed(...steps), paste(url)).state
      for (const row of render(wrong)) assert.notInclude(`${plain(row)} ${spokenText(row)}`, "secretpart")
      assert.strictEqual(play(wrong, pressed("tab"), paste(url), pressed("ctrl-s")).commands.length, 0)
      assert.isTrue(screen(play(wrong, pressed("ctrl-v")).state).some((line) => line.includes("secretpart")))
    }
  })
  it("drops repeated device tokens and reports how many", () => {
    const push = play(
      opened(),
      pressed("shift-tab", "shift-tab", "ctrl-u"),
      paste("fcm"),
      pressed("tab", "tab"),
      paste("t1 t2\nt1")
    )
    assert.isTrue(screen(push.state).some((line) => line.includes("2 tokens, 1 repeated and dropped")))
    const [command] = play(push.state, pressed("ctrl-s")).commands
    assert(command?._tag === "UpsertCredentials")
    assert.deepStrictEqual(command.input.credentials.deviceTokens, ["t1", "t2"])
  })
  it("requires confirmation on a live connection, with the subscriber typed", () => {
    const live = { ...loaded(5), connection: { ...loaded(5).connection, kind: "live" as const, name: "acme" } }
    const asked = play(opened(live), paste(url), pressed("ctrl-s"))
    assert.strictEqual(asked.commands.length, 0)
    assert.isTrue(screen(asked.state).some((line) => line.includes("LIVE acme")))
    assert.strictEqual(play(asked.state, pressed("y", "enter")).commands.length, 0)
    assert.strictEqual(play(asked.state, pressed(..."u_10002", "enter")).commands[0]?._tag, "UpsertCredentials")
  })
  it("opens on no read-only connection, so that no secret is typed for nothing", () => {
    const readOnly = { ...loaded(5), connection: { ...loaded(5).connection, kind: "live" as const, readOnly: true } }
    for (const keys of [
      ["j", "j", "c"],
      ["s", "a"]
    ]) {
      const { state, commands } = play(readOnly, pressed(...keys))
      assert.strictEqual(commands.length, 0)
      assert.notStrictEqual(topScreen(state)._tag, "Credentials")
      assert.include(state.notice?.text, "read-only")
    }
  })
  it("keeps everything typed when the service refuses, and shows its words at the field", () => {
    const refused: Msg = {
      _tag: "CredentialsRefused",
      screenId: 1,
      problem: {
        summary: "credentials.upsert: refused with 422",
        advice: "Correct the field.",
        requestId: "req-1",
        fields: [{ path: "credentials.webhookUrl", message: "host not allowed" }],
        at: now
      }
    }
    const { state } = play(opened(), paste(url), pressed("ctrl-s"), refused)
    assert.isTrue(screen(state).some((line) => line.includes("the service says: host not allowed")))
    assert.isTrue(screen(state).some((line) => line.includes("request req-1")))
    assert.strictEqual(play(state, pressed("ctrl-s")).commands.length, 1)
  })
  it("shows the answer's credentials with their source after it was saved", () => {
    const { state } = play(opened(), paste(url), pressed("ctrl-s"), savedAnswer, pressed("ctrl-g"))
    const rows = screen(state)
    assert.isTrue(rows.some((line) => line.includes("slack") && line.includes("webhook ****part")))
    assert.isTrue(rows.some((line) => line.includes("from the last change of credentials")))
  })
  it("keeps the key and the secrets variables in the cURL command", () => {
    const filled = play(opened(), paste(`${url}'x`)).state
    const command = curlFor(form(filled), { baseUrl: "https://api.example.test/v1/" })
    assert.include(command, "https://api.example.test/v1/subscribers/u_10002/credentials")
    assert.include(command, "$SIGNALBOX_API_KEY")
    assert.include(command, `"webhookUrl":"'"$WEBHOOK_URL"'"`)
    assert.notInclude(command, "hooks.example")
  })
})

describe("fixing a group", () => {
  const others = [event(2, { fails: true }), event(7, { fails: true }), event(12, { fails: true }), event(3)]
  const start = play(initial(), page(others), pressed("c")).state
  const hook = { _tag: "Paste", text: "https://hooks.example.test/T0/B0/group-1234" } as const
  const saved = (subscriberId: string, screenId: number): Msg => ({
    _tag: "CredentialsSaved",
    screenId,
    subscriber: {
      subscriberId,
      _organizationId: "organization",
      _environmentId: "environment",
      deleted: false,
      createdAt: "2026-11-21T12:00:00Z",
      updatedAt: "2026-11-21T12:00:00Z",
      channels: []
    },
    call
  })

  it("steps through every subscriber with the cause, and keeps the outcome of each", () => {
    assert.isTrue(screen(start).some((line) => line.includes("1 of 3  ctrl-n next: u_10007")))
    const sent = play(start, hook, pressed("ctrl-s"), saved("u_10002", form(start).id)).state
    assert.include(sent.notice?.text, "ctrl-n continues with u_10007")
    const second = play(sent, pressed("ctrl-n")).state
    assert.strictEqual(form(second).subscriberId, "u_10007")
    assert.strictEqual(form(second).focus, "webhookUrl")
    assert.isTrue(screen(second).some((line) => line.includes("2 of 3, 1 sent")))
    const third = play(second, pressed("ctrl-n")).state
    assert.isTrue(screen(third).some((line) => line.includes("3 of 3, 1 sent, 1 skipped  the last one")))
    assert.isFalse(screen(third).some((line) => line.includes("all done")))
    assert.include(play(third, pressed("ctrl-n")).state.notice?.text, "this is the last subscriber with this cause")
    const done = play(third, hook, pressed("ctrl-s"), saved("u_10012", form(third).id)).state
    assert.isTrue(screen(done).some((line) => line.includes("2 sent, 1 skipped") && line.includes("all done")))
    assert.include(play(done, pressed("ctrl-n")).state.notice?.text, "every subscriber with this cause is done")
  })

  it("opens for the integration that lacks the credentials of each subscriber, and names it", () => {
    const lacking = (index: number, integration: string) => {
      const failed = event(index, { fails: true })
      const raw = `webhookUrl for integrationId: ${integration} is missing`
      const jobs = (failed.jobs ?? []).map((job) =>
        Struct.assign(job, {
          executionDetails: job.executionDetails.map((detail) =>
            detail.status === "Failed" ? Struct.assign(detail, { raw }) : detail
          )
        })
      )
      return { ...failed, jobs }
    }
    const events = [lacking(2, "slack-support"), lacking(7, "slack-operations")]
    const connection = { ...initial().connection, kind: "live" as const, name: "acme" }
    const first = play({ ...initial(), connection }, page(events), pressed("c"), hook).state
    const asked = play(first, pressed("ctrl-s")).state
    assert.match(screen(asked).join(" ").replaceAll(/\s+/gu, " "), /of u_10002 \(integration slack-support\)\?/u)
    const { commands, state } = play(asked, pressed(..."u_10002", "enter"))
    assert.deepInclude(commands[0], {
      input: {
        providerId: "slack",
        integrationIdentifier: "slack-support",
        credentials: { webhookUrl: hook.text }
      }
    })
    const sent = play(state, saved("u_10002", form(state).id)).state
    assert.include(sent.notice?.text, "saved (integration slack-support): 200")
    const second = play(sent, pressed("ctrl-n")).state
    assert.strictEqual(valueOf(form(second), "integrationIdentifier"), "slack-operations")
  })

  it("accepts the values of several subscribers as two columns, or as a filled-in file for a bulk import", () => {
    const of = (id: string) => `https://hooks.example.test/T0/B0/${id}`
    const pastes = [
      `u_10002\t${of("u_10002")}\nu_10012\t${of("u_10012")}\nu_9\t${of("u_9")}\n`,
      `subscriberId,providerId,webhookUrl\nu_10002,slack,${of("u_10002")}\r\nu_10007,slack,\nu_10012,slack,"${of("u_10012")}"\n`
    ]
    for (const text of pastes) {
      const pasted = play(start, { _tag: "Paste", text }).state
      assert.include(pasted.notice?.text, "values for 2 of 3 subscribers")
      assert.strictEqual(valueOf(form(pasted), "webhookUrl"), of("u_10002"))
      const [command] = play(pasted, pressed("ctrl-s")).commands
      assert(command?._tag === "UpsertCredentials")
      assert.deepInclude(command.input.credentials, { webhookUrl: of("u_10002") })
      const second = play(pasted, pressed("ctrl-n")).state
      assert.strictEqual(valueOf(form(second), "webhookUrl"), "")
      const third = play(second, pressed("ctrl-n")).state
      assert.strictEqual(valueOf(form(third), "webhookUrl"), of("u_10012"))
      assert.notInclude(screen(third).join("\n"), of("u_10002"))
    }
    // Lines without a subscriber of the queue are a value.
    const lines = play(start, { _tag: "Paste", text: "a,b\nc,d" }).state
    assert.strictEqual(valueOf(form(lines), "webhookUrl"), "a,b c,d")
  })

  it("notes a refusal, and comes back to it", () => {
    const refusal: Msg = {
      _tag: "CredentialsRefused",
      screenId: form(start).id,
      problem: { summary: "422", advice: "Correct the field.", fields: [], at: now }
    }
    const failed = play(start, hook, pressed("ctrl-s"), refusal, pressed("ctrl-n")).state
    assert.isTrue(screen(failed).some((line) => line.includes("1 failed")))
    assert.strictEqual(form(play(failed, pressed("ctrl-n", "ctrl-n")).state).subscriberId, "u_10002")
  })

  it("suggests providers of the step where the cause names none, and keeps the one that was sent", () => {
    const unnamed = others.map((one) =>
      Object.assign({}, one, {
        jobs: (one.jobs ?? []).map((job) =>
          Object.assign({}, job, job.type === "chat" ? { type: "push", providerId: "service" } : {}, {
            executionDetails: job.executionDetails.map((detail) =>
              Object.assign(
                {},
                detail,
                detail.status === "Failed" ? { detail: "Subscriber does not have a configured channel", raw: "" } : {}
              )
            )
          })
        )
      })
    )
    const first = play(initial({ columns: 120, rows: 40 }), page(unnamed), pressed("c")).state
    assert.strictEqual(valueOf(form(first), "providerId"), "")
    assert.match(screen(first).join("\n"), /required for push: (?:fcm|apns|expo)/u)
    const token = { _tag: "Paste", text: "token-of-a-device" } as const
    const sent = play(
      first,
      pressed(..."exp", "tab", "tab", "tab"),
      token,
      pressed("ctrl-s"),
      saved("u_10002", form(first).id)
    ).state
    const next = form(play(sent, pressed("ctrl-n")).state)
    assert.strictEqual(next.subscriberId, "u_10007")
    assert.strictEqual(valueOf(next, "providerId"), "expo")
  })
  it("is not asked for again: the events of a subscriber who was fixed say so, and what comes next", () => {
    const sent = play(start, hook, pressed("ctrl-s"), saved("u_10002", form(start).id), pressed("escape")).state
    const next = (state: State) => {
      const { state: wide } = play(state, { _tag: "Resized", size: { columns: 200, rows: 60 } })
      return screen(wide)
        .map((line) => line.split("│").at(-1))
        .join(" ")
        .replaceAll(/ +/gu, " ")
    }
    assert.include(
      next(sent),
      "NEXT The slack credentials were changed here at 12:41:07Z, after this event. T triggers it"
    )
    assert.include(next(play(sent, pressed("j")).state), "c opens the form")
    const live = { ...sent, connection: { ...sent.connection, kind: "live" as const } }
    assert.include(next(live), "Trigger the event again from your system.")
    const [command] = play(sent, pressed("T")).commands
    assert.deepInclude(command, { _tag: "TriggerAgain" })
  })
  it("counts on the list only the subscribers that are left, and reports when none is", () => {
    const large = play(initial({ columns: 120, rows: 40 }), page(others), pressed("1", "c")).state
    const one = play(large, hook, pressed("ctrl-s"), saved("u_10002", form(large).id)).state
    const list = play(one, pressed("escape")).state
    assert.match(screen(list).join("\n"), /3× slack webhook missing.* c fixes 2/u)
    assert.include(screen(list).at(-1), "c fix 2 ")
    const second = play(one, pressed("ctrl-n")).state
    const two = play(second, hook, pressed("ctrl-s"), saved("u_10007", form(second).id)).state
    const third = play(two, pressed("ctrl-n")).state
    const all = play(third, hook, pressed("ctrl-s"), saved("u_10012", form(third).id), pressed("escape")).state
    assert.match(screen(all).join("\n"), /3× slack webhook missing.* 3 changed/u)
    // A failure after the change counts again.
    const later = { ...event(2, { fails: true }), _id: "later", createdAt: new Date(now + 60_000).toISOString() }
    assert.match(screen(play(all, page([later, ...others])).state).join("\n"), /4× slack webhook missing.* c fixes 1/u)
  })
  it("counts and queues no subscriber that was deleted, or whose step has succeeded since", () => {
    const { subscriber: _, ...deleted } = event(7, { fails: true })
    const fixed = [event(3, { subscriber: 12 }), event(12, { fails: true })]
    const failures = [event(2, { fails: true }), ...fixed, deleted, event(17, { fails: true })]
    const list = play(initial({ columns: 120, rows: 40 }), page(failures)).state
    assert.match(screen(list).join("\n"), /4× slack webhook missing.* c fixes 2 /u)
    assert.include(screen(list).at(-1), "c fix 2 ")
    assert.deepStrictEqual(play(list, pressed("c")).state.fix?.subscribers, ["u_10002", "u_10017"])
    const [after, failed] = fixed
    assert(after !== undefined && failed !== undefined)
    assert.match(
      screen(play(initial({ columns: 120, rows: 40 }), page([after, failed])).state).join("\n"),
      /1× slack webhook missing.* fixed since/u
    )
    // An earlier success says nothing of the failure after it.
    const before = [event(2, { fails: true }), event(5, { subscriber: 2 })]
    assert.match(screen(play(initial(), page(before)).state).join("\n"), /1× slack webhook missing: c fixes 1/u)
  })
  it("is not sent a second time without a change: that would add device tokens twice", () => {
    const sent = play(start, hook, pressed("ctrl-s"), saved("u_10002", form(start).id)).state
    const again = play(sent, pressed("ctrl-s"))
    assert.deepStrictEqual(again.commands, [])
    assert.include(again.state.notice?.text, "this is saved; change a field to send it again")
    assert.lengthOf(play(sent, pressed(..."5", "ctrl-s")).commands, 1)
  })
  it("hides the secret after saving it", () => {
    const typed = play(start, hook).state
    assert.isTrue(screen(typed).some((line) => line.includes("group-1234")))
    const sent = play(typed, pressed("ctrl-s"), saved("u_10002", form(start).id)).state
    assert.isFalse(screen(sent).some((line) => line.includes("group-1234")))
  })

  it("is no queue for one subscriber, nor where credentials are not the cause", () => {
    assert.isUndefined(play(initial(), page([event(2, { fails: true })]), pressed("c")).state.fix)
    assert.isUndefined(play(initial(), page([event(1), event(3)]), pressed("c")).state.fix)
  })
})

describe("a form that is left before it is saved", () => {
  const url = { _tag: "Paste", text: "https://hooks.example.test/T0/B0/draft-5678" } as const
  const failed = play(loaded(5), pressed("j", "j")).state
  const left = play(failed, pressed("c"), url, pressed("escape")).state
  it("has what was typed when it is opened again for the subscriber, from the event or from the subscriber", () => {
    for (const way of [["c"], ["s", "a"], ["enter", "c"]]) {
      const again = play(left, pressed(...way)).state
      assert.strictEqual(valueOf(form(again), "webhookUrl"), url.text)
      assert.include(again.notice?.text, "your earlier input is restored")
    }
  })
  it("has it not for another subscriber, after it was saved, or when nothing was typed", () => {
    assert.strictEqual(valueOf(form(play(left, pressed("k", "c")).state), "webhookUrl"), "")
    const emptied = play(left, pressed("c", "ctrl-u", "escape", "c")).state
    assert.strictEqual(valueOf(form(emptied), "webhookUrl"), "")
    assert.isUndefined(emptied.notice)
  })
  it("does not mix the values of two providers", () => {
    const known = play(left, pressed("c", "shift-tab", "shift-tab", "ctrl-u", ..."discord", "escape", "c")).state
    assert.strictEqual(valueOf(form(known), "providerId"), "slack")
    assert.strictEqual(valueOf(form(known), "webhookUrl"), "")
  })
  it("has provider and integration, too, when nothing else was typed", () => {
    const again = play(loaded(5), pressed("c", ..."fcm", "tab", ..."fcm-eu", "escape", "c")).state
    assert.strictEqual(valueOf(form(again), "providerId"), "fcm")
    assert.strictEqual(valueOf(form(again), "integrationIdentifier"), "fcm-eu")
  })
  it("is kept for each provider of the subscriber", () => {
    const slack = event(2, { fails: true })
    const discord = {
      ...slack,
      _id: "another",
      jobs: (slack.jobs ?? []).map((job) => Object.assign({}, job, { providerId: "discord" }))
    }
    const both = play(initial(), page([slack, discord]), pressed("c"), url, pressed("escape", "j", "c")).state
    assert.strictEqual(valueOf(form(both), "providerId"), "discord")
    assert.strictEqual(valueOf(form(both), "webhookUrl"), "")
    const again = play(both, pressed(..."https", "escape", "k", "c")).state
    assert.strictEqual(valueOf(form(again), "webhookUrl"), url.text)
    assert.strictEqual(valueOf(form(play(again, pressed("escape", "j", "c")).state), "webhookUrl"), "https")
  })
  it("hides a revealed secret on a form that is opened again", () => {
    const again = play(failed, pressed("c"), url, pressed("ctrl-v", "escape", "c")).state
    assert.isUndefined(form(again).revealedUntil)
  })
  it("cannot be sent again when it was saved after its screen was closed", () => {
    const sent = play(failed, pressed("c"), url, pressed("ctrl-s", "escape"))
    const away = play(sent.state, pressed("c")).state
    assert.isTrue(form(away).sending)
    const { state } = play(sent.state, savedAnswer)
    assert.include(state.notice?.text, "slack credentials of u_10002 saved: 200")
    assert.strictEqual(valueOf(form(play(state, pressed("c")).state), "webhookUrl"), "")
  })
  it("still reports that it was refused", () => {
    const sent = play(failed, pressed("c"), url, pressed("ctrl-s"))
    assert.strictEqual(sent.commands.at(-1)?._tag, "UpsertCredentials")
    const problem = { summary: "credentials.upsert failed: 422.", advice: "Correct it.", fields: [], at: now }
    const { state } = play(sent.state, pressed("escape"), { _tag: "CredentialsRefused", screenId: 1, problem })
    assert.include(state.notice?.text, "not saved: credentials.upsert failed: 422. Correct it.")
  })
})
