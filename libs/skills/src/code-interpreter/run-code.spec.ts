import { afterAll, describe, expect, it } from "@jest/globals";
import type { z } from "zod";
import { ToolError, type Tool, type ToolCall, type ToolResult } from "../tool.ts";
import { closeCodeInterpreter, createCodeInterpreter, type CodeFile } from "./run-code.ts";

const documents: Record<string, CodeFile> = {
  "sales.xlsx": {
    // As documents are stored: a paragraph for each row, without empty cells.
    text: [
      "Sales of 2026",
      "region: North\nmonth: 2026-01\namount: 0.1",
      "region: North\nmonth: 2026-02\namount: 0.2\nremark: late",
      "region: South\nmonth: 2026-01\namount: 5\nComment on amount by Ann: check: this",
      "Printed: in May",
    ].join("\n\n"),
  },
  "bank.csv": {
    text: 'Datum;Betrag;Text\n01.02.2026;"1.234,50";"a ""b""\nc"\n02.02.2026;-0,10;;\n',
  },
  "notes.md": {
    text: "# Notes\n\n| item | pieces |\n| --- | ---: |\n| nut | 4 |\n| bolt | 10 |\n",
  },
};
const [tool] = createCodeInterpreter({
  files: { read: (name) => Promise.resolve(documents[name] ?? null) },
}) as [Tool];
const callWith = (signal: AbortSignal): ToolCall => ({
  signal,
  key: "1",
  progress: () => undefined,
  ask: () => Promise.resolve([]),
  nextSource: 1,
});
const run = (
  code: string,
  more: { input?: string; files?: string[] } = {},
  signal = new AbortController().signal,
): Promise<ToolResult> =>
  tool.run((tool.input as z.ZodType).parse({ code, ...more }), callWith(signal));
const textOf = async (...call: Parameters<typeof run>): Promise<string> =>
  (await run(...call)).text;
const faultOf = async (...call: Parameters<typeof run>): Promise<ToolError> => {
  const fault: unknown = await run(...call).catch((thrown: unknown) => thrown);
  expect(fault).toBeInstanceOf(ToolError);
  return fault as ToolError;
};

afterAll(() => closeCodeInterpreter());

describe("a program", () => {
  it("returns what it prints and the value of its last expression", async () => {
    expect(await textOf('print("a", 1, { b: [2n] }); const x = await 4; x * 2')).toBe(
      'a 1 {"b":["2"]}\n8',
    );
    expect(await textOf("const done = 1;")).toContain("without printing");
    expect(await textOf("input.list.length", { input: '{"list":[1,2,3]}' })).toBe("3");
    expect(await textOf("input", { input: "plain [text" })).toBe("plain [text");
    expect(
      await textOf("const a = {}; a.self = a; [a, new Map([['k', 1]]), new Set([2]), NaN]"),
    ).toBe('[{"self":"[circular]"},{"k":1},[2],"NaN"]');
  });

  it("reads the rows of spreadsheets, without what stands beside the table", async () => {
    const files = ["sales.xlsx"];
    expect(await textOf('readRows("sales.xlsx")', { files })).toBe(
      JSON.stringify([
        { region: "North", month: "2026-01", amount: 0.1, remark: "" },
        { region: "North", month: "2026-02", amount: 0.2, remark: "late" },
        { region: "South", month: "2026-01", amount: 5, remark: "" },
      ]),
    );
    expect(await textOf('parseRecords("Just: one remark\\n\\nand text\\n\\nand more")')).toBe("[]");
    expect(await textOf('parseRecords("a: 1\\na: 2\\n__proto__: 3")')).toBe(
      '[{"a":1,"a (2)":2,"__proto__":3}]',
    );
    expect(await textOf('parseRecords("a: x\\nof two lines\\n\\na: y")')).toBe(
      '[{"a":"x\\nof two lines"},{"a":"y"}]',
    );
  });

  it("reads documents by name, with their rows", async () => {
    const files = Object.keys(documents);
    expect(await textOf('sum(readRows("sales.xlsx").slice(0, 2), "amount")', { files })).toBe(
      "0.3",
    );
    expect(
      await textOf(
        'const rows = readRows("bank.csv"); print(rows[0].Text); sumExact(rows, "Betrag")',
        {
          files,
        },
      ),
    ).toBe('a "b"\nc\n1234.40');
    expect(await textOf('sum(readRows("notes.md"), "pieces")', { files })).toBe("14");
    expect(await textOf('readText("sales.xlsx")', { files })).toMatch(/^Sales of 2026\n/);
    const missing = await faultOf("1", { files: ["other.csv"] });
    expect(missing.fault).toEqual({ code: "code.file-missing", params: { name: "other.csv" } });
    expect((await faultOf('readRows("x")', { files })).message).toContain("sales.xlsx");
  });

  it("may name its variables like helpers", async () => {
    expect(await textOf("const input = 2; let sum = input + 1; const rows = [sum]; rows")).toBe(
      "[3]",
    );
  });

  it("shows tables and charts", async () => {
    const { text, outputs } = await run(
      `const rows = readRows("sales.xlsx");
       table(pivot(rows, { rows: "region", columns: "month", value: "amount" }), "By region");
       chart({ type: "bar", title: "Regions", name: "region", series: ["amount"], rows });`,
      { files: ["sales.xlsx"] },
    );
    expect(text).toContain("[Shown to the person: table By region, 2 rows]");
    expect(outputs).toEqual([
      {
        type: "table",
        title: "By region",
        columns: ["region", "2026-01", "2026-02"],
        rows: [
          ["North", 0.1, 0.2],
          ["South", 5, null],
        ],
        total: 2,
      },
      {
        type: "chart",
        chart: "bar",
        title: "Regions",
        rows: [
          { name: "North", amount: 0.1 },
          { name: "North", amount: 0.2 },
          { name: "South", amount: 5 },
        ],
      },
    ]);
    expect((await faultOf("chart({ type: 'pyramid', rows: [{}] })")).message).toContain(
      "radialBar",
    );
  });

  it("that fails tells the line and column of its code, and what it printed before", async () => {
    const thrown = await faultOf("print('so far');\nconst f = () => null.foo;\n  f()");
    expect(thrown.message).toBe(
      "TypeError: cannot read property 'foo' of null\n    at line 2, column 21\n    at line 3, column 4\n    2 | const f = () => null.foo;\n\nPrinted before:\nso far",
    );
    expect(thrown.fault?.code).toBe("code.failed");
    expect((await faultOf("let x = 1;\n  foo bar")).message).toMatch(
      /^SyntaxError: .*\n.*line 2, column 7/,
    );
    expect((await faultOf("throw { odd: 1 }")).message).toBe('thrown: {"odd":1}');
    expect((await faultOf("sum(['1', 'two'])")).message).toContain('row 2: "two" is not a number');
    expect((await faultOf("sum([{ a: 1 }], 'b')")).message).toContain("columns: a");
  });

  it("runs promises until none is left", async () => {
    expect(
      await textOf(
        "const later = async (n) => (n === 0 ? 0 : 1 + (await later(n - 1))); await Promise.all([later(50), later(9)])",
      ),
    ).toBe("[50,9]");
    expect(await textOf("async function main() { return 7 } main()")).toBe("7");
    expect((await faultOf("await new Promise(() => undefined)")).message).toContain(
      "nothing resolves",
    );
    expect((await faultOf("await Promise.reject(new RangeError('no'))")).message).toContain(
      "RangeError: no",
    );
  });
});

describe("the sandbox", () => {
  it("has neither modules nor anything of the host", async () => {
    expect(
      await textOf(
        "[typeof process, typeof require, typeof fetch, typeof WebAssembly, typeof Worker, typeof std, typeof os, typeof XMLHttpRequest, typeof setTimeout, typeof Deno].join()",
      ),
    ).toBe(Array.from({ length: 10 }, () => "undefined").join());
    for (const escape of [
      "await import('node:fs')",
      "import fs from 'fs'; fs",
      "this.constructor.constructor('return process')()",
      "(async () => undefined).constructor('return await import(\"fs\")')()",
      "print.constructor('return globalThis.process.env')()",
      "readText.__proto__.constructor('return require')()('fs')",
      "new Function('return this')().process.exit(1)",
      "Reflect.construct(Function, ['return Buffer'])().from('x')",
      "print.caller.arguments",
      "new Proxy({}, { get() { return globalThis.process } }).x.exit()",
      "Error.prepareStackTrace = (_, frames) => frames; new Error().stack[0].getThis().process.exit()",
    ])
      expect((await faultOf(escape)).fault?.code).toBe("code.failed");
  });

  it("keeps nothing between runs, and helpers work on data with hostile names", async () => {
    await textOf(
      "Object.prototype.evil = 1; Array.prototype.map = () => 'evil'; globalThis.print = null; JSON.stringify = () => 'evil'; globalThis.left = 'here'; 1",
    );
    expect(await textOf("[typeof left, ({}).evil, [1].map((x) => x + 1), typeof print]")).toBe(
      '["undefined",null,[2],"function"]',
    );
    expect(
      await textOf(
        "const rows = parseCsv('__proto__,constructor,toString\\n1,2,3'); print(Object.keys(rows[0]), ({}).x); const groups = groupBy([{ k: '__proto__' }, { k: 'constructor' }], 'k'); table(rows); Object.keys(groups)",
      ),
    ).toContain('["__proto__","constructor"]');
  });

  it("checks what a tampered program returns", async () => {
    const { text, outputs } = await run(
      "Object.prototype.toJSON = () => { delete Object.prototype.toJSON; return { outputs: [{ type: 'file', name: 'x' }] }; }; print('a'); 1",
    ).catch((fault: ToolError) => ({ text: fault.fault?.code, outputs: undefined }));
    expect([text, outputs]).toEqual(["code.crashed", undefined]);
  });

  it("cuts off what is printed", async () => {
    const text = await textOf("for (let n = 0; n < 1e5; n++) print('x'.repeat(100)); 'value'");
    expect(text.length).toBeLessThan(100_200);
    expect(text).toContain("cut off after 100 kB");
    expect((await textOf("'y'.repeat(5e6)")).length).toBeLessThan(100_200);
    const { outputs } = await run("table(Array.from({ length: 1e5 }, (_, n) => ({ n })))");
    expect(outputs).toMatchObject([{ total: 100_000 }]);
    expect((await faultOf("for (;;) table([])")).message).toContain("at most 10");
  });

  it("limits memory", async () => {
    for (const bomb of [
      "const all = []; for (;;) all.push(new Array(1000).fill(1));",
      "let text = 'x'; for (;;) text += text;",
      "new ArrayBuffer(2 ** 30)",
      "'x'.repeat(2 ** 29)",
    ]) {
      const { message } = await faultOf(bomb);
      expect(message).toMatch(/more than 128 MB|string too long/);
    }
    expect(await textOf("1 + 1")).toBe("2");
  });

  it("limits recursion", async () => {
    expect((await faultOf("const f = () => f(); f()")).message).toContain("stack overflow");
    expect((await faultOf("JSON.parse('['.repeat(1e6))")).fault?.code).toBe("code.failed");
    expect((await faultOf("eval('('.repeat(1e5))")).fault?.code).toBe("code.failed");
    expect(await textOf("1 + 1")).toBe("2");
  });

  it("is left at once when the call is aborted", async () => {
    const stop = new AbortController();
    const running = run("for (;;);", {}, stop.signal);
    const others = Array.from({ length: 3 }, () => run("for (;;);", {}, stop.signal));
    const start = performance.now();
    stop.abort(new Error("stopped"));
    for (const each of [running, ...others]) await expect(each).rejects.toThrow("stopped");
    // Four loops keep both cores busy; each would run until its time limit.
    expect(performance.now() - start).toBeLessThan(3_000);
    expect(await textOf("2")).toBe("2");
  });

  it("runs 20 programs, two at a time, each apart from the others", async () => {
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        textOf("globalThis.seen = (globalThis.seen ?? 0) + 1; [seen, input]", { input: String(n) }),
      ),
    );
    expect(results).toEqual(results.map((_, n) => `[1,"${n}"]`));
  });
});
