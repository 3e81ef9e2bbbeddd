import { describe, expect, it } from "@jest/globals";
import { recordFormats, type NamedRecord, type RecordReader } from "./record-export.routes.ts";

const record: NamedRecord = {
  id: 1,
  workspaceId: 3,
  sessionId: null,
  visitor: null,
  workspace: "Heat",
  username: "ada",
  sentAt: "2026-11-25T10:00:00.000Z",
  rating: true,
  question: "Why?",
  answer: "Because [1].",
  sources: [],
  images: [],
};
async function* parts(...all: string[]): AsyncGenerator<string> {
  for (const part of all) yield await Promise.resolve(part);
}
const reader: RecordReader = {
  hasUsers: true,
  systemPrompt: (id) => Promise.resolve(`Prompt ${id}.`),
  openImage: (_id, { index }) =>
    Promise.resolve(index === 9 ? null : parts("data:image/png;base64,", "AAAA", '"')),
};
const write = async (
  type: keyof typeof recordFormats,
  ...records: NamedRecord[]
): Promise<string> => {
  async function* given(): AsyncGenerator<NamedRecord> {
    for (const each of records) yield await Promise.resolve(each);
  }
  const hasUsers = records.every(({ username }) => username !== null);
  let written = "";
  for await (const part of recordFormats[type].write(given(), { ...reader, hasUsers }))
    written += part;
  return written;
};
const image = { mime: "image/png", blobKey: "attachment/x", index: 0 };
const pictured = { ...record, images: [image, { ...image, index: 9 }, image] };
const dataUrl = { type: "image", image: 'data:image/png;base64,AAAA"' };

describe("an export of recorded chats", () => {
  it("is CSV with the wire's columns, quoted, on one line each", async () => {
    expect(
      await write("csv", record, {
        ...record,
        rating: null,
        question: 'Say "hi"\r\nplease\n',
      }),
    ).toBe(
      [
        "id,workspace,prompt,response,sent_at,username,rating",
        `"1","Heat","Why?","Because [1].","${String(new Date(record.sentAt))}","ada","GOOD"`,
        `"1","Heat","Say ""hi"" please ","Because [1].","${String(new Date(record.sentAt))}","ada","'--"`,
      ].join("\n"),
    );
    const asked = { ...record, username: null, sessionId: "s1" };
    const eva = { ...asked, visitor: { name: "=Eva", isVerified: true } };
    const joe = { ...asked, visitor: { name: "Joe", isVerified: false } };
    const [columns, ...rows] = (await write("csv", asked, eva, joe)).split("\n");
    expect(columns).toBe(
      "id,workspace,prompt,response,sent_at,session_id,visitor,visitor_verified",
    );
    expect(rows.map((row) => row.split(",").slice(-3).join(","))).toEqual([
      `"s1","","false"`,
      `"s1","'=Eva","true"`,
      `"s1","Joe","false"`,
    ]);
    expect(JSON.parse(await write("json", asked, eva, joe))).toMatchObject([
      { session_id: "s1", visitor: null, visitor_verified: false },
      { visitor: "=Eva", visitor_verified: true },
      { visitor: "Joe", visitor_verified: false },
    ]);
  });

  it("has no formulas", async () => {
    for (const text of [
      ...['=HYPERLINK("x")', "+1", "-1", "@SUM(A1)", "\tx", "\rx"],
      ...["\n=1", " \u200b=1", "＝1", "- a list", "--", "−1", "－1"],
    ]) {
      const line = (
        await write("csv", { ...record, question: text, answer: text, workspace: text })
      ).split("\n")[1]!;
      const cell = `"'${text.replaceAll('"', '""').replace(/[\r\n]/, " ")}"`;
      expect(line.startsWith(`"1",${cell},${cell},${cell},`)).toBe(true);
    }
  });

  it("is JSON with the images as data URLs", async () => {
    expect(JSON.parse(await write("json", record, { ...pictured, rating: false }))).toEqual([
      {
        id: 1,
        prompt: "Why?",
        response: "Because [1].",
        sent_at: "2026-11-25T10:00:00.000Z",
        workspace: "Heat",
        username: "ada",
        rating: "GOOD",
        attachments: [],
      },
      expect.objectContaining({ rating: "BAD", attachments: [dataUrl, dataUrl] }),
    ]);
    expect(JSON.parse(await write("json", { ...record, username: null }))).toEqual([
      expect.not.objectContaining({ username: expect.anything(), rating: expect.anything() }),
    ]);
  });

  it("is one line per workspace with its system prompt", async () => {
    const lines = (await write("jsonl", record, pictured, { ...record, workspaceId: 4 })).split(
      "\n",
    );
    const user = { role: "user", content: [{ type: "text", text: "Why?" }] };
    const assistant = { role: "assistant", content: [{ type: "text", text: "Because [1]." }] };
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      {
        messages: [
          { role: "system", content: [{ type: "text", text: "Prompt 3." }] },
          user,
          assistant,
          { role: "user", content: [{ type: "text", text: "Why?" }, dataUrl, dataUrl] },
          assistant,
        ],
      },
      {
        messages: [
          { role: "system", content: [{ type: "text", text: "Prompt 4." }] },
          user,
          assistant,
        ],
      },
    ]);
  });

  it("is Alpaca's JSON with the context that answers cite", async () => {
    expect(
      JSON.parse(await write("jsonAlpaca", record, { ...record, sources: ["alpha", "beta"] })),
    ).toEqual([
      { instruction: "Prompt 3.", input: "Why?", output: "Because [1]." },
      {
        instruction:
          "Prompt 3.\nContext:\n[CONTEXT 1]:\nalpha\n[END CONTEXT 1]\n\n[CONTEXT 2]:\nbeta\n[END CONTEXT 2]\n\n",
        input: "Why?",
        output: "Because [1].",
      },
    ]);
  });

  it("may be empty", async () => {
    expect(await write("csv")).toBe("id,workspace,prompt,response,sent_at,username,rating");
    expect(await write("json")).toBe("[]");
    expect(await write("jsonl")).toBe("");
    expect(await write("jsonAlpaca")).toBe("[]");
  });
});
