import { clipText } from "@carrel/contracts";
import { z } from "zod";
import { ToolError, type Tool, type ToolCall, type ToolResult } from "../tool.ts";
import {
  codeLimits,
  CodePool,
  CodePoolFullError,
  type Program,
  type ProgramResult,
} from "./code-pool.ts";

/** A document of the workspace, as programs get it. */
export interface CodeFile {
  text: string;
}

/** Gives documents to programs; it decides what the person may read. */
export interface FilePort {
  /** Returns null if there is no such document. */
  read(name: string, signal: AbortSignal): Promise<CodeFile | null>;
}

export interface CodeInterpreterPorts {
  files: FilePort;
}

/** UTF-16 units of all that a program gets. */
const mostInput = 20_000_000;
const seconds = codeLimits.milliseconds / 1_000;
const megabytes = codeLimits.memoryBytes / 1024 / 1024;
/** UTF-16 units that the model reads. */
const mostText = 100_000;

const input = z.object({
  code: z
    .string()
    .min(1)
    .max(100_000)
    .describe("The program, in JavaScript. The value of its last expression is returned."),
  input: z
    .string()
    .optional()
    .describe("Text or JSON that the program reads as the variable `input`."),
  files: z
    .array(z.string())
    .max(20)
    .optional()
    .describe("Names of documents that the program reads."),
});
type Input = z.infer<typeof input>;

const description = `Runs a JavaScript program and returns what it prints and the value of its last expression. Use it for every sum, statistic, count or date calculation instead of computing yourself. It has no network, no modules and no files, except the documents named in "files". Limits: ${seconds} seconds, ${megabytes} MB.
Reading: input; readText(name); readRows(name) returns records; parseCsv(text), parseTsv, parseMarkdownTable, formatCsv(rows), JSON.
Tables (rows are records; key is a column or a function): sum(rows, key), mean, median, smallest, largest, standardDeviation, quantile(rows, 0.9, key), groupBy(rows, key), sortBy(rows, key, "desc"), unique(rows, key), join(left, right, key, "left"), pivot(rows, { rows, columns, value, aggregate }).
Money: sumExact(rows, key) and decimal("19.99") with plus, minus, times, dividedBy(value, places), round(places), compareTo, toNumber; parseNumber("1.234,50 €"); round(value, places).
Dates are texts like 2026-05-01: parseDate(text, "mdy"), addDays, addMonths, daysBetween(from, to), weekday, monthOf, quarterOf. random(seed) returns a function.
Showing: print(...values); table(rows, title) and chart({ type, title, rows, name, series }) with type area, bar, line, composed, scatter, pie, radar, radialBar, treemap or funnel are shown to the person.`;

/** Documents are read before the run, because nothing inside the sandbox can reach out. */
async function readFiles(port: FilePort, { input: text = "", files = [] }: Input, call: ToolCall) {
  const missing: string[] = [];
  const read: { name: string; text: string }[] = [];
  let size = text.length;
  for (const name of new Set(files)) {
    const file = await port.read(name, call.signal);
    if (file === null) {
      missing.push(name);
      continue;
    }
    size += file.text.length;
    if (size > mostInput)
      throw new ToolError("The documents are too large together: a program gets at most 20 MB.", {
        code: "code.input-too-large",
        params: { megabytes: mostInput / 1_000_000 },
      });
    read.push({ name, text: file.text });
  }
  if (missing.length > 0)
    throw new ToolError(
      `No document is called ${missing.map((name) => JSON.stringify(name)).join(" or ")}. List the documents for their names.`,
      { code: "code.file-missing", params: { name: missing.join(", ") } },
    );
  return read;
}

/** What a program threw, with the line of its code. */
function describeFault(
  { message, places }: NonNullable<ProgramResult["fault"]>,
  code: string,
): string {
  const lines = code.split("\n");
  const [first] = places;
  const where = places.map(([line, column]) => `    at line ${line}, column ${column}`);
  const shown =
    first === undefined
      ? []
      : [`    ${first[0]} | ${clipText((lines[first[0] - 1] ?? "").trim(), 200)}`];
  return [message, ...where, ...shown].join("\n");
}

const withPrinted = (message: string, printed: string): string =>
  printed === "" ? message : `${message}\n\nPrinted before:\n${clipText(printed, 4_000)}`;

/** Why a program failed or was stopped. */
export function describeProgramFault(result: ProgramResult, code: string): ToolError {
  const { outcome, printed, fault } = result;
  if (outcome === "timed-out")
    return new ToolError(
      withPrinted(
        `The program was stopped after ${seconds} seconds. Do less, or use a faster way.`,
        printed,
      ),
      { code: "code.timed-out", params: { seconds } },
    );
  if (fault !== null && /^InternalError: out of memory/.test(fault.message))
    return new ToolError(
      withPrinted(`The program needed more than ${megabytes} MB. Keep less in memory.`, printed),
      { code: "code.out-of-memory", params: { megabytes } },
    );
  if (outcome === "crashed" || fault === null)
    return new ToolError(
      "The program ended without a result: it needed too much memory, or returned too much.",
      { code: "code.crashed" },
    );
  return new ToolError(withPrinted(describeFault(fault, code), printed), {
    code: "code.failed",
    params: { details: clipText(fault.message, 300) },
  });
}

/** The result for the model. Throws ToolError if the program failed or was stopped. */
function readResult(result: ProgramResult, code: string): ToolResult {
  const { outcome, printed, value, isCut, outputs, fault } = result;
  if (outcome !== "done" || fault !== null) throw describeProgramFault(result, code);
  const shown = outputs.map((output) => `[Shown to the person: ${describeOutput(output)}]`);
  const parts = [printed, ...(value === null ? [] : [value]), ...shown].filter(
    (part) => part !== "",
  );
  const text =
    parts.length === 0 ? "The program ended without printing anything." : parts.join("\n");
  return {
    text:
      isCut || text.length > mostText
        ? `${clipText(text, mostText)}\n[The rest was cut off after 100 kB.]`
        : text,
    ...(outputs.length === 0 ? {} : { outputs }),
  };
}

function describeOutput(output: ProgramResult["outputs"][number]): string {
  if (output.type === "table") return `table ${output.title}, ${output.total} rows`;
  return output.type === "chart" ? `${output.chart} chart ${output.title}` : output.name;
}

/** All runs of this process share its threads. */
let pool: CodePool | undefined;

/** Runs a program in the sandbox. Throws ToolError if too many wait. */
export async function runProgram(program: Program, signal: AbortSignal): Promise<ProgramResult> {
  pool ??= new CodePool();
  try {
    return await pool.run(program, signal);
  } catch (fault) {
    if (!(fault instanceof CodePoolFullError)) throw fault;
    throw new ToolError("Too many programs are waiting. Try again later.", { code: "code.busy" });
  }
}

/** The code interpreter: JavaScript in a sandbox, so that models compute instead of guessing. */
export function createCodeInterpreter({ files }: CodeInterpreterPorts): Tool[] {
  const tool: Tool<Input> = {
    skill: "code-interpreter",
    name: "run-code",
    description,
    input,
    effect: "none",
    // What it prints may be text of the documents that it reads.
    isUntrusted: true,
    isRepeatable: true,
    approval: "never",
    object: ({ files: names = [] }) => (names.length === 0 ? null : names.join(", ")),
    async run(given, call) {
      const read = await readFiles(files, given, call);
      const program = { code: given.code, input: given.input ?? "", files: read };
      return readResult(await runProgram(program, call.signal), given.code);
    },
  };
  return [tool as Tool];
}

/** Ends the idle threads of this process. */
export async function closeCodeInterpreter(): Promise<void> {
  await pool?.close();
}
