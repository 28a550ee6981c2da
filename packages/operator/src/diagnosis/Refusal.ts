/**
 * The words with which providers refuse a message, in the plain form of the evidence, and the order in which they decide for
 * mail servers. Wordings differ, but they name the same few things and say the same few words about them.
 */
import type { Evidence } from "./Evidence.ts"

/** Two patterns within one clause, in either order. */
const near = (one: RegExp, other: RegExp): RegExp =>
  new RegExp(`(?:${one.source}).{0,80}(?:${other.source})|(?:${other.source}).{0,80}(?:${one.source})`, "u")

const any = (...patterns: ReadonlyArray<RegExp>): RegExp =>
  new RegExp(patterns.map(({ source }) => source).join("|"), "u")

const wrong =
  /\b(?:invalid|illegal|unknown|bad|wrong|incorrect|mismatch|malformed|missing|required|denied|rejected|refused|expired|revoked|not|no|empty|cannot be used|unverified|unregistered|unconfigured|unrout\w+)\b/u

const badNumber =
  /invalid|illegal|not (?:a )?valid|malformed|unreachable|not reachable|not (?:\w+ )?capable|not registered|landline|too (?:short|long)|not numeric|unknown|absent|barred|must be in|correct\)/u

const size = /\b(?:payload|body|size|length|characters?|line)\b/u

/** The subjects of refusals. */
export const refusal = {
  login: any(
    near(
      /\b(?:api ?key|access key|unique key|key id|(?:api|auth|oauth|application|access|bearer|provider|security|server|client) token|credentials?|password|log ?in|authentication|signature|private key|jwt|(?:apns|client|ssl) certificate)\b/u,
      /\b(?:invalid|bad|wrong|incorrect|abnormal|malformed|missing|required|not|expired|revoked|disabled|fail\w*|error|could not)\b/u
    ),
    /\beauth\b|\bauth error|\bauthenticate\b|\bunauthori[sz]ed\b|\bunauthenticated\b|not auth(?:enticat)?ed\b|must issue a starttls|invalid (?:grant|client)|\ba valid (?:api|access|server) (?:key|token)|\b(?:app|project)(?: id)? not found|bad certificate|authorization grant/u
  ),
  rate: /\brate ?limit|\brate (?:exceeded|of|that)\b|sending rate|too many (?:\w+ )*(?:requests|messages|attempts|updates|connections|recipients)|frequency limit|throttl|slow down|queue (?:is full|overflow)|unusual (?:\w+ )?activity|per second\b/u,
  limit:
    /\bquota\b|(?:monthly|daily|plan|account|provider|sending|message) limit|limit (?:\w+ ){0,3}(?:reached|exceeded|passed|hit)|(?:reached|exceeded|passed) (?:\w+ ){0,4}limit|(?:insufficient|enough|end of your|check your|out of|no) (?:\w+ )?(?:funds|balance|credits?)|credits? exceeded|payment (?:required|issue)|(?:requires|lack of) payment/u,
  spam: /\b(?:spam|junk)\b(?! complaint)|unsolicited|\bube\b|message filtered/u,
  sender: any(
    near(
      /\bsender|\bsource (?:address|number)|10dlc|['"`]from['"`]|\bfrom[ .](?:an? )?(?:\w+ )?(?:number|address|field|email|object)\b|originator|\bsrc\b|sending domain|send as|messaging service/u,
      wrong
    ),
    near(/\bdomain|\bidentit|\be ?mail address/u, /\bunverified|not verified|must be verified|\bverify/u),
    /(?<!recipient )\bdomain not found|\bsender verif|unregistered number/u
  ),
  recipient: any(
    /(?:disk|over|mailbox) ?quota|recipient address(?:es)? rejected ?: access denied|null mx|does not accept mail|not our customer|unrout\w+|\b(?:address|domain) contains\b|e ?mail (?:address )?is (?:not valid|invalid)/u,
    near(
      /\brecipients?\b|['"`]to['"`]|\bto(?:\[0\])?[ .](?:field|address|e ?mail)\b|\bmailbox\b|\busers?\b(?!@)|\bhost\b|e ?mail address|\b(?:invalid|illegal) address\b|\baccount that you/u,
      /\b(?:invalid\w*|illegal|unknown|bad|not (?:found|exist|(?:a )?(?:valid|registered))|no such|does(?: not|n't) (?:exist|have)|disabled|inactive|locked|full|over ?quota|unavailable|no longer)\b/u
    )
  ),
  content: any(
    /(?<!queue )too (?:large|long|big)|(?:message|text) (?:is|cannot be) (?:empty|blank)|security issue|forbidden (?:words?|content)|\bvirus\b|not rfc ?\d+ compliant/u,
    near(size, /exceed|limit|more than/u),
    near(
      /\b(?:body|subject|content(?! type)|payload|params|parameters|attachment|priority|expiration|ttl|template|field)\b/u,
      wrong
    )
  ),
  phone: near(/\bphone\b|\b'?to'? number\b/u, badNumber),
  /** Only of SMS: in other channels, a destination or a number is something else. */
  number: any(/\bunrout\w+/u, near(/'to'|\bdest(?:ination)?\b|recipients?|\bdst\b|subscriber|\bnumber\b/u, badNumber)),
  deviceToken: any(
    /requested entity was not found|\bunregistered\b|not (?:a )?(?:registered|subscribed)|invalid registration|unsubscribed or expired|token (?:is |was )?(?:not|no longer) (?:valid|registered)|tokens? (?:was |were |is |are )?(?:rejected|expired|refused|invalid)|(?:expired|illegal) token/u,
    near(
      /(?:device|push|registration) ?tokens?|(?:player|subscription|installation|user) ids?\b/u,
      /reject|invalid|\bbad\b|expired|unknown|no longer|not (?:a )?(?:valid|registered)|refused|incorrect/u
    )
  ),
  webhook: any(
    /action prohibited|\bno (?:service|team|active hooks)\b/u,
    near(
      /\b(?:web ?hooks?|team|token|channel|trigger|thread)\b/u,
      /\b(?:unknown|invalid|not (?:found|enabled)|archived|disabled|revoked|expired|rejected|deleted)\b/u
    )
  ),
  chat: near(
    /\b(?:channel|chat|user|conversation|thread|stream|room)\b/u,
    /not found|unknown|invalid|archived|deactivated|does not (?:exist|match)/u
  ),
  permission: any(
    /\bforbidden\b(?! (?:words?|content))|permission|not (?:been )?(?:verified|permitted|allowed|authori[sz]ed)|authorization failed|access denied|\bunverified\b|trial account|not in (?:the )?allowed list|white ?listed|test purposes|have been blocked|topic disallowed|(?:bad|missing) topic|no access to|(?:it|app|api) (?:is|has been) disabled/u,
    near(
      /\baccount\b/u,
      /suspended|paused|barred|blocked|inactive|disabled|deactivated|not (?:been )?(?:active|enabled|registered)|pending/u
    )
  )
}

/** Reasons of a mail server that does not trust the server or the domain of the sender. */
const distrust =
  /spamhaus|b(?:lock|lack)(?:list|ed (?:using|ip|for|by|-))|(?:invalid|client|this|your) ip\b|\brdns\b|black ?list|banned|\bdmarc\b|\bspf\b|\bdkim\b|\bptr\b|reverse dns|reputation|name lookup|cannot find your|client host|\brelay(?:ing)?\b|\brcpthosts\b|\bhelo\b|authentication (?:level|checks|information)/u

/**
 * Meanings of a refusal by a mail server. The first row with fitting words decides, or else the first with the subject of
 * the enhanced status code (RFC 3463), or else the first with the command that was refused.
 */
const mailCauses: ReadonlyArray<{
  readonly rule: string
  readonly words?: RegExp
  readonly subjects?: RegExp
  readonly command?: RegExp
}> = [
  {
    rule: "provider-unauthorized",
    words: /authentication required|not authenticated|unauthenticated senders|\beauth\b|\bstarttls\b/u,
    subjects: /^7\.(?:3|8|9|57|139)$/u,
    command: /^AUTH/u
  },
  { rule: "provider-rate-limit", words: refusal.rate },
  { rule: "taken-for-spam", words: refusal.spam },
  { rule: "sender-refused", words: distrust },
  { rule: "provider-refused-message", words: refusal.content, subjects: /^(?:2\.3|3\.4|6\.\d+)$/u },
  { rule: "recipient-refused", words: refusal.recipient, subjects: /^(?:1\.(?:[0-6]|9|1\d)|2\.[124]|4\.4)$/u },
  { rule: "provider-limit", words: refusal.limit },
  { rule: "sender-refused", words: refusal.sender, subjects: /^(?:1\.[78]|7\.\d+)$/u, command: /^MAIL/u },
  {
    rule: "provider-unavailable",
    words: /not accepting connections|unavailable/u,
    subjects: /^[34]\.\d+$/u,
    command: /^CONN/u
  },
  // An address that is refused without a word or a code can be wrong, blocked or not allowed for this sender.
  { rule: "provider-error", command: /^RCPT/u }
]

/** The rule for the refusal of a mail server; `undefined` if none refused. A refusal with 4xx is only for now. */
export const mailCause = ({ mail, plain }: Evidence): string | undefined => {
  if (mail?.status === undefined) return undefined
  if (mail.status < 500 && mail.subject !== "2.2") return "delivery-delayed"
  const found =
    mailCauses.find(({ words }) => words?.test(plain)) ??
    mailCauses.find(({ subjects }) => subjects?.test(mail.subject ?? "")) ??
    mailCauses.find(({ command }) => command?.test(mail.command))
  return found?.rule ?? "provider-refused-message"
}
