// The API as an `HttpApi`, built from the values of the operations. Only the OpenAPI document and tests are made from it:
// the client that Effect derives from an `HttpApi` is for a service that one owns.
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as HttpApiSecurity from "effect/http-api/HttpApiSecurity"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { registry } from "./Registry.ts"

/** The headers of every operation besides `Authorization` (API document: Endpoints). */
const headers = {
  /** A header for idempotency purposes; the document does not show what repeating a request with the same key does. */
  "idempotency-key": Schema.optionalKey(Schema.String)
}

/** Authentication with the header `Authorization: ApiKey <API_KEY>` (API document: Authentication). */
export class ApiKeyAuthentication extends HttpApiMiddleware.Service<ApiKeyAuthentication>()(
  "@signalbox/core/Api/ApiKeyAuthentication",
  {
    requiredForClient: true,
    security: { ApiKey: HttpApiSecurity.http({ scheme: "ApiKey" }) }
  }
) {}

type Operation = (typeof registry)[keyof typeof registry]

const endpointOf = (name: string, { method, params, path, payload, query, status, success, summary }: Operation) => {
  const body: Schema.Top = success
  return HttpApiEndpoint.make(method)(name, path, {
    headers,
    params,
    query,
    payload,
    success: body.pipe(HttpApiSchema.status(status))
  })
    .annotate(OpenApi.Summary, summary)
    .middleware(ApiKeyAuthentication)
}

type Group = HttpApiGroup.HttpApiGroup<string, HttpApiEndpoint.Constraint>

const groups = new Map<string, Group>()
for (const operation of Object.values(registry)) {
  const [id = "", endpoint = ""] = operation.name.split(".")
  groups.set(id, (groups.get(id) ?? HttpApiGroup.make(id)).add(endpointOf(endpoint, operation)))
}

/** The operations of the service: `events.list` is the endpoint `list` of the group `events` (API document: Endpoints). */
export const Api = HttpApi.make("signalbox").add(
  // At least one group: there are operations.
  ...([...groups.values()] as [Group])
)
