import type { Screen } from "../state/State.ts"
import { causesKind } from "./causes/CausesActions.ts"
import { compareKind } from "./compare/CompareActions.ts"
import { credentialsKind } from "./credentials/CredentialsActions.ts"
import { eventKind } from "./event/EventActions.ts"
import { eventsKind } from "./events/EventsActions.ts"
import { messagesKind } from "./messages/MessagesActions.ts"
import { requestsKind } from "./requests/RequestsActions.ts"
import type { ScreenKind } from "./ScreenKind.ts"
import { runKind } from "./run/RunActions.ts"
import { subscriberKind } from "./subscriber/SubscriberActions.ts"
import { textKind } from "./text/TextActions.ts"

type Tags = Screen["_tag"]

/** The screens with a tag, in the form in which TypeScript relates them to the kind under the tag. */
type ScreenOf<Tag extends Tags> = { [T in Tag]: Extract<Screen, { readonly _tag: T }> }[Tag]

type Kinds = { readonly [Tag in Tags]: ScreenKind<ScreenOf<Tag>> }

/** The kinds of screens, in the order of their actions in help and docs. */
export const screenKinds: Kinds = {
  Events: eventsKind,
  Causes: causesKind,
  Event: eventKind,
  Subscriber: subscriberKind,
  Messages: messagesKind,
  Credentials: credentialsKind,
  Compare: compareKind,
  Requests: requestsKind,
  Run: runKind,
  Text: textKind
}

/** The kind of a screen. */
export const kindOf = <Tag extends Tags>(screen: ScreenOf<Tag>): ScreenKind<ScreenOf<Tag>> => screenKinds[screen._tag]
