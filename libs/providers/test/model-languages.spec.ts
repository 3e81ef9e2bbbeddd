import { describe, expect, it } from "@jest/globals";
import { languagesOf } from "../src/native/native-models.ts";

describe("languagesOf", () => {
  it.each([
    "Xenova/all-MiniLM-L6-v2",
    "all-minilm:latest",
    "nomic-embed-text",
    "Xenova/nomic-embed-text-v1",
    "mxbai-embed-large",
    "snowflake-arctic-embed:335m",
    "BAAI/bge-small-en-v1.5",
    "intfloat/e5-base-v2",
  ])("knows that %s was trained on English only", (model) => {
    expect(languagesOf(model)).toEqual(["en"]);
  });

  it.each([
    "MintplexLabs/multilingual-e5-small",
    "paraphrase-multilingual-MiniLM-L12-v2",
    "nomic-embed-text-v2-moe",
    "snowflake-arctic-embed2",
    "bge-m3",
    "BAAI/bge-large-zh-v1.5",
    "text-embedding-3-small",
    "fake-embedder",
  ])("knows no limits of %s", (model) => {
    expect(languagesOf(model)).toBeNull();
  });
});
