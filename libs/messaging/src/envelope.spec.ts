import { fetchLink, servicePrincipal } from "@carrel/contracts";
import { expect, it } from "@jest/globals";
import { openRequest, type RequestHead } from "./envelope.ts";
import { MessageCipher } from "./message-cipher.ts";

const cipher = new MessageCipher(Buffer.alloc(32, 1));
const handler = { operation: fetchLink, run: () => undefined };
const handlers = new Map([[fetchLink.name, handler]]);
const head = {
  contract: fetchLink.name,
  scope: { principal: servicePrincipal, workspace: null },
} as RequestHead;

/** An entry's fields with these changes to its head. */
const fieldsOf = (changes: object, key = cipher): string[] => {
  const text = JSON.stringify({ ...head, ...changes });
  return ["h", text, "b", key.seal("request", text, "{}")];
};

it("opens a sealed request for a known operation", () => {
  expect(openRequest(fieldsOf({}), cipher, handlers)).toEqual({
    head,
    body: "{}",
    handler,
  });
});

it("distinguishes an unknown operation from a malformed scope and a forged one", () => {
  const open = (changes: object, key?: MessageCipher) =>
    openRequest(fieldsOf(changes, key), cipher, handlers);
  const scope = { principal: { ...servicePrincipal, kind: "robot" }, workspace: null };
  expect(open({ contract: "no.such.operation" })).toMatchObject({ fault: "operation" });
  expect(open({ scope })).toMatchObject({ fault: "scope" });
  expect(open({ contract: "no.such.operation", scope })).toMatchObject({ fault: "operation" });
  expect(open({}, new MessageCipher(Buffer.alloc(32, 2)))).toEqual({ fault: "unsealed" });
  expect(openRequest(fieldsOf({}).slice(0, 2), cipher, handlers)).toEqual({ fault: "unsealed" });
});
