import { describe, expect, it } from "@jest/globals";
import { SecretHasher } from "../secret/secret-hasher.ts";
import { KnownDevices } from "./attempts.ts";

const devices = (secret: string) =>
  new KnownDevices(new SecretHasher(Buffer.from(secret.repeat(32))));
const [ada, bob, instance] = [
  { id: 7, passwordHash: "hash a" },
  { id: 71, passwordHash: "hash b" },
  { id: null, passwordHash: "hash c" },
];

describe("KnownDevices", () => {
  const known = devices("x");
  const proof = known.prove(ada);

  it("recognises a browser by a unique name", () => {
    expect(known.identify(ada, proof)).toMatch(/^7\.[\w-]{22}$/);
    expect(known.prove(ada, proof)).toBe(proof);
    expect(known.identify(ada, known.prove(ada))).not.toBe(known.identify(ada, proof));
    expect(known.identify(instance, known.prove(instance))).toMatch(/^0\./);
  });

  it("rejects a missing or forged proof, and one of another account, instance or password", () => {
    const other = proof.replace(/.$/, (last) => (last === "A" ? "B" : "A"));
    for (const bad of [
      undefined,
      "",
      "x",
      "\0",
      other,
      proof.replace("7.", "71."),
      `${proof}x`,
      `0${proof}`,
      proof.split(".").slice(0, 2).join("."),
    ])
      expect(known.identify(ada, bad)).toBeUndefined();
    expect(known.identify(bob, proof)).toBeUndefined();
    expect(known.identify(bob, proof.replace("7.", "71."))).toBeUndefined();
    expect(
      known.identify({ ...ada, passwordHash: "hash of a new password" }, proof),
    ).toBeUndefined();
    expect(devices("y").identify(ada, proof)).toBeUndefined();
    expect(known.prove(ada, other)).not.toBe(other);
  });
});
