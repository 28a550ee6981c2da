import { createClient } from "@signalbox/sdk"

// Reports the processor time of a thousand upserts with the SDK in a loop, in milliseconds, after as many to warm up.
const [baseUrl = "", count = "", concurrency = ""] = process.argv.slice(2)
const client = createClient({ apiKey: "key", baseUrl })

const loop = async (): Promise<number> => {
  const left = Array.from({ length: Number(count) }, (_, at) => at).values()
  const before = process.cpuUsage()
  const worker = async () => {
    for (const at of left) {
      await client.credentials.upsert(`u_${at}`, {
        providerId: "fcm",
        credentials: { deviceTokens: [`device-token-${at}`] }
      })
    }
  }
  await Promise.all(Array.from({ length: Number(concurrency) }, worker))
  const { system, user } = process.cpuUsage(before)
  return (system + user) / Number(count)
}

await loop()
process.send?.(await loop())
