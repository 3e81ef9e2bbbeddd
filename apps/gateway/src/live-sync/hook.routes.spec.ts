import { createHmac } from "node:crypto";
import { Readable } from "node:stream";
import { expect, it } from "@jest/globals";
import { digestBody, isSigned, verifyHook } from "./hook.routes.ts";

const secret = "It's a Secret to Everybody";
const body = Buffer.from("Hello, World!");
// The example of GitHub's documentation (Validating webhook deliveries).
const signature = "757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17";
const sha1 = createHmac("sha1", secret).update(body).digest("hex");

type Headers = Record<string, string>;

const verify = async (headers: Headers, sent: Buffer, key: string): Promise<string | null> =>
  verifyHook(headers, await digestBody(Readable.from([sent]), key, sent.length), key);

it.each<Headers>([
  { "x-hub-signature-256": `sha256=${signature}` },
  { "x-hub-signature": `sha256=${signature}` },
  { "x-gitea-signature": signature },
  { "x-forgejo-signature": signature },
  { "x-gitlab-token": secret },
])("accepts %p", async (headers) => {
  expect(isSigned(headers)).toBe(true);
  expect(await verify(headers, body, secret)).toMatch(/^body:[\da-f]{64}$/);
  expect(await verify(headers, body, "another secret")).toBeNull();
});

it.each<Headers>([
  {},
  { "x-hub-signature": `sha1=${sha1}` },
  { "x-hub-signature-256": "" },
  { "x-hub-signature-256": `sha256=${signature.slice(2)}` },
  { "x-hub-signature-256": "sha256=not hexadecimal" },
  { "x-gitlab-token": "" },
])("refuses %p", async (headers) => {
  expect(await verify(headers, body, secret)).toBeNull();
});

it("refuses a signature of another body, and tells deliveries of GitLab apart", async () => {
  const headers = { "x-hub-signature-256": `sha256=${signature}` };
  expect(await verify(headers, Buffer.from("Hello, World?"), secret)).toBeNull();
  const keyOf = (id: string) =>
    verify({ "x-gitlab-token": secret, "x-gitlab-event-uuid": id }, body, secret);
  expect(await keyOf("a")).toBe(await keyOf("a"));
  expect(await keyOf("a")).not.toBe(await keyOf("b"));
});

it("needs a signature that could be right, and refuses what is too large", async () => {
  expect(isSigned({ "x-hub-signature": `sha1=${sha1}`, "x-gitlab-event-uuid": "a" })).toBe(false);
  const tooLarge = digestBody(Readable.from([body, body]), secret, body.length * 2 - 1);
  await expect(tooLarge).rejects.toMatchObject({ code: "request.too-large" });
});
