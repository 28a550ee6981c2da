import { generate } from "selfsigned"

/** A certificate and its key, both as PEM. */
export interface Certificate {
  readonly cert: string
  readonly key: string
}

const hour = 3_600_000

interface CertificateOptions {
  readonly name: string
  readonly ip?: string
  readonly isAuthority?: boolean
  readonly signedBy?: Certificate
  /** Hours from now; an hour ago until in an hour when absent. */
  readonly valid?: readonly [from: number, until: number]
}

const makeCertificate = async (options: CertificateOptions): Promise<Certificate> => {
  const { ip = "127.0.0.1", isAuthority = false, name, signedBy, valid = [-1, 1] } = options
  const pem = await generate([{ name: "commonName", value: name }], {
    keyType: "ec",
    algorithm: "sha256",
    notBeforeDate: new Date(Date.now() + valid[0] * hour),
    notAfterDate: new Date(Date.now() + valid[1] * hour),
    extensions: isAuthority
      ? [
          { name: "basicConstraints", cA: true, critical: true },
          { name: "keyUsage", keyCertSign: true, critical: true }
        ]
      : [{ name: "subjectAltName", altNames: [{ type: 7, ip }] }],
    ...(signedBy === undefined ? {} : { ca: signedBy })
  })
  return { cert: pem.cert, key: pem.private }
}

/** The certificates of the TLS servers in the table, made for one run of the tests. */
export const makeCertificates = async () => {
  const authority = await makeCertificate({ name: "Signalbox test authority", isAuthority: true })
  const otherAuthority = await makeCertificate({ name: "Signalbox other authority", isAuthority: true })
  const unknownAuthority = await makeCertificate({ name: "localhost", signedBy: otherAuthority })
  return {
    /** Signs the certificates that have one defect at most. */
    authority,
    good: await makeCertificate({ name: "localhost", signedBy: authority }),
    expired: await makeCertificate({ name: "localhost", signedBy: authority, valid: [-2, -1] }),
    notYetValid: await makeCertificate({ name: "localhost", signedBy: authority, valid: [1, 2] }),
    otherHost: await makeCertificate({ name: "another", ip: "127.0.0.2", signedBy: authority }),
    selfSigned: await makeCertificate({ name: "localhost" }),
    unknownAuthority,
    /** Sent together with the certificate of its authority. */
    unknownAuthorityChain: { cert: `${unknownAuthority.cert}\n${otherAuthority.cert}`, key: unknownAuthority.key }
  }
}

/** The certificates by their defect. */
export type Certificates = Awaited<ReturnType<typeof makeCertificates>>
