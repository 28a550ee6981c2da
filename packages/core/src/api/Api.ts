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
import type { OperationFacts } from "../contract/Operations.ts"
import { registry } from "./Registry.ts"

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

/** Makes the endpoint of an operation; a part that the operation does not have is `undefined`. */
const makeEndpoint = <
  const Name extends string,
  const Method extends OperationFacts["method"],
  const Path extends OperationFacts["path"],
  Success extends Schema.Top,
  Params extends Schema.Top = never,
  Query extends Schema.Top = never,
  Payload extends HttpApiEndpoint.PayloadConstraintCodecs<Method> = never
>(
  name: Name,
  operation: {
    readonly method: Method
    readonly path: Path
    readonly params: Params | undefined
    readonly query: Query | undefined
    readonly payload: Payload | undefined
    readonly success: Success
    readonly status: number
    readonly summary: string
  }
) =>
  HttpApiEndpoint.make(operation.method)(name, operation.path, {
    headers,
    params: operation.params,
    query: operation.query,
    payload: operation.payload,
    success: operation.success.pipe(HttpApiSchema.status(operation.status))
  })
    .annotate(OpenApi.Summary, operation.summary)
    .middleware(ApiKeyAuthentication)

type Operations = typeof registry

type EndpointOf<Name extends keyof Operations> = Name extends `${string}.${infer Endpoint}`
  ? ReturnType<
      typeof makeEndpoint<
        Endpoint,
        Operations[Name]["method"],
        Operations[Name]["path"],
        Operations[Name]["success"],
        Extract<Operations[Name]["params"], Schema.Top>,
        Extract<Operations[Name]["query"], Schema.Top>,
        Extract<Operations[Name]["payload"], HttpApiEndpoint.PayloadConstraintCodecs<Operations[Name]["method"]>>
      >
    >
  : never

type GroupOf<Name extends keyof Operations> = Name extends `${infer Id}.${string}`
  ? HttpApiGroup.HttpApiGroup<Id, EndpointOf<Extract<keyof Operations, `${Id}.${string}`>>>
  : never

const groups = new Map<string, HttpApiGroup.HttpApiGroup<string, HttpApiEndpoint.Constraint>>()
for (const operation of Object.values(registry)) {
  const [id = "", endpoint = ""] = operation.name.split(".")
  const group = groups.get(id) ?? HttpApiGroup.make(id)
  // The types of one operation do not fit each other where the compiler sees a union of operations.
  groups.set(id, group.add(makeEndpoint(endpoint, operation as never)))
}

/**
 * The operations of the service: `events.list` is the endpoint `list` of the group `events` (API document: Endpoints).
 */
export class Api extends HttpApi.make("signalbox").add(
  // Sound: the loop adds each operation of the registry to the group that its name begins with, as `GroupOf` does.
  ...([...groups.values()] as unknown as [GroupOf<keyof Operations>])
) {}
