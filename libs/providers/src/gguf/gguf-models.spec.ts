import { mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "@jest/globals";
import { ggufParts, listGgufModels, readGgufModel } from "./gguf-models.ts";
import { GgufFormatError, readGgufHeader } from "./read-gguf-header.ts";

const integer = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};
const count = (value: number): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
};
const text = (value: string): Buffer => Buffer.concat([count(value.length), Buffer.from(value)]);
const encode = (value: string | number | boolean | string[]): Buffer => {
  if (typeof value === "string") return Buffer.concat([integer(8), text(value)]);
  if (typeof value === "number") return Buffer.concat([integer(4), integer(value)]);
  if (typeof value === "boolean") return Buffer.concat([integer(7), Buffer.from([Number(value)])]);
  return Buffer.concat([integer(9), integer(8), count(value.length), ...value.map(text)]);
};

interface Content {
  metadata?: Record<string, string | number | boolean | string[]>;
  tensors?: number[][];
  version?: number;
}
const writeHeader = ({ metadata = {}, tensors = [], version = 3 }: Content): Buffer =>
  Buffer.concat([
    Buffer.from("GGUF"),
    integer(version),
    count(tensors.length),
    count(Object.keys(metadata).length),
    ...Object.entries(metadata).flatMap(([key, value]) => [text(key), encode(value)]),
    ...tensors.flatMap((sizes, n) => [
      text(`tensor ${n}`),
      integer(sizes.length),
      ...sizes.map(count),
      integer(0),
      count(0),
    ]),
  ]);

const llama = {
  "general.architecture": "llama",
  "general.file_type": 15,
  "general.is_test": true,
  "llama.block_count": 4,
  "llama.embedding_length": 256,
  "llama.attention.head_count": 8,
  "llama.attention.head_count_kv": 2,
  "llama.context_length": 1_024,
  "tokenizer.chat_template": "{% if tools %}<think>{% endif %}",
};

const folder = mkdtempSync(join(tmpdir(), "carrel-gguf-"));
/** The header, and tensors of zeros from the next multiple of 32 on. */
function writeModel(content: Content): Buffer {
  const header = writeHeader(content);
  const sizes = (content.tensors ?? []).map((each) => 4 * each.reduce((a, b) => a * b, 1));
  if (sizes.length === 0) return header;
  return Buffer.concat([
    header,
    Buffer.alloc((32 - (header.length % 32)) % 32),
    Buffer.alloc(Math.max(...sizes)),
  ]);
}
const put = (file: string, content: Buffer | Content): string => {
  const path = join(folder, file);
  writeFileSync(path, Buffer.isBuffer(content) ? content : writeModel(content));
  return path;
};
const names = async (): Promise<string[]> => (await listGgufModels(folder)).map(({ file }) => file);

afterAll(() => rmSync(folder, { recursive: true }));
beforeEach(() => {
  for (const file of ["a.gguf", "b.gguf"]) rmSync(join(folder, file), { force: true });
});

describe("the header of a GGUF file", () => {
  it("says what the model is", async () => {
    // A vocabulary of more than one chunk.
    const vocabulary = Array.from({ length: 120_000 }, (_, n) => `token ${n}`);
    put("a.gguf", {
      metadata: { ...llama, "tokenizer.ggml.tokens": vocabulary },
      tensors: [[16, 32], [10]],
    });
    expect(await readGgufModel(folder, "a.gguf")).toMatchObject({
      name: "a",
      architecture: "llama",
      parameters: 16 * 32 + 10,
      quantization: "Q4_K_M",
      contextLength: 1_024,
      chatTemplate: { callsTools: true, reasons: true },
      layers: { count: 4, bytesPerToken: 4 * 2 * (32 + 32) * 2 },
    });
    const { metadata } = await readGgufHeader(join(folder, "a.gguf"));
    expect(metadata.get("tokenizer.ggml.tokens")).toBe(120_000);
    expect(metadata.get("general.is_test")).toBe(true);
  });

  it.each([
    ["other files", Buffer.from("<html>Not found</html>")],
    ["unknown versions", { version: 9 }],
    ["cut headers", writeHeader({ metadata: llama }).subarray(0, 100)],
    [
      "lengths beyond reason",
      Buffer.concat([writeHeader({}).subarray(0, 16), count(1), count(2e9)]),
    ],
  ])("refuses %s", async (_what, content) => {
    await expect(readGgufHeader(put("a.gguf", content))).rejects.toThrow(GgufFormatError);
  });

  it("is read again only when the file has changed", async () => {
    const path = put("a.gguf", Buffer.from("no model"));
    const read = () => readGgufModel(folder, "a.gguf").catch((fault: unknown) => fault);
    const fault = await read();
    expect(fault).toBeInstanceOf(GgufFormatError);
    expect(await read()).toBe(fault);
    put("a.gguf", { metadata: llama });
    utimesSync(path, 1, 1);
    expect(await read()).toMatchObject({ name: "a" });
  });
});

describe("the files in a folder", () => {
  it("are left out if their end is missing, as of a copy that isn't finished", async () => {
    const whole = writeModel({ metadata: llama, tensors: [[16, 32], [10]] });
    put("a.gguf", whole.subarray(0, -1));
    put("b.gguf", whole);
    expect(await names()).toEqual(["b.gguf"]);
    await expect(readGgufModel(folder, "a.gguf")).rejects.toThrow("the end of the file is missing");
  });

  it("are language models only", async () => {
    put("a.gguf", { metadata: { "general.architecture": "bert" } });
    put("b.gguf", { metadata: llama });
    expect(await names()).toEqual(["b.gguf"]);
  });

  it("can be parts of one model, in any case", async () => {
    const parts = ["Big-00001-of-00002.GGUF", "Big-00002-of-00002.GGUF"];
    expect(ggufParts(parts[0]!)).toEqual(parts);
    expect(ggufParts("a.gguf")).toEqual(["a.gguf"]);
    const header = writeHeader({ metadata: llama });
    put(parts[0]!, header);
    // Without its second part, it can't be loaded.
    expect(await names()).toEqual([]);
    const second = writeModel({ tensors: [[16, 32]] });
    put(parts[1]!, second.subarray(0, -1));
    expect(await names()).toEqual([]);
    put(parts[1]!, second);
    expect(await names()).toEqual([parts[0]]);
    expect((await readGgufModel(folder, parts[0]!))!.size).toBe(header.length + second.length);
    for (const part of parts) rmSync(join(folder, part));
  });

  it("aren't taken for missing if the folder can't be read", async () => {
    const path = put("a.gguf", { metadata: llama });
    expect(await listGgufModels(join(folder, "none"))).toEqual([]);
    await expect(listGgufModels(path)).rejects.toMatchObject({ code: "ENOTDIR" });
  });
});
