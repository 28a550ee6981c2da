/**
 * The rules for what failed, from the most specific to the most general; the first match wins.
 */
import type { Evidence } from "./Evidence.ts"
import { type FailureRule, mentions, mentionsInOneSentence } from "./Rule.ts"

const channel = ({ job }: Evidence): string => (job.type === "in_app" ? "in-app" : job.type)

const named = ({ channelProvider, provider }: Evidence): string | undefined => channelProvider ?? provider

const provider = (evidence: Evidence): string => named(evidence) ?? `the ${channel(evidence)} provider`

/** The provider as the first word of a sentence. */
const theProvider = (evidence: Evidence): string => named(evidence) ?? `The ${channel(evidence)} provider`

/** Names an integration: of the provider, or else of the channel. */
const integration = (evidence: Evidence): string => `the ${named(evidence) ?? channel(evidence)} integration`

const quotedMessage = (evidence: Evidence): string =>
  evidence.providerMessage === undefined ? "" : ` It said: "${evidence.providerMessage}"`

const statusOf = ({ status }: Evidence): string => (status === undefined ? "" : ` (${status})`)

const hasStatus = (evidence: Evidence, ...statuses: ReadonlyArray<number>): boolean =>
  evidence.status !== undefined && statuses.includes(evidence.status)

/** The chat providers that are reached by a key of the integration; all others by a webhook URL of the subscriber. */
const byAccount: ReadonlySet<string> = new Set(["whatsapp-business", "getstream"])

const isWebhookChat = ({ job, channelProvider }: Evidence): boolean =>
  job.type === "chat" && channelProvider !== undefined && !byAccount.has(channelProvider)

const isPush = ({ job }: Evidence): boolean => job.type === "push"

const missing =
  /\bmissing\b|\bnot (?:set|found|provided|defined|configured)\b|does(?: not|n't) have|\bno\b|\bwithout\b|\bempty\b/u

const triggerAgain = "then trigger the event again"

/** Tokens of an account or a session, which are no device tokens. */
const accountToken = /(?:access|auth\w*|bearer|api|provider|oauth|id|refresh)[ _-]?token/u

const deadToken =
  /registration-token-not-registered|invalid-registration-token|unregistered|not registered|notregistered|devicenotregistered|baddevicetoken|invalidregistration|device ?token.{0,40}(?:reject|invalid|expired|unknown|no longer|not valid|refused)|(?:reject|invalid|expired|unknown|refused)\w*.{0,20}(?:device|push|registration)[ _-]?tokens?|token (?:is |was )?(?:not|no longer) (?:valid|registered)|tokens? (?:was |were |is |are )?(?:rejected|expired|refused)/u

/** The rules, in order. */
export const failureRules: ReadonlyArray<FailureRule> = [
  {
    id: "bridge-failed",
    title: () => "bridge endpoint failed",
    credentials: "elsewhere",
    matches: mentionsInOneSentence(/\bbridge\b/u),
    cause: (evidence) =>
      `The service called your bridge endpoint for this step and got no usable response${statusOf(evidence)}. The message was never created, so nothing was sent.${quotedMessage(evidence)}`,
    advice: () => `Look at the logs of your bridge application at the time of this step, fix it, ${triggerAgain}.`
  },
  {
    id: "webhook-url-missing",
    title: (evidence) => `${provider(evidence)} webhook missing`,
    credentials: "cause",
    fields: ["webhookUrl"],
    matches: mentions(/webhook ?url/u, missing),
    cause: (evidence) =>
      `The subscriber has no webhook URL for ${provider(evidence)}, so the chat step had nowhere to send the message.`,
    advice: (evidence) => `Store the webhook URL for ${provider(evidence)}, ${triggerAgain}.`
  },
  {
    id: "device-token-of-another-app",
    title: (evidence) => `${provider(evidence)} token of another app`,
    credentials: "cause",
    fields: ["deviceTokens"],
    matches: (evidence) =>
      isPush(evidence) &&
      mentions(/sender.?id.?mismatch|mismatched-credential|devicetokennotfortopic|baddevicetoken.{0,80}environment/u)(
        evidence
      ),
    cause: (evidence) =>
      `A device token of the subscriber belongs to a different app, or to its sandbox, than ${integration(evidence)} sends for.`,
    advice: () =>
      `Store a token of the app that this environment sends for. If every subscriber fails like this, the integration points to the wrong app.`
  },
  {
    id: "device-token-rejected",
    title: (evidence) => `${provider(evidence)} token unregistered`,
    credentials: "cause",
    fields: ["deviceTokens"],
    matches: (evidence) =>
      isPush(evidence) &&
      !mentions(accountToken)(evidence) &&
      (mentions(deadToken)(evidence) ||
        hasStatus(evidence, 410) ||
        (hasStatus(evidence, 404) && mentions(/token/u)(evidence))),
    cause: (evidence) =>
      `${theProvider(evidence)} no longer accepts a device token of the subscriber: the app was uninstalled, or the token was replaced.`,
    advice: () =>
      `Store the token of a current installation. This API adds tokens and never removes them, so the old token may keep failing.`
  },
  {
    id: "device-token-missing",
    title: (evidence) => `${provider(evidence)} token missing`,
    credentials: "cause",
    fields: ["deviceTokens"],
    matches: (evidence) =>
      !mentions(accountToken)(evidence) && mentions(/(?:device|push)[ _-]?tokens?/u, missing)(evidence),
    cause: (evidence) =>
      `The subscriber has no device token for ${provider(evidence)}, so there is no device to reach.`,
    advice: (evidence) => `Store a device token for ${provider(evidence)}, ${triggerAgain}.`
  },
  {
    id: "subscriber-without-integration",
    title: (evidence) => `no ${evidence.channelProvider ?? channel(evidence)} credentials`,
    credentials: "cause",
    matches: mentions(
      /subscriber (?:does not have|doesn't have|has no|without) (?:an )?active (?:integration|channel)/u
    ),
    cause: (evidence) =>
      `The subscriber has no credentials for an active ${channel(evidence)} integration${evidence.channelProvider === undefined ? "" : ` (${evidence.channelProvider})`}: none were stored, or their integration was switched off.`,
    advice: () =>
      `Store credentials for the active integration, ${triggerAgain}. If the service says that no integration is active, activate one in its settings first.`
  },
  {
    id: "channel-not-configured",
    title: (evidence) => `no ${channel(evidence)} channel configured`,
    credentials: "cause",
    matches: (evidence) =>
      mentions(
        /(?:configured|active|valid) (?:chat |push )?channels?|channels? (?:is |are |was )?(?:not|un) ?configured/u,
        missing
      )(evidence) && !mentions(/all (?:chat )?channels/u)(evidence),
    cause: (evidence) =>
      `No ${channel(evidence)} channel is configured for the subscriber: the service has no credentials to reach them with.`,
    advice: (evidence) => `Store ${channel(evidence)} credentials for the subscriber, ${triggerAgain}.`
  },
  {
    id: "credentials-missing",
    title: (evidence) => `${provider(evidence)} credentials missing`,
    credentials: "cause",
    matches: mentionsInOneSentence(
      /(?:subscriber|channel) (?:\w+ )?credentials?|credentials? (?:of|for) (?:the|this) subscriber/u,
      missing
    ),
    cause: (evidence) => `The subscriber has no credentials for ${provider(evidence)}.`,
    advice: (evidence) => `Store them for ${provider(evidence)}, ${triggerAgain}.`
  },
  {
    id: "environment-without-integration",
    title: (evidence) => `no active ${channel(evidence)} integration`,
    credentials: "elsewhere",
    matches: mentionsInOneSentence(
      /(?:active|primary) integration|integration (?:\S+ ){0,3}(?:not found|missing|inactive|disabled|deactivated|deleted)|provider (?:\S+ ){0,3}(?:not found|inactive|disabled)|(?:no|without) integration/u
    ),
    cause: (evidence) =>
      `The environment has no active integration for ${channel(evidence)}, so the service had no provider to send with. This affects every subscriber.`,
    advice: (evidence) =>
      `Activate an integration for ${channel(evidence)} in the settings of the service, ${triggerAgain}.`
  },
  {
    id: "phone-missing",
    title: () => "phone number missing",
    credentials: "elsewhere",
    matches: mentionsInOneSentence(/\bphone\b/u, missing),
    cause: () => "The subscriber has no phone number. It belongs to their profile, not to their credentials.",
    advice: () =>
      `Set the phone number where your system keeps the subscriber (no operation of this API does), ${triggerAgain}.`
  },
  {
    id: "phone-invalid",
    title: () => "phone number invalid",
    credentials: "elsewhere",
    matches: mentionsInOneSentence(
      /\bphone\b|\b'?to'? number\b/u,
      /invalid|not valid|not a valid|malformed|unreachable|landline/u
    ),
    cause: (evidence) =>
      `${theProvider(evidence)} cannot send to the phone number of the subscriber.${quotedMessage(evidence)}`,
    advice: () => `Correct the phone number in the subscriber's profile (with country code), ${triggerAgain}.`
  },
  {
    id: "email-missing",
    title: () => "email address missing",
    credentials: "elsewhere",
    matches: mentionsInOneSentence(/\be-?mail\b/u, /address|subscriber/u, missing),
    cause: () => "The subscriber has no email address. It belongs to their profile, not to their credentials.",
    advice: () =>
      `Set the email address where your system keeps the subscriber (no operation of this API does), ${triggerAgain}.`
  },
  {
    id: "recipient-opted-out",
    title: () => "recipient opted out",
    credentials: "elsewhere",
    matches: mentions(
      /unsubscribed|opted[- ]out|opt-out|spam complaint|suppress(?:ed|ion)|block(?:ed|list).{0,30}recipient|recipient.{0,30}block/u
    ),
    cause: (evidence) =>
      `The recipient opted out: ${provider(evidence)} lists them as unsubscribed or suppressed.${quotedMessage(evidence)}`,
    advice: () =>
      "Nothing to fix here. Only the recipient, or the suppression list at the provider, can allow messages again."
  },
  {
    id: "recipient-refused",
    title: () => "email address bounced",
    credentials: "elsewhere",
    matches: mentionsInOneSentence(
      /bounced?\b|mailbox (?:\w+ ){0,2}(?:not found|unavailable|full|does not exist)|user unknown|no such user|recipient (?:address )?(?:rejected|invalid|refused)|invalid (?:recipient|e-?mail|address)/u
    ),
    cause: (evidence) => `The address of the recipient does not accept mail.${quotedMessage(evidence)}`,
    advice: () => `Check the address in the subscriber's profile; a mistyped or closed mailbox keeps bouncing.`
  },
  {
    id: "content-not-generated",
    title: () => "content not generated",
    credentials: "elsewhere",
    matches: (evidence) =>
      mentions(
        /content (?:\w+ ){0,3}(?:generated|rendered|compiled|built|empty|syntax)|(?:generat|render|compil)\w* (?:\w+ ){0,3}(?:content|template|subject|layout)|(?:template|subject|layout|liquid|handlebars) (?:\w+ ){0,3}(?:error|invalid|failed|syntax)|(?:variable|payload)s? (?:\S+ ){0,3}(?:missing|required|undefined|not (?:found|provided|defined))|missing (?:\S+ ){0,2}(?:variable|payload)|syntax error/u
      )(evidence) ||
      (evidence.detail?.source === "Payload" && evidence.status === undefined),
    cause: (evidence) =>
      `The content of the message could not be rendered from the template and the payload of this event.${quotedMessage(evidence)}`,
    advice: () =>
      `Compare the payload with the variables that the step uses, correct the trigger or the template, ${triggerAgain}.`
  },
  {
    id: "provider-limit",
    title: (evidence) => `${provider(evidence)} plan limit reached`,
    credentials: "elsewhere",
    matches: (evidence) =>
      hasStatus(evidence, 402) ||
      // A rate is a limit too, and goes by itself: the next rule.
      (!mentions(/\brate\b|ratelimit|too many/u)(evidence) &&
        mentions(
          /\bquota\b|(?:monthly|daily|plan|account|provider|sending|message) limit|limit (?:\w+ ){0,3}(?:reached|exceeded|passed|hit)|(?:reached|exceeded|passed) (?:\w+ ){0,4}limit|insufficient (?:funds|balance|credits?)|out of credits?|payment required/u
        )(evidence)),
    cause: (evidence) =>
      `The account at ${provider(evidence)} has reached the limit of its plan${statusOf(evidence)}. The subscriber is not the cause.`,
    advice: () => `Raise the plan or balance of the account, or switch to another provider, ${triggerAgain}.`
  },
  {
    id: "provider-rate-limit",
    title: (evidence) => `${provider(evidence)} rate limit`,
    credentials: "elsewhere",
    matches: (evidence) =>
      hasStatus(evidence, 429) ||
      mentions(/rate.?limit|too many (?:requests|messages)|throttl|toomanyrequests|slow down/u)(evidence),
    cause: (evidence) =>
      `${theProvider(evidence)} limits the sending rate, and the limit was exceeded${statusOf(evidence)}. The subscriber is not the cause.`,
    advice: () =>
      "Wait and trigger the event again; if it happens again, send more slowly or raise the rate at the provider."
  },
  {
    id: "webhook-refused",
    title: (evidence) => `${provider(evidence)} refused the webhook`,
    credentials: "cause",
    fields: ["webhookUrl"],
    matches: (evidence) =>
      (isWebhookChat(evidence) || (evidence.job.type === "chat" && mentions(/web ?hook/u)(evidence))) &&
      (hasStatus(evidence, 401, 403, 404, 410) ||
        mentions(
          /no_service|no_team|invalid_token|channel_not_found|channel_is_archived|unknown webhook|action_prohibited|webhook (?:url )?(?:\w+ ){0,2}(?:invalid|disabled|revoked|expired|not found|rejected)|invalid webhook/u
        )(evidence)),
    cause: (evidence) =>
      `${theProvider(evidence)} refused the webhook URL of the subscriber${statusOf(evidence)}: it was revoked, or its channel was deleted.${quotedMessage(evidence)}`,
    advice: (evidence) => `Create a new webhook in ${provider(evidence)}, store its URL, ${triggerAgain}.`
  },
  {
    id: "provider-unauthorized",
    title: (evidence) => `${provider(evidence)} refused the key`,
    credentials: "elsewhere",
    matches: (evidence) =>
      hasStatus(evidence, 401) ||
      mentions(
        /\bunauthori[sz]ed\b|\bunauthenticated\b|authentication (?:failed|error)|invalid[ _](?:api[ _-]?key|credentials|grant|client)|unauthorized_client|authorization grant|api[ _-]?key (?:\w+ ){0,2}(?:invalid|revoked|expired|disabled)|invalidprovidertoken|expiredprovidertoken/u
      )(evidence),
    cause: (evidence) =>
      `${theProvider(evidence)} refused the key of the integration${statusOf(evidence)}: it is wrong, expired or revoked. The subscriber is not the cause; every message of this integration fails.${quotedMessage(evidence)}`,
    advice: (evidence) => `Set a valid key in ${integration(evidence)} in the settings of the service, ${triggerAgain}.`
  },
  {
    id: "provider-forbidden",
    title: (evidence) => `${provider(evidence)} forbids sending`,
    credentials: "elsewhere",
    matches: (evidence) =>
      hasStatus(evidence, 403) ||
      mentions(
        /\bforbidden\b|permission denied|not (?:verified|permitted|allowed)|access denied|domain (?:\w+ ){0,2}unverified/u
      )(evidence),
    cause: (evidence) =>
      `${theProvider(evidence)} accepted the key of the integration but does not allow this message${statusOf(evidence)}: a permission is missing, or a sender or domain is not verified.${quotedMessage(evidence)}`,
    advice: (evidence) =>
      `Check sender, domain and permissions of the account at ${provider(evidence)}, ${triggerAgain}.`
  },
  {
    id: "provider-unavailable",
    title: (evidence) => `${provider(evidence)} unavailable`,
    credentials: "elsewhere",
    matches: (evidence) =>
      (evidence.status !== undefined && (evidence.status >= 500 || evidence.status === 408)) ||
      mentions(
        /timed? ?out|\beconn(?:refused|reset|aborted)\b|\benotfound\b|\beai_again\b|socket hang up|network error|connection (?:\w+ )?(?:refused|reset|closed|failed)|(?:service|provider|temporarily|server) (?:is )?(?:unavailable|down|overloaded)|bad gateway|(?:did not|didn't|no) answer|internal server error/u
      )(evidence),
    cause: (evidence) =>
      `${theProvider(evidence)} failed or did not respond${statusOf(evidence)}.${quotedMessage(evidence)}`,
    advice: (evidence) =>
      `Trigger the event again; if it happens again, check the status page of ${provider(evidence)}.`
  },
  {
    id: "provider-refused-message",
    title: (evidence) => `${provider(evidence)} refused the message`,
    credentials: "elsewhere",
    matches: (evidence) =>
      hasStatus(evidence, 400, 413, 415, 422) || mentions(/payload too large|message too (?:long|big)/u)(evidence),
    cause: (evidence) =>
      `${theProvider(evidence)} refused this message${statusOf(evidence)}.${quotedMessage(evidence)}`,
    advice: () =>
      `Compare content, sender and overrides of the step with what the provider says, fix them, ${triggerAgain}.`
  },
  {
    id: "subscriber-missing",
    title: () => "subscriber deleted",
    credentials: "elsewhere",
    matches: mentionsInOneSentence(/subscriber (?:\S+ ){0,2}(?:not found|does not exist|was deleted|is deleted)/u),
    cause: () => "The subscriber no longer exists in the service.",
    advice: () => `Create the subscriber (no operation of this API does), ${triggerAgain}.`
  },
  {
    id: "all-chat-channels-failed",
    title: (evidence) => `all ${channel(evidence)} channels failed`,
    credentials: "unknown",
    summary: true,
    matches: mentions(/all (?:\w+ )?channels/u),
    cause: (evidence) =>
      `No ${channel(evidence)} channel of the subscriber accepted the message. The earlier execution details say why, channel by channel.`,
    advice: () =>
      "Look at the first failed execution detail of this job; fixing one channel is enough for a message to arrive."
  },
  {
    id: "provider-error",
    title: (evidence) => `${provider(evidence)} error`,
    credentials: "unknown",
    summary: true,
    matches: mentions(
      /unexpected provider error|provider (?:\w+ )?(?:error|failed|failure)|sending (?:\w+ ){0,2}failed|failed to send/u
    ),
    cause: (evidence) =>
      `${theProvider(evidence)} failed in a way that the service did not expect, without a recognised reason.${quotedMessage(evidence)}`,
    advice: () => "Read the raw response of the execution detail. It does not say whether credentials are involved."
  }
]
