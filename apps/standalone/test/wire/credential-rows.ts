import {
  CarrelError,
  createCredential,
  deleteCredential,
  listCredentials,
  replaceCredentialValue,
  updateCredentialHosts,
  type CredentialWire,
  type In,
} from "@carrel/contracts";
import type { TestInstance } from "./instance.ts";
import { json, row, type Row } from "./wire-row.ts";

const id = "0b2c6bb4-1d0a-4c59-9a5e-5d2f0f3f6c20";
const gone = "0b2c6bb4-1d0a-4c59-9a5e-5d2f0f3f6c21";
const credential: CredentialWire = {
  id,
  name: "WEATHER_KEY",
  owner: { kind: "instance" },
  hosts: ["api.example.com"],
  lastCharacters: "4f2a",
  flows: [],
  isReadable: true,
  updatedBy: null,
  updatedAt: "2026-11-30T00:00:00.000Z",
  lastUsedAt: null,
};

export function answerCredentialRows({ chat }: TestInstance): void {
  const done = (input: { id: string }) => {
    if (input.id !== id) throw new CarrelError("credential.not-found");
    return { success: true as const };
  };
  chat
    .answer(listCredentials, { credentials: [credential] })
    .answer(createCredential, ({ name }: In<typeof createCredential>) => {
      if (name === credential.name) throw new CarrelError("credential.name-taken", { name });
      return { id };
    })
    .answer(replaceCredentialValue, done)
    .answer(updateCredentialHosts, done)
    .answer(deleteCredential, done);
}

const refusal = (error: string) => ({ body: { success: false, error } });
const notFound = refusal("This credential doesn't exist.");
const success = { body: { success: true } };
const value = "a-secret-value";
const create = (body: object, status: number, more: Pick<Row, "body" | "keys">): Row =>
  row("chat.credential.create", ["POST", "/credentials", body], status, json, more);
const hosts = ["API.example.com", "*.example.org:8443"];

/** Carrel-specific (docs/decisions/flows.md). */
export const credentialRows: Row[] = [
  row("chat.credential.list", ["GET", "/credentials"], 200, json, {
    body: { credentials: [credential] },
  }),
  create({ name: "CRM", hosts, value }, 200, { body: { id } }),
  create({ name: "WEATHER_KEY", hosts, value }, 409, {
    ...refusal("There is already a credential named WEATHER_KEY here."),
  }),
  ...[
    { name: "no name", hosts, value },
    { name: "CRM", hosts: [], value },
    { name: "CRM", hosts: ["*"], value },
    { name: "CRM", hosts: ["*.com"], value },
    { name: "CRM", hosts: ["https://api.example.com/v1"], value },
    { name: "CRM", hosts, value: "short" },
  ].map((body) => create(body, 400, { keys: ["success", "error"] })),
  row("chat.credential.replace-value", ["PUT", `/credentials/${id}/value`, { value }], 200, json, {
    ...success,
  }),
  row(
    "chat.credential.replace-value",
    ["PUT", `/credentials/${gone}/value`, { value }],
    404,
    json,
    notFound,
  ),
  row("chat.credential.update-hosts", ["PUT", `/credentials/${id}/hosts`, { hosts }], 200, json, {
    ...success,
  }),
  row("chat.credential.delete", ["DELETE", `/credentials/${id}`], 200, json, success),
  row("chat.credential.delete", ["DELETE", `/credentials/${gone}`], 404, json, notFound),
];
