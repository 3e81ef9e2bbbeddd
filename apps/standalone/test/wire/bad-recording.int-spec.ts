import { longestDictation, transcribeRecording } from "@carrel/contracts";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { answerEverything } from "./fixture-answers.ts";
import { startTestInstance, type TestInstance } from "./instance.ts";

let instance: TestInstance;
beforeAll(async () => {
  instance = await startTestInstance();
  answerEverything(instance);
}, 120_000);
afterAll(() => instance.stop());

const send = (body: FormData | string, headers: Record<string, string> = {}) =>
  instance.call("POST", "/api/system/transcribe-audio", body, headers);
function recording(content: string, type = "audio/webm", field = "audio"): FormData {
  const form = new FormData();
  form.set(field, new Blob([content], { type }), "speech.webm");
  return form;
}
const asked = () =>
  instance.chat.asked.filter(({ operation }) => operation === transcribeRecording.name).length;

describe("a recording to dictate", () => {
  it.each<[string, number, string, FormData | string, string | null]>([
    ["as JSON", 400, "dictation.audio-missing", '{"audio":"x"}', null],
    [
      "in another field",
      400,
      "dictation.audio-missing",
      recording("x", "audio/webm", "file"),
      null,
    ],
    ["that isn't audio", 415, "dictation.not-audio", recording("<html>", "text/html"), null],
    [
      "in an empty form",
      400,
      "dictation.audio-missing",
      "--x--\r\n",
      "multipart/form-data; boundary=x",
    ],
    ["without a boundary", 400, "dictation.broken", "--x\r\n", "multipart/form-data"],
  ])(
    "%s is refused with %i before the service is called",
    async (_what, status, code, body, type) => {
      const before = asked();
      const reply = await send(body, type === null ? {} : { "content-type": type });
      expect(reply.headers.get("carrel-error")).toContain(`{"code":"${code}"`);
      expect([reply.status, reply.json]).toEqual([
        status,
        { success: false, error: expect.stringMatching(/\w{3,} \w+/) },
      ]);
      expect(asked()).toBe(before);
    },
  );

  it("that is declared too large is refused before it is read", async () => {
    const reply = await send(recording("x".repeat(longestDictation + 200_000)));
    expect([reply.status, reply.json]).toEqual([
      413,
      { success: false, error: "The recording is larger than 25 MB." },
    ]);
  });
});
