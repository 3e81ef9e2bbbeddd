import { describe, expect, it } from "@jest/globals";
import { quoteSentences, type ExtractiveInput } from "./quote-sentences.ts";

const passage = (text: string, title = "document.txt", headingPath: string[] = []) => ({
  text,
  title,
  headingPath,
  score: 0.8,
});
const ask = (
  question: string,
  passages: ExtractiveInput["passages"],
  more: Partial<ExtractiveInput> = {},
) => quoteSentences({ question, previousQuestion: null, passages, threshold: 0.25, ...more });

describe("quoted text", () => {
  it("answers every question of a text that asks several", () => {
    const cycle = passage(
      "A wash cycle takes 50 minutes. The door stays locked for the whole time. Between two cycles the drum is rinsed with cold water. The detergent is added by hand.",
    );
    expect(
      ask("How long is a wash cycle and what happens between cycles?", [cycle]).map(
        ({ text }) => text,
      ),
    ).toEqual([
      "A wash cycle takes 50 minutes.",
      "Between two cycles the drum is rinsed with cold water.",
    ]);
  });

  it("quotes code and steps as a whole, with the sentence that leads into them", () => {
    const readme = passage(
      "# taskpond\n\nA job queue in one file.\n\n## Install\n\nInstall taskpond from npm:\n\n```sh\nnpm install taskpond\n```\n\n## Update\n\nTo update the database file:\n\n1. Stop all workers.\n2. Run `taskpond migrate`.\n3. Start the workers again.\n\nNever edit it by hand.\n",
      "readme.md",
    );
    const texts = (question: string) => ask(question, [readme]).map(({ text }) => text);
    expect(texts("How do I install taskpond?")).toEqual([
      "Install taskpond from npm:\n\n```sh\nnpm install taskpond\n```",
    ]);
    expect(texts("How do I update the database file?")).toEqual([
      "To update the database file:\n\n1. Stop all workers.\n2. Run `taskpond migrate`.\n3. Start the workers again.",
    ]);
  });

  it("never ends inside a link or code, and quotes no picture", () => {
    const readme = passage(
      "[![build status](https://ci.example/licence.svg)](https://ci.example/licence)\n\nLicensed under [MIT](./LICENSE. md). Set `logger.info` in `conf.d/log.yml`. See ![the logger](https://example.org/logger.png) for more.",
    );
    expect(ask("What is it licensed under?", [readme]).map(({ text }) => text)).toEqual([
      "Licensed under [MIT](./LICENSE. md).",
    ]);
    for (const question of ["Where is the logger set?", "What is the build status?"])
      for (const { text } of ask(question, [readme], { threshold: 0 }))
        expect(text).not.toContain("](https:");
  });
});
