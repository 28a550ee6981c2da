// Handle an error by its reason
import { createClientFromEnv, isSignalboxError } from "@signalbox/sdk"

const client = createClientFromEnv()

try {
  await client.messages.markAs("no-such-user", { messageId: "65f0a1b2c3d4e5f6a7b8c9d0", markAs: "read" })
} catch (error) {
  if (!isSignalboxError(error)) throw error
  console.log(error.reason._tag, error.status)
  console.log(error.advice)
  console.log("may have been applied:", error.mayHaveBeenApplied)
  for (const { durationMs, status } of error.attempts) console.log({ durationMs, status })
}
