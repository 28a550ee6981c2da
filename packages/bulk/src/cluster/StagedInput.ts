/**
 * Inputs in the database, which only workers can read: encrypted for the key pair of the workers.
 *
 * A submitter has the public key. Each chunk gets its own key, agreed with X25519 and derived with HKDF, and is encrypted
 * with AES-256-GCM, bound to its place in the run.
 */
import * as Data from "effect/Data"
import * as Redacted from "effect/Redacted"
import {
  createCipheriv,
  createDecipheriv,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
  randomBytes
} from "node:crypto"

/** A key of the workers cannot be used. */
export class InputKeyError extends Data.TaggedError("InputKeyError")<{
  /** One line without the key. */
  readonly message: string
}> {}

/** The key pair of the workers of a database. */
export interface InputKeys {
  /** For workers only. */
  readonly inputKey: Redacted.Redacted<string>
  /** For everyone who submits runs. */
  readonly publicKey: string
}

const rawBytes = 32
const ivBytes = 12
const tagBytes = 16

const encoded = (key: KeyObject, name: "d" | "x"): string => {
  const value = key.export({ format: "jwk" })[name]
  if (value === undefined) throw new Error(`the key has no ${name}`)
  return value
}

/** Tells a public key from the key of the workers: both have the same form. */
const publicPrefix = "public-"

/** Makes a key pair. */
export const makeInputKeys = (): InputKeys => {
  const { privateKey, publicKey } = generateKeyPairSync("x25519")
  return { inputKey: Redacted.make(encoded(privateKey, "d")), publicKey: `${publicPrefix}${encoded(publicKey, "x")}` }
}

const publicKeyOf = (text: string): KeyObject =>
  createPublicKey({ key: { kty: "OKP", crv: "X25519", x: text }, format: "jwk" })

// The format requires a public part, which Node ignores and derives.
const privateKeyOf = (text: string): KeyObject =>
  createPrivateKey({ key: { kty: "OKP", crv: "X25519", d: text, x: text }, format: "jwk" })

/** Checks that a string is a public key, not that of the workers: what it encrypts could never be read. */
export const checkPublicKey = (name: string, text: string): InputKeyError | undefined => {
  const key = text.slice(publicPrefix.length)
  const isKey = /^[\w-]{43}$/u.test(key) && Buffer.from(key, "base64url").length === rawBytes
  return text.startsWith(publicPrefix) && isKey
    ? undefined
    : new InputKeyError({ message: `${name} is not a public key; make a pair with: signalbox bulk input-key` })
}

const derive = (privateKey: KeyObject, publicKey: KeyObject, ephemeral: Buffer): Buffer =>
  Buffer.from(hkdfSync("sha256", diffieHellman({ privateKey, publicKey }), ephemeral, "signalbox/bulk/input", 32))

/** Encrypts bytes for the workers; `place` says what they are, and must be the same when they are decrypted. */
export const seal = (publicKey: string, place: string, bytes: Buffer): Buffer => {
  const ephemeral = generateKeyPairSync("x25519")
  const sender = Buffer.from(encoded(ephemeral.publicKey, "x"), "base64url")
  const iv = randomBytes(ivBytes)
  const cipher = createCipheriv(
    "aes-256-gcm",
    derive(ephemeral.privateKey, publicKeyOf(publicKey.slice(publicPrefix.length)), sender),
    iv
  )
  cipher.setAAD(Buffer.from(place))
  return Buffer.concat([sender, iv, cipher.update(bytes), cipher.final(), cipher.getAuthTag()])
}

/** Decrypts bytes; throws where they were encrypted with another key or for another place. */
export const open = (inputKey: Redacted.Redacted<string>, place: string, sealed: Buffer): Buffer => {
  const sender = sealed.subarray(0, rawBytes)
  const iv = sealed.subarray(rawBytes, rawBytes + ivBytes)
  const content = sealed.subarray(rawBytes + ivBytes, -tagBytes)
  const key = derive(privateKeyOf(Redacted.value(inputKey)), publicKeyOf(sender.toString("base64url")), sender)
  const decipher = createDecipheriv("aes-256-gcm", key, iv)
  decipher.setAAD(Buffer.from(place))
  decipher.setAuthTag(sealed.subarray(-tagBytes))
  return Buffer.concat([decipher.update(content), decipher.final()])
}
