export interface ImageCall {
  prompt: string;
  /** One of the model's sizes; default: the first. */
  size?: string;
  signal: AbortSignal;
}

export interface GeneratedImage {
  mime: string;
  /** Without a data: prefix. */
  base64: string;
}

/** Text to image; `generate` only throws ProviderError. */
export interface ImageModel {
  readonly provider: string;
  readonly model: string;
  /** Width and height in pixels, e.g. 1024x1024. */
  readonly sizes: readonly string[];
  generate(call: ImageCall): Promise<GeneratedImage>;
}
