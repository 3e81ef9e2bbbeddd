import type { ServerResponse } from "node:http";
import type { FakeBehaviour } from "./behaviour.ts";
import type { FakeEmbedder } from "./embedder-rules.ts";
import { fakeEmbedding, fakeNoise } from "./fake-embedding.ts";
import { sendJson } from "./send-json.ts";
import { countPromptTokens } from "./wire.ts";

export { findEmbedder } from "./embedder-rules.ts";

interface EmbeddingCall {
  body: Record<string, unknown>;
  path: string;
  /** Length of the vectors unless the request asks for another. */
  dimensions: number;
  behaviour: FakeBehaviour;
}

/** What the vendor's definition doesn't allow; undefined for a valid request. */
function findFault(
  embedder: FakeEmbedder,
  { body, path, behaviour: { textLimit } }: EmbeddingCall,
): { status: number; message: string; code?: string } | undefined {
  const texts = embedder.texts(body);
  const stranger = Object.keys(body).find((field) => !embedder.fields.includes(field));
  if (stranger !== undefined)
    return { status: 422, message: `Extra inputs are not permitted: ${stranger}` };
  if (body.model === "unknown" || path.includes("/unknown:")) return embedder.unknownModel;
  if (embedder.inputTypes && !embedder.inputTypes.includes(String(embedder.inputType(body))))
    return { status: 400, message: "valid input_type must be provided with the provided model" };
  if (texts.length > embedder.maxTexts) return embedder.tooMany;
  if (countPromptTokens(texts) > (embedder.maxTokens ?? Infinity)) return embedder.tooMany;
  if (textLimit !== undefined && texts.some((text) => text.length > textLimit))
    return embedder.tooLong;
  return undefined;
}

/** Embeds the texts of a request, or reports what is wrong with it as the vendor does. */
export function answerEmbedding(
  embedder: FakeEmbedder,
  call: EmbeddingCall,
  response: ServerResponse,
): void {
  const { body, dimensions, behaviour } = call;
  if (behaviour.rawReply !== undefined) {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(behaviour.rawReply);
    return;
  }
  const fault = findFault(embedder, call);
  if (fault) return sendJson(response, fault.status, embedder.errorBody(fault.status, fault));
  const texts = embedder.texts(body);
  const asked = embedder.dimensions(body);
  const length = behaviour.embeddingLength ?? (typeof asked === "number" ? asked : dimensions);
  const vectors = texts.map((text) =>
    (behaviour.isEmbeddingNoise?.(text) ? fakeNoise : fakeEmbedding)(text, length),
  );
  sendJson(
    response,
    200,
    embedder.reply({
      model: body.model,
      vectors: behaviour.leavesOneOut === true ? vectors.slice(0, -1) : vectors,
      tokens: countPromptTokens(texts),
      isBase64: behaviour.sendsBase64 === true || body.encoding_format === "base64",
    }),
  );
}
