import { createClient } from "@signalbox/sdk"
import { inLoop, upserts } from "../UpsertWork.ts"

// Reports the processor time of a thousand upserts with the SDK in a loop, in milliseconds, after as many to warm up.
const [baseUrl = "", count = "", concurrency = ""] = process.argv.slice(2)
const client = createClient({ apiKey: "key", baseUrl })

const loop = async (): Promise<number> => {
  const before = process.cpuUsage()
  await inLoop(upserts(Number(count)), Number(concurrency), ({ subscriberId, ...input }) =>
    client.credentials.upsert(subscriberId, input)
  )
  const { system, user } = process.cpuUsage(before)
  return (system + user) / Number(count)
}

await loop()
process.send?.(await loop())
