import { instancePrincipal } from "@carrel/contracts";
import type { RequestClient, Streams } from "@carrel/messaging";
import type { Logger } from "@carrel/observability";
import { describe, expect, it } from "@jest/globals";
import { echoAttachments, GenerationRelay, listMissing } from "./generation-relay.ts";

const chunk = (textResponse: string, close = false): string =>
  JSON.stringify({
    uuid: "u",
    type: "textResponseChunk",
    textResponse,
    sources: [],
    close,
    error: false,
  });

describe("echoAttachments", () => {
  const sent = [{ name: "a.png", mime: "image/png", contentString: "data:image/png;base64,AA==" }];
  const refusal = (attachments: object[]): string =>
    `{"id":"u","type":"textResponse","textResponse":"Nothing.","sources":[],"attachments":${JSON.stringify(attachments)},"close":true,"error":null}`;
  it("puts the bytes back into a refusal, in the original field order", () => {
    expect(
      echoAttachments(refusal([{ name: "a.png", mime: "image/png", contentString: "" }]), sent),
    ).toBe(refusal(sent));
  });
  it("leaves every other frame unchanged", () => {
    for (const frame of [
      chunk('"sources":[],"attachments":[{'),
      refusal([]),
      refusal([...sent, ...sent]),
    ])
      expect(echoAttachments(frame, sent)).toBe(frame);
    expect(echoAttachments(refusal(sent), undefined)).toBe(refusal(sent));
  });
});

describe("GenerationRelay", () => {
  it("tells a client without means to resume when the gateway stops during its answer", async () => {
    const gateway = new AbortController();
    async function* read(): AsyncGenerator<{ seq: number; data: string }> {
      yield await Promise.resolve({ seq: 1, data: chunk("Half an ans") });
      gateway.abort(); // reading ends without an error
    }
    const relay = new GenerationRelay(
      { read } as unknown as Streams,
      {} as RequestClient,
      {} as Logger,
    );
    const sent: string[] = [];
    let isEnded = false;
    await relay.run(
      {
        generationId: "g",
        scope: { principal: instancePrincipal, workspace: null },
        after: 0,
        stream: {
          carrel: false,
          signal: gateway.signal,
          leftByClient: false,
          send: (frame) => Promise.resolve(void sent.push(frame)),
          end: () => {
            isEnded = true;
          },
        },
      },
      { cancelOnLeave: true },
    );
    expect(sent.map((frame) => JSON.parse(frame) as object)).toMatchObject([
      { textResponse: "Half an ans" },
      { type: "abort", error: expect.stringContaining("connection") },
    ]);
    expect(isEnded).toBe(true);
  });
});

describe("listMissing", () => {
  const rebuilt = [
    '{"type":"generationStarted","generationId":"g","chatId":1,"queued":false}',
    chunk("The whole answer."),
    chunk("", true),
    '{"uuid":"u","type":"finalizeResponseStream"}',
  ];
  it("returns the rest of the text and the final frame", () => {
    expect(listMissing(rebuilt, [chunk("The "), chunk("whole")])).toEqual([
      chunk(" answer."),
      chunk("", true),
      '{"uuid":"u","type":"finalizeResponseStream"}',
    ]);
  });
  it("does not repeat notices already sent", () => {
    const notice = '{"id":"g","type":"statusResponse","textResponse":"No agent."}';
    const whole = rebuilt.toSpliced(1, 0, notice);
    expect(listMissing(whole, [notice, chunk("The ")])[0]).toBe(chunk("whole answer."));
    expect(listMissing(whole, [])[0]).toBe(notice);
  });
  it("returns everything to a client without any text, and no text to one that has all of it", () => {
    expect(listMissing(rebuilt, [])[0]).toBe(chunk("The whole answer."));
    expect(listMissing(rebuilt, [chunk("The whole answer.")])).toEqual([
      chunk("", true),
      '{"uuid":"u","type":"finalizeResponseStream"}',
    ]);
  });
});
