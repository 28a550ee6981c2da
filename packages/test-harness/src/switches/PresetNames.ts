/** The names that `preset` understands, for messages. */
export const presetNames = "document, observed, adversarial, seeded(n)"
