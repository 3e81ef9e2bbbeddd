import { describe, expect, it } from "@jest/globals";
import { renderEnvironment } from "./developer-system.routes.ts";

describe("renderEnvironment", () => {
  it("lists settings by name and shows no secret", () => {
    const text = renderEnvironment({
      values: {
        VectorDB: "lancedb",
        "not a name": "x",
        QdrantEndpoint: "http://eva:hun/ter@2@qdrant:6333",
        CustomText: "it's\ntwo lines",
      },
      secrets: { OpenAiKey: "v1:sealed" },
    });
    expect(text.split("\n")).toEqual([
      String.raw`CustomText='it\'s\ntwo lines'`,
      "OpenAiKey='********'",
      "QdrantEndpoint='http://********@qdrant:6333'",
      "VectorDB='lancedb'",
      "",
    ]);
  });
});
