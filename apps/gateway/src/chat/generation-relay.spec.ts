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
  it("gives the bytes back to a refusal, in their place among the fields", () => {
    expect(
      echoAttachments(refusal([{ name: "a.png", mime: "image/png", contentString: "" }]), sent),
    ).toBe(refusal(sent));
  });
  it("leaves every other frame as it is", () => {
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
  it("tells the rest of the text and how it ended", () => {
    expect(listMissing(rebuilt, [chunk("The "), chunk("whole")])).toEqual([
      chunk(" answer."),
      chunk("", true),
      '{"uuid":"u","type":"finalizeResponseStream"}',
    ]);
  });
  it("tells nothing twice that stood beside the text", () => {
    const notice = '{"id":"g","type":"statusResponse","textResponse":"No agent."}';
    const whole = rebuilt.toSpliced(1, 0, notice);
    expect(listMissing(whole, [notice, chunk("The ")])[0]).toBe(chunk("whole answer."));
    expect(listMissing(whole, [])[0]).toBe(notice);
  });
  it("tells all of it to a client that has nothing, and no text to one that has it", () => {
    expect(listMissing(rebuilt, [])[0]).toBe(chunk("The whole answer."));
    expect(listMissing(rebuilt, [chunk("The whole answer.")])).toEqual([
      chunk("", true),
      '{"uuid":"u","type":"finalizeResponseStream"}',
    ]);
  });
});
