/**
 * Switches for the effect of upserting credentials.
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
    question: "Effect of new device tokens on the stored ones",
    observed: "append"
  }),
  "credentials.tokenDuplicates": row(["kept", "dropped"], {
    ...upsert,
    question: "Handling of a device token that is already stored, or appears twice in the request",
    observed: "dropped",
    adversarial: "kept"
  }),
  "credentials.tokenOrder": row(["stored-first", "new-first"], {
    ...upsert,
    question: "Order of the device tokens after an append",
    observed: "stored-first"
  }),
  "credentials.tokensEmpty": row(["kept", "cleared"], {
    ...upsert,
    question: "Effect of an empty `deviceTokens` array on the stored tokens",
    observed: "cleared"
  }),
  "credentials.tokensAbsent": row(["kept", "wiped"], {
    ...upsert,
    question: "Effect of credentials without `deviceTokens` on the stored tokens",
    observed: "wiped"
  }),
  "credentials.concurrent": row(["serialised", "lost-updates"], {
    ...upsert,
    decidedIn: "pipeline",
    question:
      "Whether upserts of one subscriber at the same time are applied one after another, or each writes the entry that it read before the others wrote, so that tokens and fields are lost and several entries are created",
    observed: "lost-updates"
  }),
  "credentials.tokenLimit": row(["none", "100"], {
    ...upsert,
    question: "Maximum number of device tokens in one entry; more are rejected with 400",
    observed: "100",
    observedBefore: { date: "2026-03-09", value: "none" }
  }),
  "credentials.otherFields": row(["merge", "replace"], {
    section: "Resources, ChannelCredentials",
    sentence: "ChannelCredentials (all fields optional)",
    decidedIn: "operations",
    question: "Whether stored fields other than device tokens are kept when the request omits them",
    observed: "merge"
  }),
  "credentials.storedFields": row(["all", "webhook-channel-tokens"], {
    section: "Resources, ChannelCredentials",
    sentence: "ChannelCredentials (all fields optional)",
    decidedIn: "operations",
    question: "Which fields are stored: all of them, or only `webhookUrl`, `channel` and `deviceTokens`",
    observed: "webhook-channel-tokens"
  }),
  "credentials.entry": row(["provider-and-integration", "provider"], {
    section: "Resources, ChannelSettings",
    sentence: "_integrationId: Identifier of the integration associated with the channel",
    decidedIn: "operations",
    question: "Whether a subscriber has one entry per integration or one per provider",
    observed: "provider-and-integration"
  }),
  "credentials.severalIntegrations": row(["existing", "newest", "oldest", "400"], {
    section: "Endpoints, Upsert provider credentials",
    sentence: "Behaviour: creates `deviceTokens` for the provider or appends to the existing ones.",
    decidedIn: "operations",
    question:
      "Which integration applies when the provider has several and the request names none: the one that the subscriber already has an entry for (otherwise the newest), the newest, the oldest, or none (400)",
    observed: "newest"
  }),
  "credentials.inactiveIntegration": row(["missing", "used"], {
    section: "Endpoints, Upsert provider credentials",
    sentence: "integrationIdentifier: string, not required",
    decidedIn: "operations",
    question: "Whether an inactive integration is treated as missing",
    observed: "missing"
  }),
  "credentials.integrationIdentifier": row(["returned", "omitted"], {
    section: "Resources, ChannelSettings",
    sentence: "integrationIdentifier: string, not required",
    decidedIn: "operations",
    question: "Whether the response includes the integration identifier",
    observed: "omitted"
  }),
  "subscriber.version": row(["counted", "constant"], {
    section: "Versioning",
    sentence: "The Subscriber field `__v` (number) is the version of the subscriber document.",
    decidedIn: "operations",
    question: "Whether `__v` counts the changes of a subscriber",
    observed: "constant"
  }),
  "credentials.noOpVersion": row(["kept", "bumped"], {
    section: "Versioning",
    sentence: "The Subscriber field `__v` (number) is the version of the subscriber document.",
    decidedIn: "operations",
    question: "Effect on `__v` of an upsert that changes nothing",
    observed: "kept"
  }),
  "credentials.noOpUpdatedAt": row(["kept", "kept-if-equal", "bumped"], {
    section: "Resources, Subscriber",
    sentence: "updatedAt: Last update time, ISO 8601",
    decidedIn: "operations",
    question:
      "Effect on `updatedAt` of an upsert that changes nothing; `kept-if-equal` keeps it only if the request equals the stored credentials",
    observed: "kept-if-equal"
  })
} as const
