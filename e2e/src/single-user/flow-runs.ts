import { randomUUID } from "node:crypto";
import { poll, type Instance } from "@carrel/testing";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { Webhook } from "standardwebhooks";
import { Api } from "../api.ts";

interface Run {
  id: string;
  state: string;
  output: string | null;
  inputs: Record<string, string>;
  question: { path: string; question: string } | null;
  blocks: { path: string; state: string; result: string }[];
}

const variables = ["city", "n"].map((name) => ({ name, value: "" }));
const greeting = [
  { type: "start", config: { variables } },
  {
    type: "carrel-transform",
    title: "Greeting",
    config: { input: "Hello, ${city} ${n}${webhook.more[0]}!", operations: [], directOutput: true },
  },
];
const approval = { type: "carrel-approval", id: "ok", config: { question: "Go on?" } };

/** Flows started by hand, by the developer API and by a webhook. */
export function testFlowRuns(instance: () => Instance): void {
  describe("runs of flows", () => {
    let person: Api;
    let program: Api;
    const create = async (steps: object[]): Promise<string> =>
      (await person.json<{ id: string }>("POST", "/flows", { name: `Flow ${randomUUID()}`, steps }))
        .id;
    const get = (id: string): Promise<Run> => person.json("GET", `/flow-runs/${id}`);
    beforeAll(async () => {
      person = new Api(instance().url);
      program = new Api(instance().url);
      const { apiKey } = await person.json<{ apiKey: { secret: string } }>(
        "POST",
        "/system/generate-api-key",
        {},
      );
      program.token = apiKey.secret;
    });

    it("ask the person, and stream what they do", async () => {
      const flow = await create([approval, ...greeting]);
      const inputs = { city: "Rome", n: "1" };
      const { id } = await person.json<{ id: string }>("POST", `/flows/${flow}/runs`, { inputs });
      const stream = person.call("GET", `/flow-runs/${id}/stream`);
      await poll(async () => (await get(id)).question?.question ?? null).toBe("Go on?");
      const answer = { path: "0", decision: "once" };
      expect(await person.json("POST", `/flow-runs/${id}/answer`, answer)).toEqual({
        success: true,
      });
      const { text, type } = await stream;
      expect(type).toBe("text/event-stream");
      const frames = text
        .trim()
        .split("\n\n")
        .map((frame) => JSON.parse(frame.replace(/^data: /, "")) as Record<string, unknown>);
      // It is answered before the stream may have read that it waits.
      expect(frames).toContainEqual({
        type: "block",
        block: expect.objectContaining({ path: "0", state: "done", type: "carrel-approval" }),
      });
      expect(frames).toContainEqual({
        type: "block",
        block: expect.objectContaining({ path: "2", state: "done", title: "Greeting" }),
      });
      const output = "Hello, Rome 1${webhook.more[0]}!";
      expect(frames.at(-1)).toEqual({
        type: "end",
        id,
        state: "done",
        output,
        fault: null,
        error: null,
      });
      expect(await get(id)).toMatchObject({ state: "done", output, inputs });
    });

    it("start by the developer API, once for each key of a request", async () => {
      const flow = await create(greeting);
      const run = (body: object, key: string = randomUUID()) =>
        program.call("POST", `/v1/flows/${flow}/run`, body, { "idempotency-key": key });
      expect((await run({})).status).toBe(404);
      await person.json("PUT", `/flows/${flow}/triggers/api`, {});
      const body = { inputs: { city: "Bari", n: "2" } };
      const first = await run(body, "once");
      expect(first.json()).toMatchObject({ state: "done", error: null });
      expect((await run(body, "once")).json()).toEqual(first.json());
      const { text } = await run({ ...body, stream: true });
      expect(text.match(/"type":"block"/g)?.length).toBeGreaterThanOrEqual(2);
      expect(text).toMatch(/"type":"end".*"state":"done"/);
      const { id } = first.json<{ id: string }>();
      const read = await program.json<Run>("GET", `/v1/flow-runs/${id}`);
      expect(read).toMatchObject({ id, state: "done" });
      expect(await program.json("DELETE", `/v1/flow-runs/${id}`)).toEqual({ success: false });
      const asks = await create([approval]);
      await person.json("PUT", `/flows/${asks}/triggers/api`, {});
      expect((await program.call("POST", `/v1/flows/${asks}/run`, {})).json()).toMatchObject({
        state: "denied",
        fault: { code: "flow.approval-missing" },
        error: expect.stringContaining("Approval asks for an approval"),
      });
      await poll(
        async () =>
          (await person.json<{ notices: { kind: string }[] }>("GET", "/notices")).notices[0]?.kind,
      ).toBe("flow.denied");
    });

    it("start by a signed webhook, and no other", async () => {
      const flow = await create(greeting);
      const { trigger, secret } = await person.json<{
        trigger: { path: string };
        secret: string;
      }>("PUT", `/flows/${flow}/triggers/webhook`, {});
      const body = JSON.stringify({ city: "Pisa", n: 3, more: ["?"] });
      const send = async (messageId: string, signed = body) => {
        const at = new Date();
        return fetch(instance().url + trigger.path, {
          method: "POST",
          body,
          headers: {
            "content-type": "application/json",
            "webhook-id": messageId,
            "webhook-timestamp": String(Math.floor(at.getTime() / 1_000)),
            "webhook-signature": new Webhook(secret).sign(messageId, at, signed),
          },
        });
      };
      const [one, again] = [await send("msg_1"), await send("msg_1")];
      expect([one.status, again.status]).toEqual([202, 202]);
      const { id } = (await one.json()) as { id: string };
      expect(await again.json()).toEqual({ id });
      await poll(async () => (await get(id)).output).toBe("Hello, Pisa 3?!");
      const wrong = await send("msg_2", "{}");
      expect([wrong.status, await wrong.text()]).toEqual([404, "Not Found"]);
    });
  });
}
