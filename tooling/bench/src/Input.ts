/** A subscriber as a service returns it. */
export const subscriber = {
  subscriberId: "u_1",
  _organizationId: "o",
  _environmentId: "e",
  deleted: false,
  createdAt: "2026-01-01T00:00:00.000Z",
  updatedAt: "2026-01-01T00:00:00.000Z"
}

/** Options of {@link eventPage}. */
interface EventPageOptions {
  readonly events?: number
  readonly seed?: number
  /** The vendor's name in wire identifiers; peers that know one service only need theirs. */
  readonly vendor?: string
}

/** A deterministic source of numbers in [0, 1): the same seed gives the same inputs on every machine (mulberry32). */
const randomFrom = (seed: number) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const workflows = [
  { name: "Order shipped", identifier: "order-shipped", tags: ["orders", "customer"] },
  { name: "Comment mention", identifier: "comment-mention", tags: ["social"] },
  { name: "Password changed", identifier: "password-changed", tags: ["security", "account"] },
  { name: "Weekly report", identifier: "weekly-report", tags: ["digest"] },
  { name: "Invoice overdue", identifier: "invoice-overdue", tags: ["billing", "customer"] }
]
const products = ["Walnut desk", "Linen curtain", "Cast-iron pan", "Reading lamp", "Wool blanket", "Oak shelf"]
const firstNames = ["Ada", "Grace", "Linus", "Margaret", "Edsger", "Barbara", "Alan", "Radia"]
const lastNames = ["Lovelace", "Hopper", "Torvalds", "Hamilton", "Dijkstra", "Liskov", "Turing", "Perlman"]
const cities = ["Lisbon", "Oslo", "Nairobi", "Kyoto", "Montréal", "Łódź"]

/**
 * A page of the event listing as a service sends it: three jobs for each event, four execution details for each job,
 * payloads, free-form records, provider names. Fifty events are 180 to 280 KB of JSON. Every record satisfies the
 * strictest reader measured here (the peers'), so all of them do the same work.
 */
export const eventPage = ({ events = 50, seed = 1, vendor = "service" }: EventPageOptions = {}) => {
  const random = randomFrom(seed)
  const pick = <A>(values: ReadonlyArray<A>): A => {
    const value = values[Math.floor(random() * values.length)]
    if (value === undefined) throw new Error("pick: the list is empty")
    return value
  }
  const id = () => Array.from({ length: 24 }, () => Math.floor(random() * 16).toString(16)).join("")
  const environment = id()
  const organization = id()
  let now = Date.UTC(2026, 10, 21, 9, 0, 0)
  const timestamp = (offset = 0) => new Date(now + offset).toISOString()

  const channels = [
    { type: "email", providers: ["sendgrid", "ses", "postmark", `${vendor}-email`] },
    { type: "sms", providers: ["twilio", "sns", "telnyx"] },
    { type: "push", providers: ["fcm", "apns", "expo"] },
    { type: "chat", providers: ["slack", "discord", "msteams"] },
    { type: "in_app", providers: [vendor] }
  ]

  const executionDetail = (providerId: string, index: number, failed: boolean) => ({
    _id: id(),
    createdAt: timestamp(index * 40),
    status: failed && index === 3 ? "Failed" : index === 3 ? "Success" : "Pending",
    detail:
      ["Step queued", "Start processing", "Message created", failed ? "Provider error" : "Message sent"][index] ?? "",
    isRetry: false,
    isTest: false,
    providerId,
    ...(index === 3
      ? { raw: JSON.stringify({ provider: providerId, messageId: id(), statusCode: failed ? 401 : 202 }) }
      : {}),
    source: failed && index === 3 ? "Credentials" : "Internal"
  })

  const payload = () => ({
    orderId: `A-${Math.floor(random() * 9000) + 1000}`,
    placedAt: timestamp(-86_400_000),
    currency: pick(["EUR", "USD", "JPY"]),
    items: Array.from({ length: 2 }, () => ({
      sku: id().slice(0, 8),
      name: pick(products),
      quantity: 1 + Math.floor(random() * 3),
      price: Math.floor(random() * 20_000) / 100
    })),
    address: { city: pick(cities), street: `${Math.floor(random() * 200)} Harbour Street`, gift: random() < 0.2 }
  })

  const job = (channel: (typeof channels)[number], orderId: string) => {
    const providerId = pick(channel.providers)
    const failed = random() < 0.15
    return {
      _id: id(),
      type: channel.type,
      executionDetails: Array.from({ length: 4 }, (_, index) => executionDetail(providerId, index, failed)),
      step: {
        _id: id(),
        active: true,
        filters:
          random() < 0.3
            ? [
                {
                  isNegated: false,
                  type: "GROUP",
                  value: "AND",
                  children: [{ field: "tier", value: "gold", operator: "EQUAL", on: "subscriber" }]
                }
              ]
            : [],
        _templateId: id(),
        name: `Send ${channel.type}`,
        _parentId: null,
        ...(random() < 0.4 ? { template: { type: channel.type, subject: "Your order is on its way" } } : {}),
        controlVariables: { tone: "friendly" }
      },
      payload: { orderId },
      providerId,
      status: failed ? "failed" : "completed",
      updatedAt: timestamp(900)
    }
  }

  const event = () => {
    now -= 1_000 + Math.floor(random() * 90_000)
    const workflow = pick(workflows)
    const first = pick(firstNames)
    const last = pick(lastNames)
    const subscriberId = `u_${Math.floor(random() * 90_000) + 10_000}`
    const internal = id()
    const variables = payload()
    const used = [...channels].sort(() => random() - 0.5).slice(0, 3)
    return {
      _id: id(),
      _environmentId: environment,
      _organizationId: organization,
      _subscriberId: internal,
      transactionId: `txn_${id()}`,
      _templateId: id(),
      createdAt: timestamp(),
      updatedAt: timestamp(1_000),
      channels: used.map((channel) => channel.type),
      subscriber: {
        _id: internal,
        subscriberId,
        firstName: first,
        lastName: last,
        email: `${first}.${last}@example.com`.toLowerCase(),
        phone: `+1555${Math.floor(random() * 9_000_000) + 1_000_000}`
      },
      template: {
        _id: id(),
        name: workflow.name,
        origin: `${vendor}-cloud`,
        triggers: [
          {
            type: "event",
            identifier: workflow.identifier,
            variables: [{ name: "orderId" }, { name: "items" }, { name: "address" }],
            subscriberVariables: [{ name: "email" }]
          }
        ]
      },
      jobs: used.map((channel) => job(channel, variables.orderId)),
      payload: variables,
      tags: workflow.tags,
      controls: { [used[0]?.type ?? "email"]: { subject: "Your order is on its way" } },
      to: { subscriberId, email: `${first}.${last}@example.com`.toLowerCase() },
      topics: [{ _topicId: id(), topicKey: "orders" }],
      severity: pick(["high", "medium", "low", "none"]),
      critical: random() < 0.1,
      contextKeys: [`tenant:${pick(["north", "south"])}`]
    }
  }

  return { data: Array.from({ length: events }, event), hasMore: true, page: 0, pageSize: events }
}
