import { describe, expect, it } from "@jest/globals";
import { MessageCipher } from "./message-cipher.ts";

const key = Buffer.alloc(32, 1);
const head = '{"contract":"auth.session.create","scope":{}}';
const body = '{"password":"correct horse battery"}';

describe("MessageCipher", () => {
  it("opens what another process of the instance sealed", () => {
    const [sender, receiver] = [new MessageCipher(key), new MessageCipher(key)];
    for (const text of [body, "", "äöü😀", "x".repeat(1024 * 1024)])
      expect(receiver.open("request", head, sender.seal("request", head, text))).toBe(text);
  });

  it("hides the body and never seals it the same way twice", () => {
    const ciphers = [new MessageCipher(key), new MessageCipher(key)];
    const sealed = Array.from({ length: 1_000 }, (_, n) =>
      ciphers[n % 2]!.seal("request", head, body),
    );
    expect(new Set(sealed).size).toBe(1_000);
    // Salt and nonce: using a pair twice would reveal the key.
    const nonces = sealed.map((text) => Buffer.from(text, "base64").toString("hex", 0, 28));
    expect(new Set(nonces).size).toBe(1_000);
    for (const text of sealed)
      expect(Buffer.from(text, "base64").toString("latin1")).not.toContain("battery");
  });

  it("refuses other keys, heads and kinds, and anything changed", () => {
    const cipher = new MessageCipher(key);
    const sealed = cipher.seal("request", head, body);
    expect(new MessageCipher(Buffer.alloc(32, 2)).open("request", head, sealed)).toBeNull();
    expect(cipher.open("reply", head, sealed)).toBeNull();
    expect(cipher.open("request", head.replace("{}", '{"role":"admin"}'), sealed)).toBeNull();
    expect(cipher.open("request", head, "")).toBeNull();
    expect(cipher.open("request", head, body)).toBeNull();
    const bytes = Buffer.from(sealed, "base64");
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes);
      changed[at]! ^= 1;
      expect(cipher.open("request", head, changed.toString("base64"))).toBeNull();
    }
    for (let length = 0; length < bytes.length; length++)
      expect(cipher.open("request", head, bytes.toString("base64", 0, length))).toBeNull();
  });

  it("opens messages of processes that use any of its keys", () => {
    const other = Buffer.alloc(32, 2);
    const [old, both, next] = [
      new MessageCipher(key),
      new MessageCipher(other, key),
      new MessageCipher(other),
    ];
    for (let n = 0; n < 3; n++) {
      expect(both.open("request", head, old.seal("request", head, body))).toBe(body);
      expect(both.open("request", head, next.seal("request", head, body))).toBe(body);
      expect(next.open("reply", head, both.seal("reply", head, body))).toBe(body);
      expect(old.open("reply", head, both.seal("reply", head, body))).toBeNull();
    }
  });
});
