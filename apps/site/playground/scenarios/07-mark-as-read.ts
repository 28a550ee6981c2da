// Mark messages as read
import { createClient } from "@signalbox/sdk"
import { createFake } from "@signalbox/test-harness"

const fake = createFake({ seed: 7 })
const client = createClient({ apiKey: fake.apiKey, baseUrl: fake.baseUrl, fetch: fake.fetch })

const unread = fake.state().messages.filter(({ channel, read }) => channel === "in_app" && !read)
const [first] = unread
if (first === undefined) throw new Error("the demo data has no unread message")

const messages = await client.messages.markAs(first.subscriberId, { messageId: first.id, markAs: "read" })
console.table(messages.map(({ _id, read, seen }) => ({ _id, read, seen })))
console.log(`${unread.length} were unread, ${unread.length - 1} are now.`)
