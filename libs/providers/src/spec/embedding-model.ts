/**
 * Text to vectors of unit length or as the vendor gives them; `embed` throws ProviderError only.
 */
export interface EmbeddingModel {
  readonly provider: string;
  readonly model: string;
  /** null until the vendor's first answer, where the length is not known beforehand. */
  readonly dimensions: number | null;
  /** Longer texts are cut by the vendor or refused; the splitter stays below it. */
  readonly maxInputCharacters: number;
  /** Most texts the caller should hand over in one call. */
  readonly batchSize: number;
  /**
   * One vector for each text, in order. `kind` chooses the prefix of models that tell questions
   * from passages.
   */
  embed(texts: string[], kind: "passage" | "query", signal: AbortSignal): Promise<Float32Array[]>;
}
