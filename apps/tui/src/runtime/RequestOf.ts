import { largestPage, operations } from "@signalbox/core/Operations"
import { queryOfFilters } from "@signalbox/core/Events"
import { type Call, curl, targetOf } from "@signalbox/operator/report/Curl"
import { upsertCurl } from "../screens/credentials/CredentialsRequest.ts"
import { filtersFor } from "../screens/event/EventScreen.ts"
import type { Command } from "../state/Command.ts"
import type { ConnectionInfo } from "../state/Connection.ts"
import type { Request } from "../state/Requests.ts"

const made = (call: Call): Request => ({
  method: operations[call.operation].method,
  target: targetOf(call),
  curl: curl(call)
})

/** The request that changes credentials. */
export const upsertRequest = (
  subscriberId: string,
  input: unknown,
  where: Pick<ConnectionInfo, "baseUrl" | "vendor">
): Request => ({
  method: operations["credentials.upsert"].method,
  target: targetOf({ operation: "credentials.upsert", baseUrl: where.baseUrl, params: { subscriberId } }),
  curl: upsertCurl(subscriberId, input, where)
})

/** The request of a command; absent for commands that send no request. */
export const requestOf = (command: Command, { baseUrl, vendor }: ConnectionInfo): Request | undefined => {
  const where = { baseUrl, ...(vendor === undefined ? {} : { vendor }) }
  switch (command._tag) {
    case "LoadEvents":
    case "LoadWindow":
    case "SampleWindow":
      return made({ ...where, operation: "events.list", query: queryOfFilters(command.filters) })
    case "LoadEvent":
      return made({ ...where, operation: "events.list", query: queryOfFilters(filtersFor(command.event)) })
    case "FindEvent":
      return made({
        ...where,
        operation: "events.list",
        query: { transactionId: command.transactionId, limit: largestPage }
      })
    case "UpsertCredentials":
      return upsertRequest(command.subscriberId, command.input, where)
    case "MarkMessages": {
      const { ids, markAs, subscriberId } = command.mark
      return made({
        ...where,
        operation: "messages.markAs",
        params: { subscriberId },
        payload: { messageId: ids, markAs }
      })
    }
    default:
      return undefined
  }
}
