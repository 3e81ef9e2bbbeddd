import { SentText } from "./generation-relay.ts";

const chunk = (textResponse: string, close = false): string =>
  JSON.stringify({ uuid: "g", sources: [], type: "textResponseChunk", textResponse, close });
const textOf = (frames: (string | null)[]): string =>
  frames.map((frame) => (frame === null ? "" : JSON.parse(frame).textResponse)).join("");

it("passes everything on unless something was withdrawn", () => {
  const text = new SentText();
  const frames = ["One ", "two."].map((part) => chunk(part));
  expect(frames.map((frame) => text.admit(frame))).toEqual(frames);
  expect(text.admit('{"type":"statusResponse"}')).toBe('{"type":"statusResponse"}');
});

it("sends nothing twice that is written again", () => {
  const text = new SentText();
  const first = [text.admit(chunk("One ")), text.admit(chunk("two"))];
  text.rewind(0);
  const again = [
    text.admit(chunk("One tw")),
    text.admit(chunk("o three.")),
    text.admit(chunk(" Four.")),
  ];
  expect(again[0]).toBeNull();
  expect(textOf([...first, ...again])).toBe("One two three. Four.");
});

it("sends what differs after what it replaces", () => {
  const text = new SentText();
  const first = [text.admit(chunk("Wait. <call>"))];
  text.rewind(0);
  const again = [text.admit(chunk("Wait.")), text.admit(chunk("\n\nDone."))];
  expect(textOf([...first, ...again])).toBe("Wait. <call>\n\nDone.");
});

it("keeps the last frame, which has the sources", () => {
  const text = new SentText();
  text.admit(chunk("One"));
  text.rewind(0);
  expect(text.admit(chunk("", true))).toContain('"close":true');
});

it("knows the text without what was withdrawn", () => {
  const text = new SentText();
  const first = [text.admit(chunk("High tide is at n"))];
  text.rewind(0);
  expect(text.whole).toBe("");
  const again = [text.admit(chunk("It is ")), text.admit(chunk("noon."))];
  expect(text.whole).toBe("It is noon.");
  // What was sent can't be withdrawn, but it can be set apart.
  expect(textOf([...first, ...again])).toBe("High tide is at n\n\nIt is noon.");
});
