import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import {
  completeOnboarding,
  createWorkspace,
  getOnboarding,
  getSettings,
  getSurvey,
  publicPrincipal,
  sendSurvey,
  updateSettings,
  type Scope,
} from "@carrel/contracts";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import {
  instance,
  service,
  startWorkspaceInstance,
  type WorkspaceInstance,
} from "./workspace-instance.ts";

const anyone: Scope = { principal: publicPrincipal, workspace: null };
let carrel: WorkspaceInstance;
let request: WorkspaceInstance["request"];
let surveys: Server;
let received: { path: string | undefined; body: unknown }[] = [];
let status = 204;

beforeAll(async () => {
  surveys = createServer((incoming, reply) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      received.push({
        path: incoming.url,
        body: JSON.parse(Buffer.concat(chunks).toString()) as unknown,
      });
      reply.writeHead(status).end();
    });
  }).listen(0, "127.0.0.1");
  await once(surveys, "listening");
  carrel = await startWorkspaceInstance({
    CARREL_SURVEY_URL: `http://127.0.0.1:${(surveys.address() as AddressInfo).port}/carrel?form=1`,
  });
  request = carrel.request;
});
afterAll(async () => {
  surveys.close().closeAllConnections();
  await carrel.stop();
});
beforeEach(async () => {
  await carrel.sql.query("DELETE FROM workspace.preference");
  await carrel.sql.query("DELETE FROM workspace.setting");
  await carrel.sql.query("UPDATE workspace.workspace SET deleted_at = now()");
  carrel.accounts.settings = {
    ...carrel.accounts.settings,
    RequiresAuth: false,
    AuthToken: false,
    MultiUserMode: false,
  };
  received = [];
  status = 204;
});

describe("onboarding", () => {
  const complete = async (): Promise<boolean> =>
    (await request(getOnboarding, {}, anyone)).onboardingComplete;

  /** Whether the instance is new, unless it has a password or accounts, which the gateway knows. */
  const isNew = async (): Promise<boolean | undefined> =>
    (await request(getSettings, {}, service)).isNew;

  it("is pending on a new instance and complete once marked as such", async () => {
    expect(await complete()).toBe(false);
    expect(await isNew()).toBe(true);
    await expect(request(completeOnboarding, {}, anyone)).rejects.toMatchObject({
      kind: "FORBIDDEN",
    });
    expect(await complete()).toBe(false);
    await request(completeOnboarding, {}, instance);
    await request(completeOnboarding, {}, instance);
    expect(await complete()).toBe(true);
    expect(await isNew()).toBe(false);
  });

  it("is complete on an instance with a workspace, which somebody uses already", async () => {
    await request(createWorkspace, { name: "In use" }, instance);
    expect(await complete()).toBe(true);
    expect(await isNew()).toBe(false);
  });

  it.each([
    ["a password", { RequiresAuth: true, AuthToken: true }],
    ["accounts", { RequiresAuth: true, MultiUserMode: true }],
  ])("is complete on an instance with %s", async (_name, settings) => {
    carrel.accounts.settings = { ...carrel.accounts.settings, ...settings };
    expect(await complete()).toBe(true);
  });

  it.each([{ LLMProvider: "extractive" }, { VectorDB: "lancedb" }] as Record<string, string>[])(
    "is complete on an instance where someone chose %j",
    async (values) => {
      await request(updateSettings, { values }, instance);
      expect(await complete()).toBe(true);
      expect((await request(getOnboarding, {}, service)).onboardingComplete).toBe(true);
    },
  );
});

describe("the survey", () => {
  const answers = { email: "mira@example.com", useCase: "job" as const, comment: "Ordered by dad" };

  it("goes to the operator's address as it was filled in, and only when sent", async () => {
    const { address } = await request(getSurvey, {}, instance);
    expect(new URL(address!).pathname).toBe("/carrel");
    expect(received).toEqual([]);
    await request(sendSurvey, answers, instance);
    await request(sendSurvey, { email: "jo@example.com" }, instance);
    const sourceId = "carrel-first-run";
    expect(received).toEqual([
      { path: "/carrel?form=1", body: { ...answers, sourceId } },
      {
        path: "/carrel?form=1",
        body: { email: "jo@example.com", useCase: "other", comment: "", sourceId },
      },
    ]);
  });

  it("reports an address that refuses it, redirects or is gone", async () => {
    status = 500;
    await expect(request(sendSurvey, answers, instance)).rejects.toMatchObject({
      code: "survey.refused",
      params: { status: 500 },
    });
    surveys.close().closeAllConnections();
    await expect(request(sendSurvey, answers, instance)).rejects.toMatchObject({
      code: "survey.unreachable",
    });
  });
});
