/**
 * The rules for what failed, from the special to the general: the first that matches counts.
 */
import type { Evidence } from "./Evidence.ts"
import { type Rule, says, tells } from "./Rule.ts"

const provider = (evidence: Evidence): string => evidence.channelProvider ?? evidence.provider ?? "the provider"

const channel = ({ job }: Evidence): string => job.type.replaceAll("_", "-")

const quoted = (evidence: Evidence): string => (evidence.said === undefined ? "" : ` It said: "${evidence.said}"`)

const statusOf = ({ status }: Evidence): string => (status === undefined ? "" : ` (${status})`)

const hasStatus = (evidence: Evidence, ...statuses: ReadonlyArray<number>): boolean =>
  evidence.status !== undefined && statuses.includes(evidence.status)

/** The chat providers that are reached by a key of the integration; all others by a webhook URL of the subscriber. */
const byAccount: ReadonlySet<string> = new Set(["whatsapp-business", "getstream"])

const isWebhookChat = ({ job, channelProvider }: Evidence): boolean =>
  job.type === "chat" && channelProvider !== undefined && !byAccount.has(channelProvider)

const isPush = ({ job }: Evidence): boolean => job.type === "push"

const missing =
  /\bmissing\b|\bnot (?:set|found|provided|defined|configured)\b|does(?: not|n't) have|\bhas no\b|\bno\b|\bwithout\b|\bempty\b/u

const again = "then trigger the event again"

/** Tokens of an account or a session, which are no device tokens. */
const accountToken = /(?:access|auth\w*|bearer|api|provider|oauth|id|refresh)[ _-]?token|providertoken/u

const deadToken =
  /registration-token-not-registered|invalid-registration-token|unregistered|not registered|notregistered|devicenotregistered|baddevicetoken|invalidregistration|device ?token.{0,40}(?:reject|invalid|expired|unknown|no longer|not valid|refused)|(?:reject|invalid|expired|unknown|refused)\w*.{0,20}(?:device|push|registration)[ _-]?tokens?|token (?:is |was )?(?:not|no longer) (?:valid|registered)|tokens? (?:was |were |is |are )?(?:rejected|expired|refused)/u

/** The rules, in order. */
export const failureRules: ReadonlyArray<Rule> = [
  {
    id: "bridge-failed",
    credentials: "elsewhere",
    matches: tells(/\bbridge\b/u),
    cause: (evidence) =>
      `The service asked your bridge endpoint for this step and got no usable answer${statusOf(evidence)}. The message was never made, so nothing was sent.${quoted(evidence)}`,
    advice: () => `Look at the logs of your bridge application for the time of this step, mend it, ${again}.`
  },
  {
    id: "webhook-url-missing",
    credentials: "cause",
    fields: ["webhookUrl"],
    matches: says(/webhook ?url/u, missing),
    cause: (evidence) =>
      `The subscriber has no webhook URL for ${provider(evidence)}, so the chat step had nowhere to send to.`,
    advice: (evidence) => `Store the webhook URL for ${provider(evidence)} (the form comes prefilled), ${again}.`
  },
  {
    id: "device-token-of-another-app",
    credentials: "cause",
    fields: ["deviceTokens"],
    matches: (evidence) =>
      isPush(evidence) &&
      says(/sender.?id.?mismatch|mismatched-credential|devicetokennotfortopic|baddevicetoken.{0,80}environment/u)(
        evidence
      ),
    cause: (evidence) =>
      `A device token of the subscriber belongs to another app, or to its sandbox, than the ${provider(evidence)} integration sends for.`,
    advice: () =>
      `Store a token of the app that this environment sends for. If all subscribers fail like this, the integration points to the wrong app.`
  },
  {
    id: "device-token-rejected",
    credentials: "cause",
    fields: ["deviceTokens"],
    matches: (evidence) =>
      isPush(evidence) &&
      !says(accountToken)(evidence) &&
      (says(deadToken)(evidence) || hasStatus(evidence, 410) || (hasStatus(evidence, 404) && says(/token/u)(evidence))),
    cause: (evidence) =>
      `${provider(evidence)} no longer knows a device token of the subscriber: the app was removed from the device, or the token was replaced.`,
    advice: () =>
      `Store the token of a current installation. This API adds tokens and removes none, so the old one can go on being refused.`
  },
  {
    id: "device-token-missing",
    credentials: "cause",
    fields: ["deviceTokens"],
    matches: (evidence) => !says(accountToken)(evidence) && says(/(?:device|push)[ _-]?tokens?/u, missing)(evidence),
    cause: (evidence) =>
      `The subscriber has no device token for ${provider(evidence)}, so there is no device to send to.`,
    advice: (evidence) => `Store a device token for ${provider(evidence)} (the form comes prefilled), ${again}.`
  },
  {
    id: "subscriber-without-integration",
    credentials: "cause",
    matches: says(/subscriber (?:does not have|doesn't have|has no|without) (?:an? )?active (?:integration|channel)/u),
    cause: (evidence) =>
      `The subscriber has no credentials for an active ${channel(evidence)} integration${evidence.channelProvider === undefined ? "" : ` (${evidence.channelProvider})`}: none were stored, or the integration that they belong to was switched off.`,
    advice: () =>
      `Store credentials for the integration that is active now, ${again}. If the service answers that none is active, activate one in its settings first.`
  },
  {
    id: "channel-not-configured",
    credentials: "cause",
    matches: (evidence) =>
      says(
        /(?:configured|active|valid) (?:chat |push )?channels?|channels? (?:is |are |was )?(?:not|un) ?configured/u,
        missing
      )(evidence) && !says(/all (?:chat )?channels/u)(evidence),
    cause: (evidence) =>
      `No ${channel(evidence)} channel is configured for the subscriber: the service holds no credentials to reach them by.`,
    advice: (evidence) =>
      `Store ${channel(evidence)} credentials for the subscriber (the form comes prefilled as far as the step says), ${again}.`
  },
  {
    id: "credentials-missing",
    credentials: "cause",
    matches: tells(
      /(?:subscriber|channel) (?:\w+ )?credentials?|credentials? (?:of|for) (?:the|this) subscriber/u,
      missing
    ),
    cause: (evidence) => `The subscriber has no credentials for ${provider(evidence)}.`,
    advice: (evidence) => `Store them for ${provider(evidence)} (the form comes prefilled), ${again}.`
  },
  {
    id: "environment-without-integration",
    credentials: "elsewhere",
    matches: tells(
      /(?:active|primary) integration|integration (?:\S+ ){0,3}(?:not found|missing|inactive|disabled|deactivated|deleted)|provider (?:\S+ ){0,3}(?:not found|inactive|disabled)|(?:no|without) integration/u
    ),
    cause: (evidence) =>
      `The environment has no active integration for ${channel(evidence)}, so the service had no provider to send by. This hits every subscriber alike.`,
    advice: (evidence) => `Activate an integration for ${channel(evidence)} in the settings of the service, ${again}.`
  },
  {
    id: "phone-missing",
    credentials: "elsewhere",
    matches: tells(/\bphone\b/u, missing),
    cause: () => "The subscriber has no phone number. It is part of their profile, not of their credentials.",
    advice: () =>
      `Set the phone number where your system keeps the subscriber (no operation of this API does), ${again}.`
  },
  {
    id: "phone-invalid",
    credentials: "elsewhere",
    matches: tells(/\bphone\b|\b'?to'? number\b/u, /invalid|not valid|not a valid|malformed|unreachable|landline/u),
    cause: (evidence) => `${provider(evidence)} cannot send to the phone number of the subscriber.${quoted(evidence)}`,
    advice: () => `Correct the phone number in the subscriber's profile (with country code), ${again}.`
  },
  {
    id: "email-missing",
    credentials: "elsewhere",
    matches: tells(/\be-?mail\b/u, /address|subscriber/u, missing),
    cause: () => "The subscriber has no e-mail address. It is part of their profile, not of their credentials.",
    advice: () =>
      `Set the e-mail address where your system keeps the subscriber (no operation of this API does), ${again}.`
  },
  {
    id: "recipient-opted-out",
    credentials: "elsewhere",
    matches: says(
      /unsubscribed|opted[- ]out|opt-out|spam complaint|suppress(?:ed|ion)|block(?:ed|list).{0,30}recipient|recipient.{0,30}block/u
    ),
    cause: (evidence) =>
      `The recipient does not want these messages: ${provider(evidence)} keeps them on a list of unsubscribed or suppressed addresses.${quoted(evidence)}`,
    advice: () => "Nothing to mend here. Only the recipient, or the list at the provider, can allow it again."
  },
  {
    id: "recipient-refused",
    credentials: "elsewhere",
    matches: tells(
      /bounced?\b|mailbox (?:\w+ ){0,2}(?:not found|unavailable|full|does not exist)|user unknown|no such user|recipient (?:address )?(?:rejected|invalid|refused)|invalid (?:recipient|e-?mail|address)/u
    ),
    cause: (evidence) => `The address of the recipient does not take mail.${quoted(evidence)}`,
    advice: () => `Check the address in the subscriber's profile; a mistyped or closed mailbox stays refused.`
  },
  {
    id: "content-not-generated",
    credentials: "elsewhere",
    matches: (evidence) =>
      says(
        /content (?:\w+ ){0,3}(?:generated|rendered|compiled|built|empty|syntax)|(?:generat|render|compil)\w* (?:\w+ ){0,3}(?:content|template|subject|layout)|(?:template|subject|layout|liquid|handlebars) (?:\w+ ){0,3}(?:error|invalid|failed|syntax)|(?:variable|payload)s? (?:\S+ ){0,3}(?:missing|required|undefined|not (?:found|provided|defined))|missing (?:\S+ ){0,2}(?:variable|payload)|syntax error/u
      )(evidence) ||
      (evidence.detail?.source === "Payload" && evidence.status === undefined),
    cause: (evidence) =>
      `The content of the message could not be made from the template and the payload of this event.${quoted(evidence)}`,
    advice: () =>
      `Compare the payload with the variables that the step uses, correct the trigger or the template, ${again}.`
  },
  {
    id: "provider-limit",
    credentials: "elsewhere",
    matches: (evidence) =>
      hasStatus(evidence, 402) ||
      // A rate is a limit too, and goes by itself: the next rule.
      (!says(/\brate\b|rate-?limit|too many/u)(evidence) &&
        says(
          /\bquota\b|(?:monthly|daily|plan|account|provider|sending|message) limit|limit (?:\w+ ){0,3}(?:reached|exceeded|passed|hit)|(?:reached|exceeded|passed) (?:\w+ ){0,4}limit|insufficient (?:funds|balance|credits?)|out of credits?|payment required/u
        )(evidence)),
    cause: (evidence) =>
      `The account at ${provider(evidence)} has used up what its plan allows${statusOf(evidence)}. The subscriber has nothing to do with it.`,
    advice: () => `Raise the plan or balance of the account, or switch to another provider, ${again}.`
  },
  {
    id: "provider-rate-limit",
    credentials: "elsewhere",
    matches: (evidence) =>
      hasStatus(evidence, 429) ||
      says(/rate.?limit|too many (?:requests|messages)|throttl|toomanyrequests|slow down/u)(evidence),
    cause: (evidence) =>
      `${provider(evidence)} takes only so many messages in a stretch of time, and more were sent${statusOf(evidence)}. The subscriber has nothing to do with it.`,
    advice: () =>
      "Wait and trigger the event again; if it comes back, spread the sending or raise the rate at the provider."
  },
  {
    id: "webhook-refused",
    credentials: "cause",
    fields: ["webhookUrl"],
    matches: (evidence) =>
      (isWebhookChat(evidence) || (evidence.job.type === "chat" && says(/web ?hook/u)(evidence))) &&
      (hasStatus(evidence, 401, 403, 404, 410) ||
        says(
          /no_service|no_team|invalid_token|channel_not_found|channel_is_archived|unknown webhook|action_prohibited|webhook (?:url )?(?:\w+ ){0,2}(?:invalid|disabled|revoked|expired|not found|rejected)|invalid webhook/u
        )(evidence)),
    cause: (evidence) =>
      `${provider(evidence)} refused the webhook URL of the subscriber${statusOf(evidence)}: it was revoked, or its channel is gone.${quoted(evidence)}`,
    advice: (evidence) =>
      `Make a new webhook in ${provider(evidence)}, store its URL (the form comes prefilled), ${again}.`
  },
  {
    id: "provider-unauthorized",
    credentials: "elsewhere",
    matches: (evidence) =>
      hasStatus(evidence, 401) ||
      says(
        /\bunauthori[sz]ed\b|\bunauthenticated\b|authentication (?:failed|error)|invalid (?:api[ _-]?key|credentials|grant)|authorization grant|api[ _-]?key (?:\w+ ){0,2}(?:invalid|revoked|expired|disabled)|invalidprovidertoken|expiredprovidertoken/u
      )(evidence),
    cause: (evidence) =>
      `${provider(evidence)} refused the key of the integration${statusOf(evidence)}: it is wrong, expired or revoked. Data of the subscriber is not involved, and every message by this integration fails.${quoted(evidence)}`,
    advice: (evidence) =>
      `Put a valid key into the ${provider(evidence)} integration in the settings of the service, ${again}.`
  },
  {
    id: "provider-forbidden",
    credentials: "elsewhere",
    matches: (evidence) =>
      hasStatus(evidence, 403) ||
      says(
        /\bforbidden\b|permission denied|not (?:verified|permitted|allowed)|access denied|domain (?:\w+ ){0,2}(?:unverified|not verified)/u
      )(evidence),
    cause: (evidence) =>
      `${provider(evidence)} knows the key of the integration and does not let it send this${statusOf(evidence)}: a permission, or the verification of a sender or domain, is missing.${quoted(evidence)}`,
    advice: (evidence) => `Check sender, domain and permissions of the account at ${provider(evidence)}, ${again}.`
  },
  {
    id: "provider-unavailable",
    credentials: "elsewhere",
    matches: (evidence) =>
      (evidence.status !== undefined && (evidence.status >= 500 || evidence.status === 408)) ||
      says(
        /timed? ?out|\betimedout\b|\beconn(?:refused|reset|aborted)\b|\benotfound\b|\beai_again\b|socket hang up|network error|connection (?:\w+ )?(?:refused|reset|closed|failed)|(?:service|provider|temporarily|server) (?:is )?(?:unavailable|down|overloaded)|bad gateway|(?:did not|didn't|no) answer|internal server error/u
      )(evidence),
    cause: (evidence) =>
      `${provider(evidence)} had trouble of its own or did not answer${statusOf(evidence)}.${quoted(evidence)}`,
    advice: (evidence) => `Trigger the event again; if it comes back, look at the status page of ${provider(evidence)}.`
  },
  {
    id: "provider-refused-message",
    credentials: "elsewhere",
    matches: (evidence) =>
      hasStatus(evidence, 400, 413, 415, 422) || says(/payload too large|message too (?:long|big)/u)(evidence),
    cause: (evidence) => `${provider(evidence)} refused this message as it is${statusOf(evidence)}.${quoted(evidence)}`,
    advice: () =>
      `Compare content, sender and overrides of the step with what the provider says, correct them, ${again}.`
  },
  {
    id: "subscriber-missing",
    credentials: "elsewhere",
    matches: tells(/subscriber (?:\S+ ){0,2}(?:not found|does not exist|was deleted|is deleted)/u),
    cause: () => "The service knows no such subscriber any more.",
    advice: () => `Create the subscriber (no operation of this API does), ${again}.`
  },
  {
    id: "all-chat-channels-failed",
    credentials: "unknown",
    summary: true,
    matches: says(/all (?:\w+ )?channels/u),
    cause: (evidence) =>
      `No ${channel(evidence)} channel of the subscriber took the message. The execution details before this one say why, channel by channel.`,
    advice: () =>
      "Look at the first failed execution detail of this job; mending one channel is enough for a message to arrive."
  },
  {
    id: "provider-error",
    credentials: "unknown",
    summary: true,
    matches: says(
      /unexpected provider error|provider (?:\w+ )?(?:error|failed|failure)|sending (?:\w+ ){0,2}failed|failed to send/u
    ),
    cause: (evidence) =>
      `${provider(evidence)} failed in a way that the service did not expect, and gives no reason that is known here.${quoted(evidence)}`,
    advice: () =>
      "Read the raw answer of the execution detail. Whether credentials are involved cannot be told from it."
  }
]
