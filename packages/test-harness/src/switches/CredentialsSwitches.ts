import { rowsAbout } from "./SwitchRow.ts"

const upsert = rowsAbout(
  "Endpoints, Upsert provider credentials",
  "Behaviour: creates `deviceTokens` for the provider or appends to the existing ones."
)

const credentials = rowsAbout("Resources, ChannelCredentials", "ChannelCredentials (all fields optional)")

const version = rowsAbout(
  "Versioning",
  "The Subscriber field `__v` (number) is the version of the subscriber document."
)

export const credentialsSwitches = {
  "credentials.tokens": upsert("Effect of new device tokens on the stored ones", ["append", "replace"], "append"),
  "credentials.tokenDuplicates": upsert(
    "Handling of a device token that is already stored, or appears twice in the request",
    ["kept", "dropped"],
    "dropped",
    { adversarial: "kept" }
  ),
  "credentials.tokenOrder": upsert(
    "Order of the device tokens after an append",
    ["stored-first", "new-first"],
    "stored-first"
  ),
  "credentials.tokensEmpty": upsert(
    "Effect of an empty `deviceTokens` array on the stored tokens",
    ["kept", "cleared"],
    "cleared"
  ),
  "credentials.tokensAbsent": upsert(
    "Effect of credentials without `deviceTokens` on the stored tokens",
    ["kept", "wiped"],
    "wiped"
  ),
  "credentials.concurrent": upsert(
    "Whether upserts of one subscriber at the same time are applied one after another, or each writes the entry that it read before the others wrote, so that tokens and fields are lost and several entries are created",
    ["serialised", "lost-updates"],
    "lost-updates"
  ),
  "credentials.tokenLimit": upsert(
    "Maximum number of device tokens in one entry; more are rejected with 400",
    ["none", "100"],
    "100",
    { observedBefore: { date: "2026-03-09", value: "none" } }
  ),
  "credentials.otherFields": credentials(
    "Whether stored fields other than device tokens are kept when the request omits them",
    ["merge", "replace"],
    "merge"
  ),
  "credentials.storedFields": credentials(
    "Which fields are stored: all of them, or only `webhookUrl`, `channel` and `deviceTokens`",
    ["all", "webhook-channel-tokens"],
    "webhook-channel-tokens"
  ),
  "credentials.entry": rowsAbout(
    "Resources, ChannelSettings",
    "_integrationId: Identifier of the integration associated with the channel"
  )(
    "Whether a subscriber has one entry per integration or one per provider",
    ["provider-and-integration", "provider"],
    "provider-and-integration"
  ),
  "credentials.severalIntegrations": upsert(
    "Which integration applies when the provider has several and the request names none: the one that the subscriber already has an entry for (otherwise the newest), the newest, the oldest, or none (400)",
    ["existing", "newest", "oldest", "400"],
    "newest"
  ),
  "credentials.inactiveIntegration": rowsAbout(
    "Endpoints, Upsert provider credentials",
    "integrationIdentifier: string, not required"
  )("Whether an inactive integration is treated as missing", ["missing", "used"], "missing"),
  "credentials.integrationIdentifier": rowsAbout(
    "Resources, ChannelSettings",
    "integrationIdentifier: string, not required"
  )("Whether the response includes the integration identifier", ["returned", "omitted"], "omitted"),
  "subscriber.version": version(
    "Whether `__v` counts the changes of a subscriber",
    ["counted", "constant"],
    "constant"
  ),
  "credentials.noOpVersion": version("Effect on `__v` of an upsert that changes nothing", ["kept", "bumped"], "kept"),
  "credentials.noOpUpdatedAt": rowsAbout("Resources, Subscriber", "updatedAt: Last update time, ISO 8601")(
    "Effect on `updatedAt` of an upsert that changes nothing; `kept-if-equal` keeps it only if the request equals the stored credentials",
    ["kept", "kept-if-equal", "bumped"],
    "kept-if-equal"
  )
} as const
