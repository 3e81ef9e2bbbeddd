import { expect, it } from "@jest/globals";
import { fetchLink, servicePrincipal } from "@carrel/contracts";
import { Signer, type RequestHead } from "./envelope.ts";
import { openRequest } from "./open-request.ts";

const signer = new Signer(Buffer.alloc(32, 1));
const operations = new Map([[fetchLink.name, fetchLink]]);
const head = {
  contract: fetchLink.name,
  scope: { principal: servicePrincipal, workspace: null },
} as RequestHead;

/** An entry's fields with these changes to its head. */
const fieldsOf = (changes: object, key = signer): string[] => {
  const text = JSON.stringify({ ...head, ...changes });
  return ["h", text, "b", "{}", "s", key.sign("request", text, "{}")];
};

it("opens a signed request for a known operation", () => {
  expect(openRequest(fieldsOf({}), signer, operations)).toEqual({
    head,
    body: "{}",
    operation: fetchLink,
  });
});

it("distinguishes an unknown operation from a malformed scope and a forged signature", () => {
  const open = (changes: object, key?: Signer) =>
    openRequest(fieldsOf(changes, key), signer, operations);
  const scope = { principal: { ...servicePrincipal, kind: "robot" }, workspace: null };
  expect(open({ contract: "no.such.operation" })).toMatchObject({ fault: "operation" });
  expect(open({ scope })).toMatchObject({ fault: "scope" });
  expect(open({ contract: "no.such.operation", scope })).toMatchObject({ fault: "operation" });
  expect(open({}, new Signer(Buffer.alloc(32, 2)))).toEqual({ fault: "unsigned" });
  expect(openRequest(fieldsOf({}).slice(0, 4), signer, operations)).toEqual({ fault: "unsigned" });
});
