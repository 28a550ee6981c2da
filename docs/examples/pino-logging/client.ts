import { type Client, type ClientOptions, createClient } from "@signalbox/sdk"
import type { Logger } from "pino"

/** A client that logs its attempts, and how responses differ from the API document. */
export const makeClient = (options: ClientOptions, logger: Logger): Client =>
  createClient({
    ...options,
    onAttempt: (attempt) => {
      const level = attempt.outcome === "success" ? "debug" : "warn"
      logger[level]({ attempt }, "notification service: attempt")
    },
    onDrift: ({ entries }) => {
      logger.warn({ drift: entries }, "notification service: the response differs from the API document")
    }
  })
