import { expect, it } from "@jest/globals";
import { fakeEmbedding, startFakeLlm, startFakeSite } from "./index.ts";

const near = (a: Float32Array, b: Float32Array) =>
  a.reduce((sum, value, place) => sum + value * b[place]!, 0);

it("embeddings: the same text gives the same vector, and only texts with shared words are similar", () => {
  const one = fakeEmbedding("The lighthouse was built in 1874");
  expect(near(one, fakeEmbedding("the LIGHTHOUSE was built in 1874!"))).toBeCloseTo(1, 5);
  expect(near(one, fakeEmbedding("who built the lighthouse"))).toBeGreaterThan(0.4);
  expect(Math.abs(near(one, fakeEmbedding("quarterly revenue grew again")))).toBeLessThan(0.2);
  expect(near(fakeEmbedding(""), fakeEmbedding(""))).toBe(1);
});

it("300 simultaneous streams keep their pace and all complete", async () => {
  const fake = await startFakeLlm({ tokens: 50, delayMs: 10 });
  const answers = await Promise.all(
    Array.from({ length: 300 }, async () => {
      const reply = await fetch(`${fake.url}/v1/chat/completions`, {
        method: "POST",
        body: JSON.stringify({
          model: "m",
          stream: true,
          messages: [{ role: "user", content: "x" }],
        }),
      });
      return reply.text();
    }),
  );
  expect(
    answers.every(
      (text) => text.endsWith("data: [DONE]\n\n") && text.split('"content":"').length === 52,
    ),
  ).toBe(true);
  expect(fake.openStreams()).toBe(0);
  await fake.stop();
}, 90_000);

it("answers without a stream, echoes, and accepts behaviours over HTTP", async () => {
  const fake = await startFakeLlm({ reply: "echo" });
  const ask = async () =>
    (
      await fetch(`${fake.url}/api/chat`, {
        method: "POST",
        body: JSON.stringify({
          model: "m",
          stream: false,
          messages: [{ role: "user", content: "say it again" }],
        }),
      })
    ).json() as Promise<{ message?: { content: string }; error?: string }>;
  expect((await ask()).message!.content).toBe("say it again");
  await fetch(`${fake.url}/fake/next`, { method: "POST", body: JSON.stringify({ status: 500 }) });
  expect((await ask()).error).toBeTruthy();
  expect((await ask()).message!.content).toBe("say it again");
  await fake.stop();
});

it("keeps what is queued for an answer when models are listed", async () => {
  const fake = await startFakeLlm({ models: ["m"] });
  fake.next({ reply: "Queued." });
  expect((await fetch(`${fake.url}/v1/models`)).status).toBe(200);
  const answer = await fetch(`${fake.url}/v1/chat/completions`, {
    method: "POST",
    body: JSON.stringify({ model: "m", messages: [{ role: "user", content: "x" }] }),
  });
  expect(await answer.text()).toContain("Queued.");
  fake.next({ status: 401 });
  expect((await fetch(`${fake.url}/v1/models`)).status).toBe(401);
  await fake.stop();
});

it("the site serves its pages", async () => {
  const site = await startFakeSite({ pages: { "/mine": { type: "text/plain", body: "mine" } } });
  expect(await (await fetch(`${site.url}/mine`)).text()).toBe("mine");
  expect((await fetch(`${site.url}/redirect?to=/article`)).url).toBe(`${site.url}/article`);
  expect((await fetch(`${site.url}/gone`)).status).toBe(404);
  await site.stop();
});
