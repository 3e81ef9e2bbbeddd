import type { Instance } from "@carrel/testing";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { Api } from "../api.ts";

const documents = {
  "lig.txt": "The oﬃce of the ﬁsheries ﬂeet opens at nine.",
  "short.txt": "WLAN-Passwort: Tintenfisch",
  "camel.py": "def computeTideTable(harbourName):\n    return lookup_tide_rows(harbourName)\n",
  "num.txt": "Der Preis beträgt 1.234.567,89 Euro.",
  "date.txt": "The launch took place on 2024-03-04 at 09:30.",
  "ean.txt": "Article 4006381333931 costs 12.50. Invoice no. RE-2024/0815-A.",
  "greek.txt": "Ο φάρος ανάβει στις οκτώ το βράδυ.",
  "part.txt": "The pump needs part ABC123 from the store.",
  "laundry.txt":
    "A wash in the laundry room takes 40 minutes. It costs two tokens, which the caretaker sells.",
  "sauna.txt": "The sauna in the cellar is open on Fridays. It costs eight euros per person.",
};
const office = "When does the office of the fisheries fleet open?";
const wash = "How long does a wash in the laundry room take?";

export function testFollowUps(instance: () => Instance): void {
  describe("a second question in query mode, without a model", () => {
    let api: Api;
    let slug: string;
    beforeAll(async () => {
      api = new Api(instance().url);
      ({ slug } = await api.makeWorkspace("Second questions"));
      for (const [name, text] of Object.entries(documents))
        expect((await api.upload("upload-and-embed", slug, name, text)).json()).toMatchObject({
          success: true,
        });
      await api.json("POST", `/workspace/${slug}/update`, { chatMode: "query" });
    });

    /** The text and the first source of the last answer. */
    const askInTurn = async (...questions: string[]): Promise<[string | undefined, string]> => {
      const { thread } = await api.json<{ thread: { slug: string } }>(
        "POST",
        `/workspace/${slug}/thread/new`,
      );
      for (const question of questions.slice(0, -1)) await api.ask(slug, question, thread.slug);
      const { frames, text } = await api.ask(slug, questions.at(-1), thread.slug);
      const sources = frames.flatMap((frame) => ("sources" in frame ? frame.sources : []));
      return [sources[0]?.title, text];
    };

    it.each([
      ["Tintenfisch", "short.txt"],
      ["tide table", "camel.py"],
      ["1.234.567,89", "num.txt"],
      ["launch date?", "date.txt"],
      ["invoice", "ean.txt"],
      ["φάρος", "greek.txt"],
      ["ABC123", "part.txt"],
    ])("finds what it finds alone: %s", async (question, title) => {
      expect([question, (await askInTurn(question))[0]]).toEqual([question, title]);
      expect([question, (await askInTurn(office, question))[0]]).toEqual([question, title]);
    });

    it.each([
      [wash, "What does it cost?", "laundry.txt", "two tokens"],
      ["When is the sauna in the cellar open?", "What does it cost?", "sauna.txt", "eight euros"],
      [wash, "And who sells the tokens?", "laundry.txt", "caretaker"],
    ])("keeps its topic if it refers to it: %s %s", async (first, second, title, fact) => {
      const [source, text] = await askInTurn(first, second);
      expect([source, text]).toEqual([title, expect.stringContaining(fact)]);
    });
  });
}
