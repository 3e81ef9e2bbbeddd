import { withOneRetry } from "../http/run-request.ts";
import type { GeneratedImage, ImageCall, ImageModel } from "../spec/image-model.ts";
import { ProviderError } from "../spec/provider-error.ts";
import { createOpenAiClient, describeOpenAiFault, type OpenAiEndpoint } from "./openai-client.ts";

export class OpenAiImageModel implements ImageModel {
  readonly provider = "openai";
  readonly sizes = ["1024x1024", "1536x1024", "1024x1536"] as const;

  constructor(
    private readonly endpoint: OpenAiEndpoint,
    readonly model: string,
  ) {}

  async generate({ prompt, size = this.sizes[0], signal }: ImageCall): Promise<GeneratedImage> {
    const { vendor } = this.endpoint;
    const client = await createOpenAiClient(this.endpoint);
    const { data } = await withOneRetry(
      signal,
      () =>
        client.images.generate(
          {
            model: this.model,
            prompt,
            size: size as (typeof this.sizes)[number],
            output_format: "png",
          },
          { signal },
        ),
      (fault, started) => describeOpenAiFault(vendor, fault, started),
    );
    const base64 = data?.[0]?.b64_json;
    if (base64 === undefined)
      throw new ProviderError(
        { code: "provider.image-missing", params: { vendor: vendor.name } },
        { kind: "server" },
      );
    return { mime: "image/png", base64 };
  }
}
