import { isDeepStrictEqual } from "node:util";
import { endpoints, includesScope, type Endpoint } from "@carrel/contracts";
import { isThorough, sample } from "@carrel/testing";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { Call, Fixture } from "./fixture.ts";
import { fixtures } from "./fixtures.ts";
import { oldSession } from "./old-session.ts";
import { makeSolo } from "./solo.ts";
import { makeTeam } from "./team.ts";
import {
  password,
  resources,
  type Caller,
  type Resource,
  type Things,
  type World,
} from "./world.ts";

/** The declared policy's decision about a caller, whatever the call refers to. */
type Verdict = "may" | { status: number; body: RegExp };
const wordless: Verdict = { status: 401, body: /^Unauthorized$/ };

function judge({ access, operation }: Endpoint, caller: Caller, mode: World["mode"]): Verdict {
  if (access.who === "public") return "may";
  if (access.who === "key" && caller.kind !== "key")
    return {
      status: operation.errors?.KEY_REFUSED?.status ?? 403,
      body: /^\{"error":"No valid api key found\."\}$/,
    };
  if (access.who === "extension" && caller.kind !== "extension")
    return { status: 403, body: /^\{"error":"No valid API key found\."\}$/ };
  if (access.who === "key") {
    if (!includesScope(caller.scopes!, access.scope))
      return { status: 403, body: new RegExp(`^{"error":"[^"]+ the scope “${access.scope}”,`) };
    const isForWorkspaces = access.workspace === true || access.restrictedKeys === true;
    if (caller.isRestricted === true && !isForWorkspaces)
      return { status: 403, body: /^\{"error":"This API key is restricted to some workspaces,/ };
  }
  const isKeyRoute = access.who === "key" || access.who === "extension";
  if (!isKeyRoute && caller.kind !== "session")
    return { status: 401, body: /^\{"error":"[^"]+"\}$/ };
  if (access.mode !== undefined && access.mode !== mode) return wordless;
  if (access.who === "manager" && caller.role === "default") return wordless;
  if (access.who === "admin" && caller.role !== "admin") return wordless;
  return "may";
}

interface Answer {
  status: number;
  body: string;
}

/** Sends one call as existing clients do; reads only the beginning of an event stream. */
async function send(
  world: World,
  caller: Caller,
  endpoint: Endpoint,
  { params = {}, query, body, token }: Call,
): Promise<Answer> {
  const path = Object.entries(params).reduce(
    (text, [key, value]) => text.replace(`:${key}`, encodeURIComponent(value)),
    endpoint.path,
  );
  expect(path).not.toContain("/:");
  const search =
    query === undefined
      ? ""
      : `?${new URLSearchParams(Object.entries(query).map(([key, value]) => [key, String(value)]))}`;
  const leave = new AbortController();
  const reply = await fetch(`${world.instance.url}/api${path}${search}`, {
    method: endpoint.method,
    redirect: "manual",
    signal: leave.signal,
    headers: { authorization: `Bearer ${token === undefined ? caller.api.token : token}` },
    ...(body === undefined ? {} : { body: body instanceof FormData ? body : JSON.stringify(body) }),
  });
  const streams = (reply.headers.get("content-type") ?? "").startsWith("text/event-stream");
  const text = streams ? "(event stream)" : await reply.text();
  if (streams) leave.abort();
  return { status: reply.status, body: text };
}

const replaced = (own: Things, other: Things, resource: Resource): Things => ({
  ...own,
  ...Object.fromEntries(resources[resource].fields.map((field) => [field, other[field]])),
});

/**
 * Masks the ids that a call refers to, so that answers about foreign and nonexistent resources
 * compare equal.
 */
function withoutEcho(answer: Answer, things: Things[]): Answer {
  const ids = things.flatMap((one) => Object.values(one).map(String)).filter((id) => id.length > 6);
  return {
    status: answer.status,
    body: ids
      .reduce((text, id) => text.replaceAll(id, "…"), answer.body)
      // An abort has a new id each time.
      .replace(/^\{"id":"[0-9a-f-]{36}","type":"abort"/, '{"id":"…","type":"abort"'),
  };
}

/**
 * Every route takes API keys or none, whatever their scopes, so on routes that take none each key
 * is tried in turn.
 */
function callersOf({ callers }: World, endpoint: Endpoint): Caller[] {
  if (isThorough || endpoint.access.who === "key") return callers;
  const keys = callers.filter(({ kind }) => kind === "key");
  const tried = keys[endpoints.indexOf(endpoint) % keys.length];
  return callers.filter((caller) => caller.kind !== "key" || caller === tried);
}

/**
 * Calls of a rejected caller to its own, foreign and unknown resources; one if it refers to none of
 * them. Without accounts, nothing is foreign. Unless thorough, each caller makes one of the calls,
 * in turn.
 */
async function callsOfRejected(
  world: World,
  fixture: Fixture,
  caller: Caller,
  turn: number,
): Promise<Call[]> {
  const own = await world.own(caller, []);
  const all = world.mode === "multi" ? [own, world.foreign, world.unknown] : [own, world.unknown];
  const calls = await Promise.all(
    sample(all, all.length, turn).map((things) => fixture.call(things, world, caller)),
  );
  return calls.filter(
    (call, index) => calls.findIndex((other) => isDeepStrictEqual(call, other)) === index,
  );
}

/** Rejected before any lookup: the answer is the same whatever the call refers to. */
async function checkRejections(
  world: World,
  endpoint: Endpoint,
  fixture: Fixture,
  rejected: { caller: Caller; status: number; body: RegExp }[],
): Promise<void> {
  const [first] = rejected;
  if (first === undefined) return;
  // A call's prerequisites are created once for all callers, unless it refers to the caller's
  // resources.
  const shared =
    fixture.names.length === 0 ? await callsOfRejected(world, fixture, first.caller, 0) : undefined;
  await Promise.all(
    rejected.map(async ({ caller, status, body }, place) => {
      const where = { route: endpoint.name, caller: caller.name };
      const turn = endpoints.indexOf(endpoint) + place;
      for (const call of shared ?? (await callsOfRejected(world, fixture, caller, turn)))
        expect({ ...where, ...(await send(world, caller, endpoint, call)) }).toEqual({
          ...where,
          status,
          body: expect.stringMatching(body),
        });
    }),
  );
}

/** A caller whom the policy admits: what matters is what the call refers to. */
async function check(
  world: World,
  endpoint: Endpoint,
  fixture: Fixture,
  caller: Caller,
): Promise<void> {
  const own = await world.own(caller, fixture.deletes === true ? fixture.names : []);
  const ask = async (things: Things): Promise<Answer> =>
    send(world, caller, endpoint, await fixture.call(things, world, caller));
  const where = { route: endpoint.name, caller: caller.name };
  // Without accounts, nothing is foreign.
  for (const resource of world.mode === "single" ? [] : listNames(endpoint, fixture, caller)) {
    const isSeen =
      world.mode === "multi" &&
      (resources[resource].seenBy as readonly string[]).includes(caller.role);
    // A thread, turn or document of one workspace does not exist in another, so there is nothing to
    // allow.
    if (isSeen && (fixture.deletes === true || fixture.names.length > 1)) continue;
    const foreign = await ask(replaced(own, world.foreign, resource));
    if (isSeen) {
      expect({
        ...where,
        resource,
        ...foreign,
        isAllowed: isAllowed(endpoint, fixture, foreign.status),
      }).toMatchObject({ ...where, resource, isAllowed: true });
      continue;
    }
    const things = [own, world.unknown, world.foreign];
    const unknown = await ask(replaced(own, world.unknown, resource));
    expect({ ...where, resource, ...withoutEcho(foreign, things) }).toEqual({
      ...where,
      resource,
      ...withoutEcho(unknown, things),
    });
  }
  const call = await fixture.call(own, world, caller);
  const answer = await send(world, caller, endpoint, call);
  // A restricted key doesn't see a workspace that was made for the call.
  const isHidden = caller.isRestricted === true && (call.params?.["slug"] ?? own.slug) !== own.slug;
  expect({
    ...where,
    ...answer,
    isAllowed: isAllowed(endpoint, fixture, answer.status),
  }).toMatchObject({ ...where, isAllowed: !isHidden });
  if (fixture.lists !== undefined && caller.kind === "key")
    expect({
      ...where,
      own: answer.body.includes(fixture.lists(own)),
      foreign: world.mode === "multi" && answer.body.includes(fixture.lists(world.foreign)),
    }).toEqual({
      ...where,
      own: true,
      foreign: world.mode === "multi" && caller.isRestricted !== true,
    });
}

/** Fixtures of key routes need not name the workspace: only restricted keys can't use every one. */
const listNames = (
  { access }: Endpoint,
  { names, unrestricted = [] }: Fixture,
  { isRestricted }: Caller,
): readonly Resource[] =>
  isRestricted === true
    ? [
        ...(access.workspace === true && !names.includes("workspace")
          ? (["workspace"] as const)
          : []),
        ...unrestricted,
        ...names,
      ]
    : names;

const isAllowed = (endpoint: Endpoint, fixture: Fixture, status: number): boolean =>
  (fixture.allowed ?? [endpoint.success.status]).includes(status);

it("every route has a fixture, and every fixture a route", () => {
  const names = endpoints.map((endpoint) => endpoint.name);
  expect(names.filter((name) => !fixtures.has(name))).toEqual([]);
  expect([...fixtures.keys()].filter((name) => !names.includes(name))).toEqual([]);
});

describe.each([
  ["with accounts", makeTeam],
  ["with an instance password", makeSolo],
])("isolation %s", (_mode, make) => {
  let world: World;
  let before: unknown;
  beforeAll(async () => {
    world = await make();
    before = await world.readForeign();
  });
  afterAll(() => world?.instance.stop());

  it.each(endpoints.map((endpoint) => [endpoint.name, endpoint] as const))(
    "%s",
    async (name, endpoint) => {
      const fixture = fixtures.get(name)!;
      const verdicts = callersOf(world, endpoint).map((caller) => ({
        caller,
        verdict: judge(endpoint, caller, world.mode),
      }));
      await checkRejections(
        world,
        endpoint,
        fixture,
        verdicts.flatMap(({ caller, verdict }) =>
          verdict === "may" ? [] : [{ caller, ...verdict }],
        ),
      );
      // One by one: a call may change what the next one refers to.
      for (const { caller, verdict } of verdicts)
        if (verdict === "may") await check(world, endpoint, fixture, caller);
    },
  );

  it("refuses an old session what would outlive it, until its owner confirms it", async () => {
    const admin = world.callers.find(({ kind, role }) => kind === "session" && role === "admin")!;
    const caller = { ...admin, api: await oldSession(world, admin) };
    const own = await world.own(admin, []);
    const marked = endpoints.filter(
      ({ access: { proof, mode = world.mode } }) => proof === "recent" && mode === world.mode,
    );
    expect(marked.length).toBeGreaterThan(5);
    for (const endpoint of marked) {
      const call = await fixtures.get(endpoint.name)!.call(own, world, caller);
      expect({ route: endpoint.name, ...(await send(world, caller, endpoint, call)) }).toEqual({
        route: endpoint.name,
        status: endpoint.errors.REFUSED?.status ?? 400,
        body: expect.stringMatching(
          /"error":"To confirm it's you, sign in again and retry within 10 minutes\."/,
        ),
      });
    }
    expect((await caller.api.call("POST", "/system/confirm-session", { password })).json()).toEqual(
      { success: true, error: null },
    );
    const create = world.mode === "multi" ? "/admin/generate-api-key" : "/system/generate-api-key";
    expect((await caller.api.call("POST", create, {})).json()).toMatchObject({ error: null });
  });

  it("leaves other people's data unchanged", async () => {
    expect(await world.readForeign()).toEqual(before);
  });
});
