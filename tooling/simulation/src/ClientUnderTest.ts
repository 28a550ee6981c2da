/**
 * The client whose claims are judged.
 */
import type * as Layer from "effect/Layer"
import type * as HttpClient from "effect/http/HttpClient"
import * as Client from "@signalbox/core/Client"
import type { ConnectionError, ConnectionOptions } from "@signalbox/core/Connection"
import type { Credentials } from "@signalbox/core/Credentials"
import type { Events } from "@signalbox/core/Events"
import type { Messages } from "@signalbox/core/Messages"

/** Makes a client, over the given transport. */
export type ClientUnderTest = (
  options: ConnectionOptions
) => Layer.Layer<Credentials | Messages | Events, ConnectionError, HttpClient.HttpClient>

/** The client as it ships. */
export const shipped: ClientUnderTest = Client.layer
