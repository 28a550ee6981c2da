/** A plain `Error` with a `_tag`, by which `Effect.catchTag`, `Effect.catchReason` and a `switch` tell errors apart. */
export interface Tagged<Tag extends string> extends Error {
  readonly _tag: Tag
  /** Plain data for logs: the tag, the message and every enumerable fact. */
  toJSON(): Readonly<Record<string, unknown>>
}

/** The base class of an error: exported, so that declarations name it instead of repeating it for every error. */
export interface TaggedErrorClass<Tag extends string> {
  new <Facts extends { readonly message: string }>(facts: Facts): Tagged<Tag> & Facts
}

const plain = (value: unknown): unknown => {
  const { toJSON } = Object(value)
  return typeof toJSON === "function" ? toJSON.call(value) : value
}

// Only V8 and engines that follow it have a limit.
const engine = Error as { readonly stackTraceLimit?: number }

/**
 * Makes the base class of an error whose facts are its properties.
 *
 * The facts named in `unlogged` are not enumerable, so `console.log`, `JSON.stringify` and loggers leave them out: they
 * repeat what the message says, or are too large for a log line. The stack has no frames: an error is created deep
 * inside a fiber, and its frames would show the Effect runtime instead of the caller.
 */
export const TaggedError = <const Tag extends string>(
  tag: Tag,
  unlogged: ReadonlyArray<string> = []
): TaggedErrorClass<Tag> => {
  class Base extends Error {
    readonly _tag = tag

    constructor({ message, ...facts }: { readonly message: string }) {
      const { stackTraceLimit } = engine
      // Frames that are left out anyway cost more than everything else. Not an assignment: it throws where `Error` is frozen.
      Reflect.set(engine, "stackTraceLimit", 0)
      super(message)
      Reflect.set(engine, "stackTraceLimit", stackTraceLimit)
      Object.defineProperty(this, "stack", { value: `${tag}: ${message}`, writable: true, configurable: true })
      for (const [name, value] of Object.entries(facts)) {
        Object.defineProperty(this, name, { value, enumerable: !unlogged.includes(name), configurable: true })
      }
    }

    toJSON(): Readonly<Record<string, unknown>> {
      const { _tag, ...facts } = this
      const entries = Object.entries(facts).map(([name, value]) => [name, plain(value)])
      return { _tag, message: this.message, ...Object.fromEntries(entries) }
    }
  }
  Object.defineProperty(Base.prototype, "name", { value: tag, configurable: true })
  // The constructor defines the facts as properties; the type of the class above cannot express that.
  return Base as never
}
