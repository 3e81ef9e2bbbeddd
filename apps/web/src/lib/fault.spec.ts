import { errorCatalogue } from "@carrel/contracts/error-catalogue";
import "../../testing/texts.ts";
import { beforeAll, describe, expect, it } from "@jest/globals";
import common from "../locales/en/common.json" with { type: "json" };
import own from "../locales/en/errors.json" with { type: "json" };
import { englishFaultTexts } from "./fault-texts.ts";
import { describeFault, loadFaultTexts, parseFault } from "./fault.ts";

const general = common.failure;
const byCode = (texts: Record<string, Record<string, string>>): Map<string, string> =>
  new Map(
    Object.entries(texts).flatMap(([noun, faults]) =>
      Object.entries(faults).map(([fault, text]) => [`${noun}.${fault}`, text] as const),
    ),
  );
const texts = byCode(englishFaultTexts());
/** The suffix of texts shown next to the form that they are about. */
const beside = "_here";
const placeholders = (text: string): string[] =>
  [...text.matchAll(/\{\{(\w+)\}\}/g)].map((match) => match[1]!);

describe("the texts of errors", () => {
  beforeAll(loadFaultTexts);
  it("cover exactly the codes in the catalogue", () => {
    const codes = [...texts.keys()].filter((code) => !code.endsWith(beside));
    expect(codes.toSorted()).toEqual(Object.keys(errorCatalogue).toSorted());
  });
  it("are written only once: the app has none that the server has, too", () => {
    const messages = new Map(Object.entries(errorCatalogue).map(([code, d]) => [code, d.message]));
    const twice = [...byCode(own)].filter(([code, text]) => messages.get(code) === text);
    expect(twice).toEqual([]);
  });
  it("don't mention the settings beside the form of a setting", () => {
    const here = [...texts].filter(([code]) => code.endsWith(beside));
    expect(here.map(([code]) => code)).toContain(`provider.key-rejected${beside}`);
    for (const [code, text] of here) {
      const general = texts.get(code.slice(0, -beside.length))!;
      expect(general).toContain(" in Settings");
      expect(text).not.toContain(" in Settings");
      expect(placeholders(text)).toEqual(placeholders(general));
    }
  });
  it("use only the code's parameters, and render them", () => {
    for (const [code, definition] of Object.entries(errorCatalogue)) {
      const names = [
        ...placeholders(definition.message),
        ...("appParams" in definition ? definition.appParams : []),
      ];
      expect([code, names]).toEqual([code, expect.arrayContaining(placeholders(texts.get(code)!))]);
      const params = Object.fromEntries(names.map((name) => [name, `<${name}>`]));
      expect(describeFault({ code, params }, 400)).not.toMatch(/\{\{|undefined|^\s*$|errors:/);
    }
  });
  it("write fractions as the language does, and whole numbers as they are", () => {
    document.documentElement.lang = "de";
    try {
      const params = { model: "Qwen", needed: 5.5, free: 3 };
      expect(describeFault({ code: "local-model.disk-full", params }, 507)).toBe(
        "Qwen needs 5,5 GB of disk space, but only 3 GB are free.",
      );
    } finally {
      document.documentElement.lang = "en";
    }
  });
  it("fall back to the status for replies from other servers and codes of a newer version", () => {
    expect(describeFault(null, 502)).toBe(general.unavailable);
    expect(describeFault({ code: "future.fault", params: {} }, 409)).toBe(general.refused);
    expect(describeFault(null, 0)).toBe(general.unreachable);
  });
});

describe("the header", () => {
  it("names a fault; anything else is ignored", () => {
    expect(parseFault('{"code":"user.name-too-short","params":{"limit":2}}')).toEqual({
      code: "user.name-too-short",
      params: { limit: 2 },
    });
    expect(parseFault('{"code":"user.not-found"}')).toEqual({ code: "user.not-found", params: {} });
    for (const other of [null, "", "{", "7", "null", '{"code":7}'])
      expect(parseFault(other)).toBeNull();
  });
});
