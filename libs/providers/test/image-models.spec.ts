// Images against a server that sends the vendor's own bytes.
import { createImageModel } from "@carrel/providers";
import { fakeImage, startFakeLlm, type FakeLlm } from "@carrel/testing";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";

const key = "sk-media-0123456789";
let fake: FakeLlm;
beforeAll(async () => {
  fake = await startFakeLlm({ apiKey: key });
});
afterAll(() => fake.stop());
afterEach(() => {
  fake.requests.length = 0;
});
const { signal } = new AbortController();
const endpoint = () => ({ baseUrl: `${fake.url}/v1` });
const settings = { ImageGenerationOpenAiKey: key };

describe("OpenAI images", () => {
  const generate = (size?: string) =>
    createImageModel("openai", settings, endpoint()).generate({
      prompt: "A reading desk",
      signal,
      ...(size !== undefined && { size }),
    });

  it("returns the generated image", async () => {
    expect(await generate("1536x1024")).toEqual({ mime: "image/png", base64: fakeImage });
    expect(fake.requests[0]!.body).toMatchObject({
      prompt: "A reading desk",
      size: "1536x1024",
      output_format: "png",
    });
  });

  it("reports a rejected key", async () => {
    const model = createImageModel(
      "openai",
      { ...settings, ImageGenerationOpenAiKey: "sk-wrong" },
      endpoint(),
    );
    await expect(model.generate({ prompt: "x", signal })).rejects.toMatchObject({
      kind: "authentication",
    });
  });

  it("names a missing key and an unknown provider", () => {
    for (const id of ["openai", "anthropic", "nobody"])
      expect(() => createImageModel(id, {})).toThrow(
        expect.objectContaining({ name: "ProviderError", kind: "invalid" }),
      );
  });
});
