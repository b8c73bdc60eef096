/**
 * A certificate for 127.0.0.1 that signs itself, made with what Node.js has: a machine need not have openssl. The
 * text is that of RFC 5280 in DER: a tag, a length, a content.
 */
import { generateKeyPairSync, sign } from "node:crypto";

export interface SelfSignedCertificate {
  /** PEM. */
  readonly key: string;
  /** PEM; at the same time the authority that a client has to trust. */
  readonly certificate: string;
}

const TAG = {
  integer: 0x02,
  bits: 0x03,
  octets: 0x04,
  oid: 0x06,
  utf8: 0x0c,
  time: 0x17,
  sequence: 0x30,
  set: 0x31,
};
const ECDSA_WITH_SHA256 = "2a8648ce3d040302";
const COMMON_NAME = "550403";
const BASIC_CONSTRAINTS = "551d13";
const SUBJECT_ALTERNATIVE_NAME = "551d11";
const TRUE = Buffer.from("0101ff", "hex");
const VERSION_3 = Buffer.from("020102", "hex");
const DAY_MS = 86_400_000;

/** Valid from yesterday to tomorrow. */
export function makeCertificate(): SelfSignedCertificate {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const algorithm = der(TAG.sequence, oid(ECDSA_WITH_SHA256));
  const name = der(
    TAG.sequence,
    der(TAG.set, der(TAG.sequence, oid(COMMON_NAME), der(TAG.utf8, Buffer.from("127.0.0.1")))),
  );
  const body = der(
    TAG.sequence,
    der(0xa0, VERSION_3),
    der(TAG.integer, Buffer.from([1])),
    algorithm,
    name,
    der(TAG.sequence, time(Date.now() - DAY_MS), time(Date.now() + DAY_MS)),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, der(TAG.sequence, authority(), address(Buffer.from([127, 0, 0, 1])))),
  );
  const signature = der(TAG.bits, Buffer.from([0]), sign("sha256", body, privateKey));
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    certificate: pem(der(TAG.sequence, body, algorithm, signature)),
  };
}

function authority(): Buffer {
  return der(TAG.sequence, oid(BASIC_CONSTRAINTS), TRUE, der(TAG.octets, der(TAG.sequence, TRUE)));
}

function address(bytes: Buffer): Buffer {
  return der(
    TAG.sequence,
    oid(SUBJECT_ALTERNATIVE_NAME),
    der(TAG.octets, der(TAG.sequence, der(0x87, bytes))),
  );
}

function der(tag: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  return Buffer.concat([Buffer.from([tag]), length(content.length), content]);
}

/** Up to 127 in one byte; beyond, the number of bytes that follow comes first. */
function length(byteCount: number): Buffer {
  if (byteCount < 0x80) return Buffer.from([byteCount]);
  return Buffer.from([0x82, byteCount >> 8, byteCount & 0xff]);
}

function oid(hex: string): Buffer {
  return der(TAG.oid, Buffer.from(hex, "hex"));
}

/** YYMMDDhhmmssZ. */
function time(atMs: number): Buffer {
  return der(TAG.time, Buffer.from(`${new Date(atMs).toISOString().replace(/\D/g, "").slice(2, 14)}Z`));
}

function pem(bytes: Buffer): string {
  return `-----BEGIN CERTIFICATE-----\n${bytes.toString("base64")}\n-----END CERTIFICATE-----\n`;
}
