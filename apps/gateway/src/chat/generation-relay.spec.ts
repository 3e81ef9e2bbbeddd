import { describe, expect, it } from "@jest/globals";
import { echoAttachments, listMissing } from "./generation-relay.ts";

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
