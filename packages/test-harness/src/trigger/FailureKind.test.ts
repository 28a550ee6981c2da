import { expect, it } from "@effect/vitest"
import { createFake, manualClock } from "../index.ts"
import { failureKinds } from "./FailureKind.ts"

/** Steps with a provider that sends them. */
const ways = [
  ["email", "sendgrid"],
  ["email", "nodemailer"],
  ["sms", "twilio"],
  ["sms", "sns"],
  ["push", "expo"],
  ["push", "fcm"],
  ["push", "apns"],
  ["chat", "slack"],
  ["in_app", undefined],
  ["custom", undefined]
] as const

/** The details with which the job of a workflow with one step ends, as the service lists them. */
const detailsOf = async ([type, providerId]: (typeof ways)[number], kind: (typeof failureKinds)[number]) => {
  const clock = manualClock("2026-05-01T08:00:00Z")
  const fake = createFake({ data: "empty", seed: 3, clock })
  const credentials = type === "chat" ? { webhookUrl: "https://chat.example/hook" } : { deviceTokens: ["token-1"] }
  const integration = providerId && fake.addIntegration({ providerId, identifier: "one" })
  const isReached = (type === "push" || type === "chat") && integration !== undefined
  fake.addSubscriber({
    subscriberId: "ana",
    email: "ana@example.test",
    phone: "+15550100",
    ...(isReached
      ? { channels: [{ providerId, integrationId: integration.id, integrationIdentifier: "one", credentials }] }
      : {})
  })
  fake.addWorkflow({ identifier: "flow", steps: [{ type }] })
  fake.trigger({ workflow: "flow", to: "ana", failures: { [type]: kind } })
  clock.advance(60_000)
  const response = await fake.fetch(`${fake.baseUrl}/v1/notifications`, {
    headers: { authorization: `ApiKey ${fake.apiKey}` }
  })
  const { data } = (await response.json()) as {
    readonly data: ReadonlyArray<{ readonly jobs: ReadonlyArray<{ readonly executionDetails: ReadonlyArray<Detail> }> }>
  }
  const details = data[0]?.jobs[0]?.executionDetails ?? []
  return details.flatMap(({ detail, raw, status }) =>
    status === "Pending" ? [] : [`    ${status}: ${detail}${raw == null ? "" : ` ${raw}`}`]
  )
}

interface Detail {
  readonly detail: string
  readonly status: string
  readonly raw?: string | null
}

it("failures.txt has the details of each failure of each provider (vitest run FailureKind -u updates it)", async () => {
  const lines: Array<string> = []
  for (const kind of failureKinds) {
    lines.push(kind)
    for (const way of ways) lines.push(`  ${way.join(" ").trim()}`, ...(await detailsOf(way, kind)))
  }
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("./failures.txt")
})
