import { generateKeyPairSync, randomBytes, sign, type KeyObject } from "node:crypto";
import { isIP } from "node:net";

/** DER: one value, with its tag and length. */
function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size =
    length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}
const sequence = (...parts: Buffer[]): Buffer => der(0x30, ...parts);
const objectId = (hex: string): Buffer => der(0x06, Buffer.from(hex, "hex"));
const yes = der(0x01, Buffer.from([255]));
const bits = (bytes: Buffer): Buffer => der(0x03, Buffer.from([0]), bytes);
const time = (at: Date): Buffer =>
  der(0x18, Buffer.from(`${at.toISOString().replaceAll(/[-:T]/g, "").slice(0, 14)}Z`));
const nameOf = (commonName: string): Buffer =>
  sequence(der(0x31, sequence(objectId("550403"), der(0x0c, Buffer.from(commonName)))));
const extension = (id: string, isCritical: boolean, value: Buffer): Buffer =>
  sequence(objectId(id), ...(isCritical ? [yes] : []), der(0x04, value));

const ecdsaWithSha256 = sequence(objectId("2a8648ce3d040302"));

interface Issuer {
  name: string;
  key: KeyObject;
}

function issue(
  name: string,
  extensions: Buffer[],
  signer?: Issuer,
): { certificate: string; key: KeyObject } {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const dayMs = 86_400_000;
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ecdsaWithSha256,
    nameOf(signer?.name ?? name),
    sequence(time(new Date(Date.now() - dayMs)), time(new Date(Date.now() + dayMs))),
    nameOf(name),
    publicKey.export({ format: "der", type: "spki" }),
    der(0xa3, sequence(...extensions)),
  );
  const signature = sign("sha256", body, signer?.key ?? privateKey);
  const text = sequence(body, ecdsaWithSha256, bits(signature)).toString("base64");
  return {
    certificate: `-----BEGIN CERTIFICATE-----\n${text.match(/.{1,64}/g)!.join("\n")}\n-----END CERTIFICATE-----\n`,
    key: privateKey,
  };
}

function addressBytes(host: string): Buffer {
  return isIP(host) === 4
    ? Buffer.from(host.split(".").map(Number))
    : Buffer.concat([Buffer.alloc(15), Buffer.from([1])]);
}

/** A private authority, as companies have them; valid for a day. */
export interface TestAuthority {
  /** PEM. */
  certificate: string;
  /** A server's certificate and key in PEM, for names, IPv4 addresses and `::1`. */
  issue(...hosts: string[]): { cert: string; key: string };
}

/** @param name common name; authorities with the same name have different keys */
export function createTestAuthority(name = "Carrel's test authority"): TestAuthority {
  const isAuthority = extension("551d13", true, sequence(yes));
  const signsCertificates = extension("551d0f", true, der(0x03, Buffer.from([2, 4])));
  const { certificate, key } = issue(name, [isAuthority, signsCertificates]);
  return {
    certificate,
    issue(...hosts) {
      const names = hosts.map((host) =>
        isIP(host) === 0 ? der(0x82, Buffer.from(host)) : der(0x87, addressBytes(host)),
      );
      const issued = issue(hosts[0]!, [extension("551d11", false, sequence(...names))], {
        name,
        key,
      });
      return {
        cert: issued.certificate,
        key: issued.key.export({ format: "pem", type: "pkcs8" }).toString(),
      };
    },
  };
}
