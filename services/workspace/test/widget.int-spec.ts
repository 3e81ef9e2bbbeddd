import { randomUUID } from "node:crypto";
import {
  admitQuestion,
  admitVisitor,
  beginVisit,
  createWidget,
  createWidgetSecret,
  deleteWidget,
  deleteWorkspace,
  findMissingWidgets,
  getWorkspaceSettings,
  publicPrincipal,
  readWidgetPage,
  readWidgets,
  resolvePromptParts,
  updateWidget,
  type Args,
  type WidgetWire,
} from "@carrel/contracts";
import { beforeEach, describe, expect, it } from "@jest/globals";
import { JwtService } from "@nestjs/jwt";
import { apiKey, scopeOf, service } from "./workspace-instance.ts";
import { admin, as, manager, member, startWorkspaceSuite } from "./workspace-suite.ts";

const { carrel, current, newestEvents, request, within } = await startWorkspaceSuite();
const site = "https://shop.example";
const visitor = scopeOf(publicPrincipal);
let widget: WidgetWire;

const create = async (fields: Args<typeof createWidget> = {}): Promise<WidgetWire> =>
  (await request(createWidget, { workspace_id: current().id, ...fields }, as(admin))).embed!;
const visit = (origin: string | null = site) => ({ uuid: widget.uuid, origin, isOwnPage: false });
const question = (fields: Partial<Args<typeof admitQuestion>> = {}) => ({
  ...visit(),
  sessionId: randomUUID(),
  token: null,
  key: randomUUID(),
  length: 10,
  username: null,
  prompt: null,
  model: null,
  temperature: null,
  ...fields,
});
const ask = (fields?: Partial<Args<typeof admitQuestion>>, from = visitor) =>
  request(admitQuestion, question(fields), from);

beforeEach(async () => {
  widget = await create({ allowlist_domains: site });
});

describe("widgets", () => {
  it("start with the wire's defaults and usual limits, and nobody may use one of the app's form", async () => {
    const made = await create({ allow_any_origin: false });
    expect(made).toMatchObject({
      enabled: true,
      chat_mode: "query",
      allowlist_domains: null,
      allow_any_origin: false,
      allow_prompt_override: false,
      max_chats_per_day: 1_000,
      message_limit: 20,
      workspace_id: current().id,
      usersId: 1,
      page_enabled: false,
    });
    const { page } = await request(readWidgetPage, { uuid: made.uuid }, visitor);
    expect(page).toMatchObject({ origins: [], isEnabled: true, hasPage: false });
    await expect(
      request(beginVisit, { ...visit(), uuid: made.uuid, token: null, identity: null }, visitor),
    ).rejects.toMatchObject({ code: "visitor.origin-refused" });
  });

  it("read fields as existing clients send them, and are listed newest first", async () => {
    const made = await create({
      chat_mode: "nonsense" as "chat",
      allowlist_domains: "a.example, http://localhost:80, nonsense://x",
      allow_prompt_override: "true",
      max_chats_per_day: "50",
      max_chats_per_session: 0,
      appearance: { buttonColor: "#fff", unknown: "x", greeting: " " } as never,
    });
    expect(made).toMatchObject({
      chat_mode: "query",
      allowlist_domains: '["https://a.example","http://localhost"]',
      allow_prompt_override: false,
      max_chats_per_day: 50,
      max_chats_per_session: null,
      appearance: { buttonColor: "#fff" },
    });
    const { widgets } = await request(readWidgets, {}, as(admin));
    expect(widgets.slice(0, 2).map(({ id }) => id)).toEqual([made.id, widget.id]);
    expect(widgets[0]?.workspace.slug).toBe(current().slug);
  });

  it("change only in the given fields and are deleted once, on the record", async () => {
    const byUuid = { uuid: widget.uuid, name: "Shop", enabled: false };
    expect(await request(updateWidget, byUuid, as(apiKey))).toEqual({ success: true, error: null });
    expect(await request(updateWidget, { id: widget.id, id2: 1 } as never, as(admin))).toEqual({});
    const { widgets } = await request(readWidgets, { uuid: widget.uuid }, as(admin));
    expect(widgets).toMatchObject([
      { name: "Shop", enabled: false, allowlist_domains: `["${site}"]` },
    ]);
    expect(await request(deleteWidget, { id: widget.id }, as(admin))).toMatchObject({
      success: true,
    });
    await expect(request(deleteWidget, { id: widget.id }, as(admin))).rejects.toMatchObject({
      code: "widget.not-found",
    });
    expect((await newestEvents(3)).map(({ event }) => event)).toEqual([
      "embed_deleted",
      "embed_updated",
      "embed_created",
    ]);
    expect(await request(findMissingWidgets, { ids: [widget.id] }, service)).toEqual({
      ids: [widget.id],
    });
  });

  it("belong to admins, refuse unknown workspaces and go with theirs", async () => {
    for (const scope of [as(manager), as(member), visitor])
      for (const attempt of [
        () => request(readWidgets, {}, scope),
        () => request(createWidget, { workspace_id: current().id }, scope),
        () => request(updateWidget, { id: widget.id, enabled: false }, scope),
        () => request(deleteWidget, { id: widget.id }, scope),
        () => request(createWidgetSecret, { id: widget.id }, scope),
      ])
        await expect(attempt()).rejects.toBeDefined();
    await expect(request(createWidget, {}, as(admin))).rejects.toMatchObject({
      code: "widget.workspace-missing",
    });
    await expect(
      request(createWidget, { workspace_slug: "nowhere" }, as(admin)),
    ).rejects.toMatchObject({ code: "widget.workspace-unknown" });
    await request(deleteWorkspace, { slug: current().slug }, within(admin));
    await expect(ask()).rejects.toMatchObject({ code: "widget.not-found" });
  });
});

describe("visitors", () => {
  it("are admitted from listed origins only, to the widget's workspace only", async () => {
    const { question: admitted } = await ask();
    expect(admitted).toMatchObject({
      widgetId: widget.id,
      mode: "query",
      systemPrompt: null,
      scope: {
        principal: { kind: "widget", userId: null, role: "none", widget: { host: site } },
        workspace: { id: current().id },
      },
    });
    const { scope } = admitted!;
    expect((await request(getWorkspaceSettings, {}, scope)).workspace.id).toBe(current().id);
    expect((await request(resolvePromptParts, {}, scope)).presets).toEqual([]);
    const elsewhere = { ...scope, workspace: { id: current().id - 1, slug: "x" } };
    expect(elsewhere.workspace.id).not.toBe(current().id);
    for (const origin of [null, "null", "https://shop.example.evil.example", "http://shop.example"])
      await expect(ask({ origin })).rejects.toMatchObject({ code: "visitor.origin-refused" });
    await expect(ask({ uuid: randomUUID() })).rejects.toMatchObject({ code: "widget.not-found" });
    await expect(ask({ uuid: "nonsense" })).rejects.toMatchObject({ code: "widget.not-found" });
  });

  it("override only what the widget allows, and read its own text when it is disabled", async () => {
    const given = { prompt: "Be rude.", model: "m", temperature: 1.5 };
    expect((await ask(given)).question).toMatchObject({
      systemPrompt: null,
      model: null,
      temperature: null,
    });
    await request(
      updateWidget,
      { id: widget.id, allow_prompt_override: true, limit_messages: { disabled: "Closed." } },
      as(admin),
    );
    expect((await ask(given)).question).toMatchObject({ systemPrompt: "Be rude.", model: null });
    await expect(ask({ length: 4_001 })).rejects.toMatchObject({
      code: "visitor.message-too-long",
      params: { limit: 4_000 },
    });
    await request(updateWidget, { id: widget.id, enabled: false }, as(admin));
    expect((await ask()).refusal).toMatchObject({
      fault: { code: "visitor.widget-disabled" },
      text: "Closed.",
    });
  });

  it("need the token of a session that we began, which is for one widget", async () => {
    const first = await request(beginVisit, { ...visit(), token: null, identity: null }, visitor);
    const { sessionId, token } = first;
    const admit = (fields: object) =>
      request(admitVisitor, { ...visit(), sessionId, token, ...fields }, visitor);
    expect((await admit({})).widgetId).toBe(widget.id);
    const other = await request(beginVisit, { ...visit(), token: null, identity: null }, visitor);
    const shop = await create({ allowlist_domains: site });
    for (const wrong of [
      { token: null },
      { token: other.token },
      { token: `${token}x` },
      { uuid: shop.uuid },
      { sessionId: other.sessionId },
    ])
      await expect(admit(wrong)).rejects.toMatchObject({ code: "visitor.session-invalid" });
    const again = await request(beginVisit, { ...visit(), token, identity: null }, visitor);
    expect(again.sessionId).toBe(sessionId);
    await request(updateWidget, { id: widget.id, only_signed_visitors: true }, as(admin));
    await expect(ask()).rejects.toMatchObject({ code: "visitor.session-invalid" });
    expect((await ask({ sessionId, token })).refusal).toBeNull();
  });

  it("can be named by their site, whose secret is stored sealed", async () => {
    const { secret } = await request(createWidgetSecret, { id: widget.id }, as(admin));
    const [row] = await carrel.sql.query<{ identity_secret: string }[]>(
      "SELECT identity_secret FROM workspace.widget WHERE id = $1",
      [widget.id],
    );
    expect(row?.identity_secret).not.toContain(secret);
    const jwt = new JwtService({});
    const sign = (claims: object, options: object = { expiresIn: "1h" }, key = secret) =>
      jwt.sign(claims, { secret: key, algorithm: "HS256", ...options });
    const begin = (identity: string | null, token: string | null = null) =>
      request(beginVisit, { ...visit(), token, identity }, visitor);
    const ada = await begin(sign({ sub: "ada", name: "Ada" }));
    const named = async (session: object) =>
      (await ask({ ...session, username: "Eva" })).question?.scope.principal.widget;
    expect(await named(ada)).toMatchObject({ username: "Ada", isVerified: true });
    expect(await named(await begin(null))).toMatchObject({ username: "Eva", isVerified: false });
    expect((await begin(sign({ sub: "ada" }), ada.token)).sessionId).toBe(ada.sessionId);
    for (const someoneElse of [sign({ sub: "bob" }), null])
      expect((await begin(someoneElse, ada.token)).sessionId).not.toBe(ada.sessionId);
    const unsigned = `${Buffer.from('{"alg":"none"}').toString("base64url")}.${Buffer.from('{"sub":"ada","exp":9999999999}').toString("base64url")}.`;
    for (const forged of [
      sign({ sub: "ada" }, {}, secret),
      sign({ sub: "ada" }, { expiresIn: -10 }),
      sign({ sub: "ada", iat: Date.now() / 1000 + 120 }),
      sign({ sub: "ada" }, { expiresIn: "1h" }, "another secret"),
      sign({ name: "Ada" }),
      sign({ sub: "ada" }, { expiresIn: "1h", algorithm: "HS512" }),
      unsigned,
      ...["\0", "\ud800"].map((end) => sign({ sub: `ada${end}` })),
      "nonsense",
    ])
      await expect(begin(forged)).rejects.toMatchObject({ code: "visitor.identity-invalid" });
  });
});

describe("limits", () => {
  const set = (fields: Args<typeof updateWidget>) =>
    request(updateWidget, { id: widget.id, ...fields }, as(admin));
  const codes = async (asked: ReturnType<typeof ask>[]): Promise<(string | undefined)[]> =>
    (await Promise.all(asked)).map(({ refusal }) => refusal?.fault.code).toSorted();

  it("hold for questions asked at the same time on two replicas", async () => {
    await set({ max_chats_per_day: 7, limit_messages: { day: "Enough for today." } });
    const refusals = await Promise.all(Array.from({ length: 30 }, () => ask()));
    expect(refusals.filter(({ question: admitted }) => admitted !== null)).toHaveLength(7);
    expect(refusals.find(({ refusal }) => refusal !== null)?.refusal).toMatchObject({
      fault: { code: "visitor.day-limit" },
      text: "Enough for today.",
    });
    // The oldest stops counting after 24 hours.
    await carrel.sql.query(
      `UPDATE workspace.widget_question SET asked_at = asked_at - interval '24 hours'
      WHERE id = (SELECT min(id) FROM workspace.widget_question WHERE widget_id = $1)`,
      [widget.id],
    );
    expect(await codes([ask(), ask()])).toEqual(["visitor.day-limit", undefined]);
  });

  it("count per session, visitor and address, and a repeated question once", async () => {
    await set({ max_chats_per_session: 2 });
    const sessionId = randomUUID();
    const key = randomUUID();
    expect(await codes([ask({ sessionId, key }), ask({ sessionId, key })])).toEqual([
      undefined,
      undefined,
    ]);
    expect((await ask({ sessionId })).refusal).toBeNull();
    expect((await ask({ sessionId })).refusal).toMatchObject({
      fault: { code: "visitor.session-limit" },
      retryAfterSeconds: expect.any(Number),
    });
    expect((await ask()).refusal).toBeNull();
    await set({ max_chats_per_session: null, max_chats_per_address: 4 });
    expect((await ask()).refusal).toBeNull();
    expect((await ask()).refusal?.fault.code).toBe("visitor.address-limit");
    const neighbour = { ...visitor, address: "192.0.2.8" };
    expect((await ask({}, neighbour)).refusal).toBeNull();
    await set({ max_chats_per_address: null, max_chats_per_visitor: 1 });
    const { sessionId: own, token } = await request(
      beginVisit,
      { ...visit(), token: null, identity: null },
      visitor,
    );
    expect((await ask({ sessionId: own, token })).refusal).toBeNull();
    expect((await ask({ sessionId: own, token })).refusal?.fault.code).toBe(
      "visitor.personal-limit",
    );
  });
});
