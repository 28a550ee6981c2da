/**
 * The API as an `HttpApi`, built from the values of the operations.
 *
 * **When to use**: for fakes, test URLs, generators and the OpenAPI document. A client of the service does not need it,
 * and should not import it: it brings `effect/http-api` along.
 *
 * @since 0.1.0
 */
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as HttpApiSecurity from "effect/http-api/HttpApiSecurity"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { CredentialsUpsert } from "./CredentialsUpsert.ts"
import { EventsList } from "./EventsList.ts"
import { MessagesMarkAs } from "./MessagesMarkAs.ts"

/**
 * The headers of every operation besides `Authorization` (API document: Endpoints).
 */
const headers = {
  /** A header for idempotency purposes; the document does not show what repeating a request with the same key does. */
  "idempotency-key": Schema.optionalKey(Schema.String)
}

/**
 * Authentication with the header `Authorization: ApiKey <API_KEY>` (API document: Authentication).
 *
 * The key identifies the organization and the environment in which the operation runs.
 */
export class ApiKeyAuthentication extends HttpApiMiddleware.Service<ApiKeyAuthentication>()(
  "@signalbox/core/Api/ApiKeyAuthentication",
  {
    requiredForClient: true,
    security: { ApiKey: HttpApiSecurity.http({ scheme: "ApiKey" }) }
  }
) {}

/**
 * Credentials of subscribers (API document: Endpoints, Upsert provider credentials).
 */
export class CredentialsGroup extends HttpApiGroup.make("credentials")
  .add(
    HttpApiEndpoint.patch("upsert", CredentialsUpsert.path, {
      headers,
      params: CredentialsUpsert.params,
      payload: CredentialsUpsert.payload,
      success: CredentialsUpsert.success.pipe(HttpApiSchema.status(CredentialsUpsert.status))
    }).annotate(OpenApi.Summary, CredentialsUpsert.summary)
  )
  .middleware(ApiKeyAuthentication) {}

/**
 * Messages of subscribers (API document: Endpoints, Update notifications state).
 */
export class MessagesGroup extends HttpApiGroup.make("messages")
  .add(
    HttpApiEndpoint.post("markAs", MessagesMarkAs.path, {
      headers,
      params: MessagesMarkAs.params,
      payload: MessagesMarkAs.payload,
      success: MessagesMarkAs.success.pipe(HttpApiSchema.status(MessagesMarkAs.status))
    }).annotate(OpenApi.Summary, MessagesMarkAs.summary)
  )
  .middleware(ApiKeyAuthentication) {}

/**
 * Triggered events of the environment (API document: Endpoints, List all events).
 */
export class EventsGroup extends HttpApiGroup.make("events")
  .add(
    HttpApiEndpoint.get("list", EventsList.path, {
      headers,
      query: EventsList.query,
      success: EventsList.success.pipe(HttpApiSchema.status(EventsList.status))
    }).annotate(OpenApi.Summary, EventsList.summary)
  )
  .middleware(ApiKeyAuthentication) {}

/**
 * The three operations of the service (API document: Endpoints).
 */
export class Api extends HttpApi.make("signalbox").add(CredentialsGroup).add(MessagesGroup).add(EventsGroup) {}
