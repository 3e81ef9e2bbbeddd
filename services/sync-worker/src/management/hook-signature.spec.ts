import { createHmac } from "node:crypto";
import { expect, it } from "@jest/globals";
import { verifyHook } from "./hook-signature.ts";

const secret = "It's a Secret to Everybody";
const body = Buffer.from("Hello, World!");
// The example of GitHub's documentation (Validating webhook deliveries).
const signature = "757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17";
const sha1 = createHmac("sha1", secret).update(body).digest("hex");

type Headers = Record<string, string>;

it.each<Headers>([
  { "x-hub-signature-256": `sha256=${signature}` },
  { "x-hub-signature": `sha256=${signature}` },
  { "x-gitea-signature": signature },
  { "x-forgejo-signature": signature },
  { "x-gitlab-token": secret },
])("accepts %p", (headers) => {
  expect(verifyHook(headers, body, secret)).toMatch(/^body:[\da-f]{64}$/);
  expect(verifyHook(headers, body, "another secret")).toBeNull();
});

it.each<Headers>([
  {},
  { "x-hub-signature": `sha1=${sha1}` },
  { "x-hub-signature-256": "" },
  { "x-hub-signature-256": `sha256=${signature.slice(2)}` },
  { "x-hub-signature-256": "sha256=not hexadecimal" },
  { "x-gitlab-token": "" },
])("refuses %p", (headers) => {
  expect(verifyHook(headers, body, secret)).toBeNull();
});

it("refuses a signature of another body, and tells deliveries of GitLab apart", () => {
  const headers = { "x-hub-signature-256": `sha256=${signature}` };
  expect(verifyHook(headers, Buffer.from("Hello, World?"), secret)).toBeNull();
  const keyOf = (id: string) =>
    verifyHook({ "x-gitlab-token": secret, "x-gitlab-event-uuid": id }, body, secret);
  expect(keyOf("a")).toBe(keyOf("a"));
  expect(keyOf("a")).not.toBe(keyOf("b"));
});
