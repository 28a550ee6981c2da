/**
 * Switches of what an upsert of credentials leaves behind.
 */
import { row } from "./SwitchRow.ts"

const upsert = {
  section: "Endpoints, Upsert provider credentials",
  sentence: "Behaviour: creates `deviceTokens` for the provider or appends to the existing ones.",
  decidedIn: "operations"
} as const

/** Rows about stored credentials. */
export const credentialsSwitches = {
  "credentials.tokens": row(["append", "replace"], {
    ...upsert,
    question: "What new device tokens do to the stored ones",
    document: "append",
    observed: "append"
  }),
  "credentials.tokenDuplicates": row(["kept", "dropped"], {
    ...upsert,
    question: "A device token that is stored already, or twice in the request",
    document: "kept",
    observed: "dropped",
    adversarial: "kept"
  }),
  "credentials.tokenOrder": row(["stored-first", "new-first"], {
    ...upsert,
    question: "Order of the device tokens after an append",
    document: "stored-first",
    observed: "stored-first"
  }),
  "credentials.tokensEmpty": row(["kept", "cleared"], {
    ...upsert,
    question: "What an empty `deviceTokens` does to the stored ones",
    document: "kept",
    observed: "cleared"
  }),
  "credentials.tokensAbsent": row(["kept", "wiped"], {
    ...upsert,
    question: "What credentials without `deviceTokens` do to the stored ones",
    document: "kept",
    observed: "wiped"
  }),
  "credentials.tokenLimit": row(["none", "100"], {
    ...upsert,
    question: "Most device tokens that one entry can hold; more are refused with 400",
    document: "none",
    observed: "100"
  }),
  "credentials.otherFields": row(["merge", "replace"], {
    section: "Resources, ChannelCredentials",
    sentence: "ChannelCredentials (all fields optional)",
    decidedIn: "operations",
    question: "What happens to stored fields, other than device tokens, that the request does not name",
    document: "merge",
    observed: "merge"
  }),
  "credentials.storedFields": row(["all", "webhook-channel-tokens"], {
    section: "Resources, ChannelCredentials",
    sentence: "ChannelCredentials (all fields optional)",
    decidedIn: "operations",
    question: "Which fields are stored: all, or only `webhookUrl`, `channel` and `deviceTokens`",
    document: "all",
    observed: "webhook-channel-tokens"
  }),
  "credentials.entry": row(["provider-and-integration", "provider"], {
    section: "Resources, ChannelSettings",
    sentence: "_integrationId: Identifier of the integration associated with the channel",
    decidedIn: "operations",
    question: "Whether a subscriber has one entry for each integration of a provider, or one for each provider",
    document: "provider-and-integration",
    observed: "provider-and-integration"
  }),
  "credentials.severalIntegrations": row(["existing", "newest", "oldest", "400"], {
    section: "Endpoints, Upsert provider credentials",
    sentence: "Behaviour: creates `deviceTokens` for the provider or appends to the existing ones.",
    decidedIn: "operations",
    question:
      "Which of several integrations of a provider is meant when the request names none: the one that the subscriber has an entry of (the newest without one), the newest, the oldest, or none",
    document: "existing",
    observed: "newest"
  }),
  "credentials.inactiveIntegration": row(["missing", "used"], {
    section: "Endpoints, Upsert provider credentials",
    sentence: "integrationIdentifier: string, not required",
    decidedIn: "operations",
    question: "Whether an integration that is not active counts as missing",
    document: "missing",
    observed: "missing"
  }),
  "credentials.integrationIdentifier": row(["returned", "omitted"], {
    section: "Resources, ChannelSettings",
    sentence: "integrationIdentifier: string, not required",
    decidedIn: "operations",
    question: "Whether the answer carries the integration identifier",
    document: "returned",
    observed: "omitted"
  }),
  "credentials.noOpVersion": row(["kept", "bumped"], {
    section: "Versioning",
    sentence: "The Subscriber field `__v` (number) is the version of the subscriber document.",
    decidedIn: "operations",
    question: "`__v` after an upsert that changes nothing",
    document: "kept",
    observed: "kept"
  }),
  "credentials.noOpUpdatedAt": row(["kept", "bumped"], {
    section: "Resources, Subscriber",
    sentence: "updatedAt: Last update time, ISO 8601",
    decidedIn: "operations",
    question: "`updatedAt` after an upsert that changes nothing",
    document: "kept",
    observed: "kept"
  })
} as const
