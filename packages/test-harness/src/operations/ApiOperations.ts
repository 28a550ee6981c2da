/**
 * The operations of the API, as the fake routes them.
 */
import type { OperationName } from "@signalbox/core/Operation"
import { CredentialsUpsert } from "@signalbox/core/operation/CredentialsUpsert"
import { EventsList } from "@signalbox/core/operation/EventsList"
import { MessagesMarkAs } from "@signalbox/core/operation/MessagesMarkAs"

/** The operations. */
export const apiOperations = [CredentialsUpsert, MessagesMarkAs, EventsList] as const

/** Their names. */
export const operationNames: ReadonlyArray<OperationName> = apiOperations.map(({ name }) => name)

const reads: ReadonlySet<OperationName> = new Set(
  apiOperations.flatMap(({ method, name }) => (method === "GET" ? [name] : []))
)

/** Whether an operation changes nothing. */
export const isRead = (operation: OperationName): boolean => reads.has(operation)
