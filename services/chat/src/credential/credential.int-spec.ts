import {
  createCredential,
  createFlow,
  deleteCredential,
  deleteFlow,
  eventLogged,
  flowSteps,
  instancePrincipal,
  listCredentials,
  replaceCredentialValue,
  updateCredentialHosts,
  type CredentialOwner,
  type EventPayload,
  type Principal,
} from "@carrel/contracts";
import { poll } from "@carrel/testing";
import { DataSource } from "typeorm";
import { ChatInstance } from "../../test/chat-instance.ts";
import { queryRows } from "../database/query-rows.ts";
import { CredentialRepository } from "./credential.repository.ts";

const admin: Principal = { kind: "user", userId: 1, role: "admin" };
const scope = { principal: admin, workspace: null } as never;
const nobody = "0b2c6bb4-1d0a-4c59-9a5e-5d2f0f3f6c10";
const value = "sk-live-0123456789abcd";

let chat: ChatInstance;
let database: DataSource;
let credentials: CredentialRepository;
const logged: EventPayload<typeof eventLogged>[] = [];
beforeAll(async () => {
  chat = await ChatInstance.start();
  chat.shared.messaging.broadcast.on(`event:${eventLogged.name}`, (payload) =>
    logged.push(payload as EventPayload<typeof eventLogged>),
  );
  await chat.startReplica();
  database = await new DataSource({ type: "postgres", url: chat.database.url }).initialize();
  credentials = new CredentialRepository(database, chat.shared.secretBox);
});
afterAll(async () => {
  await database?.destroy();
  await chat?.stop();
});

const create = (name: string, owner: CredentialOwner = { kind: "instance" }, more: object = {}) =>
  chat.request(
    createCredential,
    { name, owner, hosts: ["api.example.com"], value, ...more },
    scope,
  );
const list = async () => (await chat.request(listCredentials, {}, scope)).credentials;
const find = async (id: string) => (await list()).find((each) => each.id === id);
const addFlow = async (): Promise<CredentialOwner & { kind: "flow" }> => {
  const { id } = await chat.request(createFlow, { name: "Flow", steps: [] }, scope);
  return { kind: "flow", id };
};
const failsWith = (code: string) => expect.objectContaining({ code });

describe("credentials", () => {
  it("are stored sealed, and listed without their value", async () => {
    const { id } = await create("WEATHER_KEY");
    expect(await find(id)).toEqual({
      id,
      name: "WEATHER_KEY",
      owner: { kind: "instance" },
      hosts: ["api.example.com"],
      lastCharacters: "abcd",
      flows: [],
      isReadable: true,
      updatedBy: 1,
      updatedAt: expect.any(String),
      lastUsedAt: null,
    });
    const [row] = await queryRows<{ row: string }>(
      database,
      "SELECT row_to_json(c)::text AS row FROM chat.credential c WHERE id = $1",
      [id],
    );
    expect(row!.row).toContain("WEATHER_KEY");
    expect(row!.row).not.toContain(value.slice(-8));
    const results = await queryRows<{ result: string }>(
      database,
      "SELECT result::text AS result FROM chat.request_result",
    );
    expect(JSON.stringify(results)).not.toContain(value.slice(-8));
  });

  it("are replaced, sent to other hosts and deleted, which the event log says without values", async () => {
    const { id } = await create("CRM");
    await chat.request(replaceCredentialValue, { id, value: "short-one" }, scope);
    await chat.request(updateCredentialHosts, { id, hosts: ["*.example.org"] }, scope);
    expect(await find(id)).toMatchObject({ lastCharacters: null, hosts: ["*.example.org"] });
    expect(
      (await credentials.open({ kind: "instance" }, ["CRM", "NONE"])).get("CRM"),
    ).toMatchObject({
      id,
      hosts: ["*.example.org"],
      value: "short-one",
    });
    await chat.request(deleteCredential, { id }, scope);
    expect(await find(id)).toBeUndefined();
    const ofThis = () => logged.filter(({ metadata }) => (metadata as { id: string }).id === id);
    await poll(() => ofThis().map(({ event }) => event)).toEqual([
      "credential_created",
      "credential_replaced",
      "credential_hosts_changed",
      "credential_deleted",
    ]);
    expect(ofThis()[2]!.metadata).toMatchObject({ name: "CRM", hosts: ["*.example.org"] });
    expect(JSON.stringify(logged)).not.toContain("short-one");
    for (const request of [
      () => chat.request(replaceCredentialValue, { id, value }, scope),
      () => chat.request(updateCredentialHosts, { id, hosts: ["a.example"] }, scope),
      () => chat.request(deleteCredential, { id }, scope),
    ])
      await expect(request()).rejects.toEqual(failsWith("credential.not-found"));
  });

  it("have names of their own within their place, and the owner's come first", async () => {
    const flow = await addFlow();
    await create("SHARED", undefined, { value: "of-the-instance" });
    await create("SHARED", flow, { value: "of-the-flow" });
    await create("SHARED", { kind: "plugin", id: "weather" }, { value: "of-the-plugin" });
    await expect(create("SHARED", flow)).rejects.toEqual(failsWith("credential.name-taken"));
    const open = async (owner: CredentialOwner) =>
      (await credentials.open(owner, ["SHARED"])).get("SHARED")?.value;
    expect(await open({ kind: "instance" })).toBe("of-the-instance");
    expect(await open(flow)).toBe("of-the-flow");
    expect(await open({ kind: "flow", id: nobody })).toBe("of-the-instance");
    expect(await open({ kind: "plugin", id: "weather" })).toBe("of-the-plugin");
  });

  it("name the flows that refer to them", async () => {
    const url = "https://a.example/?k={{credential.USED_BY}}";
    const steps = flowSteps.parse([{ type: "apiCall", config: { url } }]);
    const proven = { principal: instancePrincipal, workspace: null } as never;
    const add = (name: string) => chat.request(createFlow, { name, steps }, proven);
    const [a, b] = [await add("A"), await add("B")];
    const { id } = await create("USED_BY");
    const own = await create("USED_BY", { kind: "flow", id: b.id });
    expect((await find(id))!.flows).toEqual([{ id: a.id, name: "A" }]);
    expect((await find(own.id))!.flows).toEqual([{ id: b.id, name: "B" }]);
  });

  it("go with their flow", async () => {
    const flow = await addFlow();
    const { id } = await create("OWN", flow);
    await chat.request(deleteFlow, { id: flow.id }, scope);
    expect(await find(id)).toBeUndefined();
    await expect(create("OWN", flow)).rejects.toEqual(failsWith("credential.owner-not-found"));
  });

  it("say when they were used, and whether they can be read", async () => {
    const { id } = await create("USED");
    await credentials.noteUse([id]);
    expect(await find(id)).toMatchObject({ lastUsedAt: expect.any(String), isReadable: true });
    await database.query("UPDATE chat.credential SET sealed_value = 'v1:x' WHERE id = $1", [id]);
    expect(await find(id)).toMatchObject({ lastCharacters: null, isReadable: false });
    expect((await credentials.open({ kind: "instance" }, ["USED"])).get("USED")!.value).toBeNull();
  });

  it("are at most 500", async () => {
    await database.query(
      `INSERT INTO chat.credential (id, name, owner_kind, owner_id, hosts, sealed_value)
      SELECT gen_random_uuid(), 'MANY_' || n, 'instance', '', '{a.example}', ''
      FROM generate_series(1, 500) n`,
    );
    await expect(create("ONE_MORE")).rejects.toEqual(failsWith("credential.too-many"));
  });
});
