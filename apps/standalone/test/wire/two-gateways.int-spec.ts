import { startGateway } from "@carrel/gateway";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { answerEverything } from "./fixture-answers.ts";
import { startTestInstance, type TestInstance } from "./instance.ts";

const password = "correct horse battery";
/** Enough rounds to catch a gateway that hears of a change too late. */
const rounds = 8;

let instance: TestInstance;
let second: Awaited<ReturnType<typeof startGateway>>;
let gateways: [string, string];
let admin: string;
let reader: string;
let readerId: number;

/** A JSON call through one of the gateways. */
async function call(
  gateway: 0 | 1,
  method: string,
  path: string,
  { token, body }: { token?: string; body?: unknown } = {},
): Promise<{ status: number; json: unknown }> {
  const response = await fetch(`${gateways[gateway]}/api${path}`, {
    method,
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json") === true;
  return { status: response.status, json: isJson ? (JSON.parse(text) as unknown) : text };
}
async function signIn(username: string): Promise<string> {
  const { json } = await call(0, "POST", "/request-token", { body: { username, password } });
  return (json as { token: string }).token;
}
/** Names of the workspaces someone may use. */
async function names(gateway: 0 | 1, token: string): Promise<string[]> {
  const { json } = await call(gateway, "GET", "/workspaces", { token });
  return (json as { workspaces: { name: string }[] }).workspaces.map(({ name }) => name);
}
async function viewedName(gateway: 0 | 1, slug: string, token: string): Promise<string | null> {
  const { json } = await call(gateway, "GET", `/workspace/${slug}`, { token });
  return (json as { workspace: { name: string } | null }).workspace?.name ?? null;
}
const setMembers = (gateway: 0 | 1, id: number, userIds: number[]) =>
  call(gateway, "POST", `/admin/workspaces/${id}/update-users`, {
    token: admin,
    body: { userIds },
  });
const makeWorkspace = async (gateway: 0 | 1, name: string) =>
  (
    (await call(gateway, "POST", "/workspace/new", { token: admin, body: { name } })).json as {
      workspace: { id: number; slug: string };
    }
  ).workspace;

beforeAll(async () => {
  instance = await startTestInstance();
  answerEverything(instance);
  // It has its own connections, as a separate process would.
  second = await startGateway(instance.config);
  gateways = [instance.url, `http://127.0.0.1:${new URL(second.url).port}`];
  await call(0, "POST", "/system/enable-multi-user", {
    body: { username: "firstadmin", password },
  });
  admin = await signIn("firstadmin");
  const { json } = await call(0, "POST", "/admin/users/new", {
    token: admin,
    body: { username: "reader", password, role: "default" },
  });
  readerId = (json as { user: { id: number } }).user.id;
  reader = await signIn("reader");
});
afterAll(async () => {
  await second?.stop();
  await instance?.stop();
});

describe("two gateways with cached workspaces", () => {
  it("a changed membership applies to the next request at either of them", async () => {
    const { id, slug } = await makeWorkspace(0, "Shared");
    for (let round = 0; round < rounds; round += 1) {
      const [here, elsewhere] = round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const);
      await setMembers(here, id, [readerId]);
      for (const gateway of [elsewhere, here]) {
        expect(await viewedName(gateway, slug, reader)).toBe("Shared");
        expect(await names(gateway, reader)).toEqual(["Shared"]);
      }
      await setMembers(here, id, []);
      for (const gateway of [elsewhere, here]) {
        expect(await viewedName(gateway, slug, reader)).toBeNull();
        expect(await names(gateway, reader)).toEqual([]);
      }
    }
  });

  it("a created, renamed or deleted workspace is read at once at either of them", async () => {
    await names(0, admin);
    await names(1, admin);
    for (let round = 0; round < rounds; round += 1) {
      const [here, elsewhere] = round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const);
      const { slug } = await makeWorkspace(here, `Round ${round}`);
      expect(await names(elsewhere, admin)).toContain(`Round ${round}`);
      expect(await viewedName(elsewhere, slug, admin)).toBe(`Round ${round}`);
      const name = `Renamed ${round}`;
      await call(here, "POST", `/workspace/${slug}/update`, { token: admin, body: { name } });
      expect(await viewedName(elsewhere, slug, admin)).toBe(name);
      expect(await names(elsewhere, admin)).toContain(name);
      await call(here, "DELETE", `/workspace/${slug}`, { token: admin });
      expect(await viewedName(elsewhere, slug, admin)).toBeNull();
      expect(await names(elsewhere, admin)).not.toContain(name);
    }
  });

  it("a suspended user is refused at once at either of them", async () => {
    // Fewer rounds, because signing in is slow.
    for (let round = 0; round < 3; round += 1) {
      const elsewhere = round % 2 === 0 ? 1 : 0;
      const here = elsewhere === 1 ? 0 : 1;
      const token = await signIn("reader");
      expect((await call(elsewhere, "GET", "/workspaces", { token })).status).toBe(200);
      const suspend = (suspended: number) =>
        call(here, "POST", `/admin/user/${readerId}`, { token: admin, body: { suspended } });
      await suspend(1);
      expect((await call(elsewhere, "GET", "/workspaces", { token })).status).toBe(401);
      await suspend(0);
    }
  });
});

describe("a cached workspace", () => {
  it("is read once, until it or its members change", async () => {
    const { slug } = await makeWorkspace(0, "Cached");
    const queries = async (): Promise<number> => {
      const text = String((await call(0, "GET", "/metrics", { token: admin })).json);
      const lines = text.matchAll(
        /^carrel_request_handle_seconds_count\{.*contract="workspace\.workspace\.read(?:-page-changes)?".*\} (\d+)$/gm,
      );
      return [...lines].reduce((sum, [, count]) => sum + Number(count), 0);
    };
    await viewedName(0, slug, admin);
    await names(0, admin);
    const before = await queries();
    const replies = new Set<string>();
    for (let count = 0; count < 5; count += 1) {
      replies.add(
        JSON.stringify((await call(0, "GET", `/workspace/${slug}`, { token: admin })).json),
      );
      await names(0, admin);
    }
    expect(replies.size).toBe(1);
    expect((await queries()) - before).toBeLessThanOrEqual(2); // at most once in three seconds
  });
});
