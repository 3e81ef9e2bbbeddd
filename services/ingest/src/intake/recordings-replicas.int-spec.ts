import { makeWave, poll } from "@carrel/testing";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { startTestIngest, type TestIngest } from "../../test/test-ingest.ts";

describe("a recording whose process is killed", () => {
  let ingest: TestIngest;
  beforeAll(async () => {
    ingest = await startTestIngest({ elsewhere: true, embedder: false });
    ingest.state.settings = {
      ...ingest.state.settings,
      WhisperProvider: "generic-openai",
      WhisperGenericOpenAiBaseUrl: `${ingest.fake.url}/v1`,
      WhisperGenericOpenAiModel: "whisper-1",
    };
  });
  afterAll(async () => {
    await ingest?.stop();
  });

  it("is transcribed by another one, and becomes one document", async () => {
    const sent = (): number =>
      ingest.fake.requests.filter(({ path }) => path === "/v1/audio/transcriptions").length;
    ingest.fake.behave({ reply: "The lighthouse needs a lamp. The agenda is closed." });
    ingest.fake.next({ hang: "headers" });
    const first = await ingest.startReplica();
    const id = await ingest.upload(1, "meeting.wav", makeWave(1));
    await poll(sent).toBe(1);
    await first.kill();
    await ingest.startReplica();
    await ingest.until(1, id, "searchable");
    expect(sent()).toBe(2);
    const { passages } = await ingest.search(1, "lamp of the lighthouse", { mode: "text" });
    expect(passages.map(({ documentId, headingPath }) => ({ documentId, headingPath }))).toEqual([
      { documentId: id, headingPath: ["00:00:00"] },
    ]);
  });
});
