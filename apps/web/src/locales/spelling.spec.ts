import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { errorCatalogue } from "@carrel/contracts/error-catalogue";
import { settingCaptions } from "@carrel/contracts/setting-captions";
import { describe, expect, it } from "@jest/globals";

const here = import.meta.dirname;
const root = join(here, "../../../..");

const british =
  /\b\w*(?:colour|behaviour|favour|honour|neighbour|cancell|labell|travell|summaris|recognis|organis|initialis|optimis(?!t)|analys(?:e|ing)|customis|normalis|serialis|authoris|licence|catalogue|centre|grey)\w*/gi;
const american =
  /\b\w*(?:color|behavior|favorite|neighbor|canceled|canceling|summariz(?!ation)|recogniz|initializ|optimiz|analyz|customiz|normaliz|serializ|prioritiz|minimiz|maximiz|catalog\b)\w*/gi;

/** The texts in JSON, without its keys. */
const textsOf = (value: unknown): string[] =>
  typeof value === "string" ? [value] : Object.values(value ?? {}).flatMap(textsOf);

describe("the interface is American English", () => {
  it.each(readdirSync(join(here, "en")))("%s", (file) => {
    const texts = textsOf(JSON.parse(readFileSync(join(here, "en", file), "utf8")));
    expect(texts.flatMap((text) => text.match(british) ?? [])).toEqual([]);
  });
  it("captions of settings", () => {
    const captions = Object.values(settingCaptions).map(({ text }) => text);
    expect(captions.flatMap((text) => text.match(british) ?? [])).toEqual([]);
  });
  it("messages of the server", () => {
    const messages = Object.values(errorCatalogue).map(({ message }) => message);
    expect(messages.flatMap((text) => text.match(british) ?? [])).toEqual([]);
  });
});

describe("documents are British English", () => {
  const documents = [
    "README.md",
    "CONTRIBUTING.md",
    "ARCHITECTURE.md",
    "SECURITY.md",
    "CHANGELOG.md",
    ...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
      // The contract quotes the names that existing clients use.
      .filter((name) => name.endsWith(".md") && name !== "wire-contract.md")
      .map((name) => join("docs", name)),
  ];
  it.each(documents)("%s", (file) => {
    // Names in code keep their own spelling.
    const words = readFileSync(join(root, file), "utf8")
      .replace(/^```[\s\S]*?^```/gm, "")
      .replace(/`[^`\n]*`/g, "");
    expect(words.match(american) ?? []).toEqual([]);
  });
});
