/**
 * The workflows of the demo: a web shop with a support team.
 */
import type { WorkflowFields } from "../generate/Builders.ts"

const premium = (value: string) => [
  {
    isNegated: false,
    type: "GROUP" as const,
    value: "AND" as const,
    children: [{ on: "payload" as const, field: "customer.tier", operator: "EQUAL" as const, value }]
  }
]

export const demoWorkflows: ReadonlyArray<WorkflowFields> = [
  {
    identifier: "order-confirmed",
    name: "Order confirmed",
    description: "Tells a customer that an order was taken",
    tags: ["orders", "transactional"],
    variables: ["orderId", "total", "items"],
    steps: [
      {
        type: "in_app",
        name: "Inbox",
        subject: "Order {{payload.orderId}} confirmed",
        content: "Thank you {{subscriber.firstName}}, we are packing order {{payload.orderId}}.",
        redirect: "https://shop.example.test/orders/{{payload.orderId}}"
      },
      {
        type: "email",
        name: "Receipt",
        subject: "Your order {{payload.orderId}}",
        content: "<p>Total: {{payload.total}} {{payload.currency}}</p>"
      },
      {
        type: "push",
        name: "Phone",
        subject: "Order confirmed",
        content: "Order {{payload.orderId}} is on its way soon."
      }
    ]
  },
  {
    identifier: "order-shipped",
    name: "Order shipped",
    description: "Tells a customer that a parcel is on its way",
    severity: "medium",
    tags: ["orders"],
    variables: ["orderId", "carrier", "trackingId"],
    steps: [
      { type: "digest", name: "Collect parcels", wait: { amount: 10, unit: "minutes" }, digestKey: "orderId" },
      {
        type: "in_app",
        name: "Inbox",
        content: "{{payload.carrier}} has your parcel {{payload.trackingId}}.",
        redirect: "https://shop.example.test/track/{{payload.trackingId}}"
      },
      { type: "sms", name: "Text message", content: "{{payload.carrier}} brings order {{payload.orderId}} tomorrow." },
      { type: "push", name: "Phone", subject: "Shipped", content: "Order {{payload.orderId}} has left our house." }
    ]
  },
  {
    identifier: "payment-failed",
    name: "Payment failed",
    description: "Asks a customer for another means of payment",
    severity: "high",
    critical: true,
    tags: ["billing"],
    variables: ["invoiceId", "amount", "reason"],
    steps: [
      {
        type: "in_app",
        name: "Inbox",
        content: "We could not charge {{payload.amount}} for invoice {{payload.invoiceId}}.",
        buttons: [
          { type: "primary", content: "Pay now" },
          { type: "secondary", content: "Later" }
        ]
      },
      {
        type: "email",
        name: "Reminder",
        subject: "Payment failed",
        content: "<p>{{payload.reason}}</p>",
        stopOnFail: true
      },
      { type: "delay", name: "Wait two hours", wait: { amount: 2, unit: "hours" } },
      { type: "sms", name: "Text message", content: "Invoice {{payload.invoiceId}} is still open." }
    ]
  },
  {
    identifier: "ticket-assigned",
    name: "Ticket assigned",
    description: "Tells an agent about a new ticket",
    tags: ["support", "internal"],
    variables: ["ticketId", "title"],
    steps: [
      { type: "in_app", name: "Inbox", content: "{{payload.ticketId}}: {{payload.title}}" },
      { type: "chat", name: "Team chat", content: "*{{payload.ticketId}}* {{payload.title}}" }
    ]
  },
  {
    identifier: "incident-opened",
    name: "Incident opened",
    description: "Wakes the people on call",
    severity: "high",
    critical: true,
    tags: ["operations", "internal"],
    variables: ["incidentId", "service", "summary"],
    steps: [
      { type: "chat", name: "War room", content: "{{payload.service}}: {{payload.summary}}" },
      { type: "push", name: "Phone", subject: "Incident {{payload.incidentId}}", content: "{{payload.summary}}" },
      { type: "sms", name: "Text message", content: "{{payload.incidentId}}: {{payload.summary}}" }
    ]
  },
  {
    identifier: "weekly-summary",
    name: "Weekly summary",
    description: "Numbers of the week for account owners",
    severity: "low",
    tags: ["reports"],
    variables: ["week"],
    steps: [
      { type: "digest", name: "Collect the week", wait: { amount: 8, unit: "hours" } },
      { type: "custom", name: "Make the charts", stopOnFail: true },
      { type: "email", name: "Summary", subject: "Week {{payload.week}}", content: "<h1>Week {{payload.week}}</h1>" }
    ]
  },
  {
    identifier: "login-alert",
    name: "New sign-in",
    description: "Warns of a sign-in from a new device",
    severity: "high",
    tags: ["security"],
    variables: ["device", "city"],
    steps: [
      { type: "throttle", name: "At most one an hour", wait: { amount: 1, unit: "hours" }, threshold: 1 },
      {
        type: "email",
        name: "Warning",
        subject: "New sign-in from {{payload.city}}",
        content: "<p>{{payload.device}}</p>"
      },
      { type: "push", name: "Phone", subject: "New sign-in", content: "{{payload.device}} in {{payload.city}}" }
    ]
  },
  {
    identifier: "welcome",
    name: "Welcome",
    description: "First steps for a new customer",
    severity: "none",
    tags: ["onboarding"],
    variables: ["plan"],
    steps: [
      {
        type: "email",
        name: "Hello",
        subject: "Welcome {{subscriber.firstName}}",
        content: "<p>Glad you are here.</p>"
      },
      { type: "delay", name: "Wait a day", wait: { amount: 1, unit: "days" } },
      { type: "in_app", name: "First tip", content: "Three things to try on the {{payload.plan}} plan." }
    ]
  },
  {
    identifier: "price-drop",
    name: "Price drop",
    description: "A product on the wish list got cheaper",
    severity: "low",
    tags: ["marketing"],
    variables: ["product", "price"],
    steps: [
      { type: "in_app", name: "Inbox", content: "{{payload.product}} now costs {{payload.price}}." },
      {
        type: "push",
        name: "Phone for members",
        filters: premium("member"),
        content: "{{payload.product}}: {{payload.price}}"
      },
      {
        type: "email",
        name: "Newsletter",
        subject: "{{payload.product}} for {{payload.price}}",
        content: "<p>Only this week.</p>"
      }
    ]
  }
]
