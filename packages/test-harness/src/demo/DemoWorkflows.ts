/**
 * The workflows of the demo: a web shop with a support team.
 */
import type { StepInput } from "../state/RecordInput.ts"
import type { WorkflowFields } from "../generate/Builders.ts"

const forTier = (value: string): NonNullable<StepInput["filters"]> => [
  {
    isNegated: false,
    type: "GROUP",
    value: "AND",
    children: [{ on: "payload", field: "customer.tier", operator: "EQUAL", value }]
  }
]

const step = (type: StepInput["type"], name: string, facts: Omit<StepInput, "type" | "name"> = {}): StepInput => ({
  type,
  name,
  ...facts
})

const workflow = (
  identifier: string,
  name: string,
  description: string,
  facts: Pick<WorkflowFields, "severity" | "critical" | "tags" | "variables">,
  steps: ReadonlyArray<StepInput>
): WorkflowFields => ({ identifier, name, description, ...facts, steps })

export const demoWorkflows: ReadonlyArray<WorkflowFields> = [
  workflow(
    "order-confirmed",
    "Order confirmed",
    "Tells a customer that an order was taken",
    { tags: ["orders", "transactional"], variables: ["orderId", "total", "items"] },
    [
      step("in_app", "Inbox", {
        subject: "Order {{payload.orderId}} confirmed",
        content: "Thank you {{subscriber.firstName}}, we are packing order {{payload.orderId}}.",
        redirect: "https://shop.example.test/orders/{{payload.orderId}}"
      }),
      step("email", "Receipt", {
        subject: "Your order {{payload.orderId}}",
        content: "<p>Total: {{payload.total}} {{payload.currency}}</p>"
      }),
      step("push", "Phone", { subject: "Order confirmed", content: "Order {{payload.orderId}} is on its way soon." })
    ]
  ),
  workflow(
    "order-shipped",
    "Order shipped",
    "Tells a customer that a parcel is on its way",
    { severity: "medium", tags: ["orders"], variables: ["orderId", "carrier", "trackingId"] },
    [
      step("digest", "Collect parcels", { wait: { amount: 10, unit: "minutes" }, digestKey: "orderId" }),
      step("in_app", "Inbox", {
        content: "{{payload.carrier}} has your parcel {{payload.trackingId}}.",
        redirect: "https://shop.example.test/track/{{payload.trackingId}}"
      }),
      step("sms", "Text message", { content: "{{payload.carrier}} brings order {{payload.orderId}} tomorrow." }),
      step("push", "Phone", { subject: "Shipped", content: "Order {{payload.orderId}} has left our house." })
    ]
  ),
  workflow(
    "payment-failed",
    "Payment failed",
    "Asks a customer for another means of payment",
    { severity: "high", critical: true, tags: ["billing"], variables: ["invoiceId", "amount", "reason"] },
    [
      step("in_app", "Inbox", {
        content: "We could not charge {{payload.amount}} for invoice {{payload.invoiceId}}.",
        buttons: [
          { type: "primary", content: "Pay now" },
          { type: "secondary", content: "Later" }
        ]
      }),
      step("email", "Reminder", { subject: "Payment failed", content: "<p>{{payload.reason}}</p>", stopOnFail: true }),
      step("delay", "Wait two hours", { wait: { amount: 2, unit: "hours" } }),
      step("sms", "Text message", { content: "Invoice {{payload.invoiceId}} is still open." })
    ]
  ),
  workflow(
    "ticket-assigned",
    "Ticket assigned",
    "Tells an agent about a new ticket",
    { tags: ["support", "internal"], variables: ["ticketId", "title"] },
    [
      step("in_app", "Inbox", { content: "{{payload.ticketId}}: {{payload.title}}" }),
      step("chat", "Team chat", { content: "*{{payload.ticketId}}* {{payload.title}}" })
    ]
  ),
  workflow(
    "incident-opened",
    "Incident opened",
    "Wakes the people on call",
    {
      severity: "high",
      critical: true,
      tags: ["operations", "internal"],
      variables: ["incidentId", "service", "summary"]
    },
    [
      step("chat", "War room", { content: "{{payload.service}}: {{payload.summary}}" }),
      step("push", "Phone", { subject: "Incident {{payload.incidentId}}", content: "{{payload.summary}}" }),
      step("sms", "Text message", { content: "{{payload.incidentId}}: {{payload.summary}}" })
    ]
  ),
  workflow(
    "weekly-summary",
    "Weekly summary",
    "Numbers of the week for account owners",
    { severity: "low", tags: ["reports"], variables: ["week"] },
    [
      step("digest", "Collect the week", { wait: { amount: 8, unit: "hours" } }),
      step("custom", "Make the charts", { stopOnFail: true }),
      step("email", "Summary", { subject: "Week {{payload.week}}", content: "<h1>Week {{payload.week}}</h1>" })
    ]
  ),
  workflow(
    "login-alert",
    "New sign-in",
    "Warns of a sign-in from a new device",
    { severity: "high", tags: ["security"], variables: ["device", "city"] },
    [
      step("throttle", "At most one an hour", { wait: { amount: 1, unit: "hours" }, threshold: 1 }),
      step("email", "Warning", { subject: "New sign-in from {{payload.city}}", content: "<p>{{payload.device}}</p>" }),
      step("push", "Phone", { subject: "New sign-in", content: "{{payload.device}} in {{payload.city}}" })
    ]
  ),
  workflow(
    "welcome",
    "Welcome",
    "First steps for a new customer",
    { severity: "none", tags: ["onboarding"], variables: ["plan"] },
    [
      step("email", "Hello", { subject: "Welcome {{subscriber.firstName}}", content: "<p>Glad you are here.</p>" }),
      step("delay", "Wait a day", { wait: { amount: 1, unit: "days" } }),
      step("in_app", "First tip", { content: "Three things to try on the {{payload.plan}} plan." })
    ]
  ),
  workflow(
    "price-drop",
    "Price drop",
    "A product on the wish list got cheaper",
    { severity: "low", tags: ["marketing"], variables: ["product", "price"] },
    [
      step("in_app", "Inbox", { content: "{{payload.product}} now costs {{payload.price}}." }),
      step("push", "Phone for members", {
        filters: forTier("member"),
        content: "{{payload.product}}: {{payload.price}}"
      }),
      step("email", "Newsletter", {
        subject: "{{payload.product}} for {{payload.price}}",
        content: "<p>Only this week.</p>"
      })
    ]
  )
]
