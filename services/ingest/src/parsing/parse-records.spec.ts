import { describe, expect, it } from "@jest/globals";
import { parse } from "../../test/parse.ts";

describe("CSV and JSON", () => {
  it("turns rows into header: value lines, whatever the delimiter", async () => {
    expect((await parse("a.csv", 'name,age\n"Lovelace, Ada",36\nAlan,41')).text).toBe(
      "name: Lovelace, Ada\nage: 36\n\nname: Alan\nage: 41",
    );
    expect((await parse("a.csv", "name;age\nAda;36")).text).toBe("name: Ada\nage: 36");
    expect((await parse("a.tsv", "name\tage\nAda\t36")).text).toBe("name: Ada\nage: 36");
  });

  it("keeps a broken CSV as lines", async () => {
    expect((await parse("a.csv", 'a,b\n"never closed,1')).text).toContain("never closed");
  });

  it("flattens JSON, turns lists of objects into paragraphs, and reads JSON Lines", async () => {
    expect((await parse("a.json", '{"a":{"b":[1,"x"]},"c":null}')).text).toBe(
      "a.b: 1\na.b: x\nc: null",
    );
    expect((await parse("a.json", '[{"n":"Ada"},{"n":"Alan"}]')).text).toBe("n: Ada\n\nn: Alan");
    expect((await parse("a.json", '{"n":"Ada"}\n{"n":"Alan"}')).text).toBe("n: Ada\n\nn: Alan");
  });

  it("reads broken JSON as text, and JSON nested deeper than the stack", async () => {
    expect((await parse("a.json", '{"n": "Ada",')).text).toBe('{"n": "Ada",');
    expect((await parse("a.jsonl", '{"n": "Ada",')).text).toBe('{"n": "Ada",');
    expect((await parse("a.json", `${"[".repeat(3000)}"deep"${"]".repeat(3000)}`)).text).toContain(
      "deep",
    );
  });
});
